#include "library.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// libaom's own scale: 0 takes longest. At 8, a photo takes a half to a sixth of the time of 6, and loses 0.6 to 2 dB.
enum { SPEED = 6 };
// The bytes are the same for any number of threads from 2 on. libheif takes no more than 16.
enum { LEAST_THREADS = 2, MOST_THREADS = 16 };
// Encoding a pixel takes as long as decoding that many.
enum { DECODINGS = 10 };
// More than EXIF, XMP and a profile may have.
enum { MOST_METADATA = 256 << 20 };

// Memory that both processes have: the rows, then space for the file.
struct shared {
    struct cisolation_answer answer;
    size_t taken_bytes, file_byte_count;
    uint8_t bytes[];
};

struct cheif_encoder {
    struct cheif_picture picture;
    size_t bytes_per_row, rows_byte_count, capacity, shared_byte_count;
    struct shared *shared;
};

struct encode_call {
    const struct cheif_encoder *encoder;
    const struct cheif_attachments *attachments;
    size_t most_memory;
    int milliseconds;
};

static struct heif_error store(struct heif_context *context, const void *bytes, size_t count, void *user)
{
    (void)context;
    const struct cheif_encoder *encoder = user;
    struct shared *shared = encoder->shared;
    if (count > encoder->capacity - shared->file_byte_count)
        return (struct heif_error) { heif_error_Encoding_error, heif_suberror_Cannot_write_output_data,
                                     "too large" };
    memcpy(shared->bytes + encoder->rows_byte_count + shared->file_byte_count, bytes, count);
    shared->file_byte_count += count;
    return (struct heif_error) { heif_error_Ok, heif_suberror_Unspecified, "" };
}

static bool fill(
    struct heif_image *image, const struct cheif_encoder *encoder, struct cisolation_answer *answer)
{
    const struct cheif_picture *picture = &encoder->picture;
    const enum heif_channel channel = heif_channel_interleaved;
    if (cheif_failed(heif.heif_image_add_plane(image, channel, picture->width, picture->height, 8), answer))
        return false;
    int stride = 0;
    uint8_t *plane = heif.heif_image_get_plane(image, channel, &stride);
    for (int y = 0; y < picture->height; y++)
        memcpy(
            plane + (size_t)y * (size_t)stride, encoder->shared->bytes + (size_t)y * encoder->bytes_per_row,
            encoder->bytes_per_row);
    return true;
}

// Full range. Without loss, the planes are green, blue and red.
static struct heif_color_profile_nclx *codes_of(const struct cheif_picture *picture)
{
    struct heif_color_profile_nclx *codes = heif.heif_nclx_color_profile_alloc();
    if (codes == NULL) return NULL;
    codes->color_primaries = (enum heif_color_primaries)picture->primaries;
    codes->transfer_characteristics = (enum heif_transfer_characteristics)picture->curve;
    codes->matrix_coefficients =
        picture->quality < 0 ? heif_matrix_coefficients_RGB_GBR : heif_matrix_coefficients_ITU_R_BT_601_6;
    codes->full_range_flag = 1;
    return codes;
}

static int thread_count(void)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < LEAST_THREADS ? LEAST_THREADS
        : processors > MOST_THREADS   ? MOST_THREADS
                                      : (int)processors;
}

// libheif can have other encoders as well, whose files would differ.
static struct heif_encoder *encoder_of(struct heif_context *context, struct cisolation_answer *answer)
{
    const struct heif_encoder_descriptor *aom = NULL;
    struct heif_encoder *encoder = NULL;
    if (heif.heif_context_get_encoder_descriptors(context, heif_compression_AV1, "aom", &aom, 1) == 0) {
        answer->status = CISOLATION_STATUS_NO_ENCODER;
        return NULL;
    }
    return cheif_failed(heif.heif_context_get_encoder(context, aom, &encoder), answer) ? NULL : encoder;
}

static bool set_up(
    struct heif_encoder *encoder, const struct cheif_picture *picture, struct cisolation_answer *answer)
{
    if (cheif_failed(heif.heif_encoder_set_parameter_integer(encoder, "speed", SPEED), answer)) return false;
    if (cheif_failed(heif.heif_encoder_set_parameter_integer(encoder, "threads", thread_count()), answer))
        return false;
    if (picture->quality >= 0)
        return !cheif_failed(heif.heif_encoder_set_lossy_quality(encoder, picture->quality), answer);
    return !cheif_failed(heif.heif_encoder_set_lossless(encoder, 1), answer)
        && !cheif_failed(heif.heif_encoder_set_parameter_string(encoder, "chroma", "444"), answer);
}

static bool add_metadata(
    struct heif_context *context, const struct heif_image_handle *image,
    const struct cheif_attachments *attachments, struct cisolation_answer *answer)
{
    const int exif_count = (int)attachments->exif_byte_count, xmp_count = (int)attachments->xmp_byte_count;
    if (exif_count > 0
        && cheif_failed(
            heif.heif_context_add_exif_metadata(context, image, attachments->exif, exif_count), answer))
        return false;
    return xmp_count == 0
        || !cheif_failed(
               heif.heif_context_add_XMP_metadata(context, image, attachments->xmp, xmp_count), answer);
}

// The process ends soon, so nothing is freed.
static void encode(void *argument)
{
    const struct encode_call *call = argument;
    const struct cheif_picture *picture = &call->encoder->picture;
    const struct cheif_attachments *attachments = call->attachments;
    struct cisolation_answer *answer = &call->encoder->shared->answer;
    cisolation_begin(call->most_memory, call->milliseconds);
    const size_t before = cisolation_memory("VmRSS:");
    struct heif_context *context = heif.heif_context_alloc();
    struct heif_image *image = NULL;
    struct heif_image_handle *handle = NULL;
    struct heif_encoding_options *options = heif.heif_encoding_options_alloc();
    struct heif_color_profile_nclx *codes = codes_of(picture);
    answer->status = CISOLATION_STATUS_OUT_OF_MEMORY;
    if (context == NULL || options == NULL || codes == NULL) return;
    // Since version 4, the codes of colour can be chosen.
    if (options->version < 4) {
        answer->status = CISOLATION_STATUS_UNSUPPORTED;
        snprintf(answer->message, sizeof answer->message, "version 1.11 or later is needed");
        return;
    }
    struct heif_encoder *encoder = encoder_of(context, answer);
    if (encoder == NULL || !set_up(encoder, picture, answer)) return;
    const enum heif_chroma chroma =
        picture->has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
    if (cheif_failed(
            heif.heif_image_create(picture->width, picture->height, heif_colorspace_RGB, chroma, &image),
            answer))
        return;
    if (!fill(image, call->encoder, answer)) return;
    if (attachments->profile_byte_count > 0
        && cheif_failed(
            heif.heif_image_set_raw_color_profile(
                image, "prof", attachments->profile, attachments->profile_byte_count),
            answer))
        return;
    if (cheif_failed(heif.heif_image_set_nclx_color_profile(image, codes), answer)) return;
    options->output_nclx_profile = codes;
    // The matrix must be told beside a profile.
    options->save_two_colr_boxes_when_ICC_and_nclx_available = 1;
    if (cheif_failed(heif.heif_context_encode_image(context, image, encoder, options, &handle), answer))
        return;
    if (!add_metadata(context, handle, attachments, answer)) return;
    struct heif_writer writer = { 1, store };
    if (cheif_failed(heif.heif_context_write(context, &writer, (void *)call->encoder), answer)) return;
    call->encoder->shared->taken_bytes = cisolation_memory("VmHWM:") - before;
    answer->status = CISOLATION_STATUS_OK;
}

// MARK: The calling process

struct cheif_encoder *cheif_encoder_create(
    const struct cheif_picture *picture, enum cisolation_status *status)
{
    *status = cheif_has_library() ? CISOLATION_STATUS_OUT_OF_MEMORY : CISOLATION_STATUS_NO_LIBRARY;
    struct cheif_encoder *encoder = *status == CISOLATION_STATUS_NO_LIBRARY ? NULL : malloc(sizeof *encoder);
    if (encoder == NULL) return NULL;
    encoder->picture = *picture;
    encoder->bytes_per_row = (size_t)picture->width * (picture->has_alpha ? 4 : 3);
    encoder->rows_byte_count = encoder->bytes_per_row * (size_t)picture->height;
    // More than any file has. Only what is used takes memory.
    encoder->capacity = encoder->rows_byte_count * 2 + MOST_METADATA;
    encoder->shared_byte_count = sizeof(struct shared) + encoder->rows_byte_count + encoder->capacity;
    encoder->shared = cisolation_create(encoder->shared_byte_count);
    if (encoder->shared == NULL) {
        free(encoder);
        return NULL;
    }
    *status = CISOLATION_STATUS_OK;
    return encoder;
}

void cheif_encoder_destroy(struct cheif_encoder *encoder)
{
    cisolation_destroy(encoder->shared, encoder->shared_byte_count);
    free(encoder);
}

uint8_t *cheif_encoder_rows(struct cheif_encoder *encoder) { return encoder->shared->bytes; }

struct cisolation_answer cheif_encoder_run(
    struct cheif_encoder *encoder, const struct cheif_attachments *attachments, size_t most_memory)
{
    const double pixels = (double)encoder->picture.width * encoder->picture.height;
    struct encode_call context = { encoder, attachments, most_memory,
                                   cisolation_milliseconds(DECODINGS * pixels) };
    struct shared *shared = encoder->shared;
    cisolation_call(
        LIBRARY, encode, &context, context.milliseconds, &shared->answer, encoder->shared_byte_count);
    // A crash may have left anything there.
    if (shared->file_byte_count > encoder->capacity) shared->answer.status = CISOLATION_STATUS_CORRUPT;
    return shared->answer;
}

const uint8_t *cheif_encoder_file(const struct cheif_encoder *encoder, size_t *byte_count)
{
    *byte_count = encoder->shared->file_byte_count;
    return encoder->shared->bytes + encoder->rows_byte_count;
}

size_t cheif_encoder_taken(const struct cheif_encoder *encoder) { return encoder->shared->taken_bytes; }
