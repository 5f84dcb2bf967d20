#include "library.h"
#include <string.h>
#include <unistd.h>

// libaom's own scale: 0 takes longest. At 8, a photo takes a half to a sixth of the time of 6, and loses 0.6 to 2 dB.
enum { SPEED = 6 };
// The bytes are the same for any number of threads from 2 on. libheif takes no more than 16.
enum { LEAST_THREADS = 2, MOST_THREADS = 16 };
static struct heif_error store(struct heif_context *context, const void *bytes, size_t count, void *user)
{
    (void)context;
    if (!cisolation_encoding_append(user, bytes, count))
        return (struct heif_error) { heif_error_Encoding_error, heif_suberror_Cannot_write_output_data,
                                     "too large" };
    return (struct heif_error) { heif_error_Ok, heif_suberror_Unspecified, "" };
}

static bool fill(struct heif_image *image, const struct cisolation_encoding *encoding)
{
    const struct cisolation_picture *picture = encoding->picture;
    const enum heif_channel channel = heif_channel_interleaved;
    if (cheif_failed(
            heif.heif_image_add_plane(image, channel, picture->width, picture->height, 8), encoding->answer))
        return false;
    int stride = 0;
    uint8_t *plane = heif.heif_image_get_plane(image, channel, &stride);
    for (int y = 0; y < picture->height; y++)
        memcpy(
            plane + (size_t)y * (size_t)stride, encoding->rows + (size_t)y * encoding->bytes_per_row,
            encoding->bytes_per_row);
    return true;
}

// Full range. Without loss, the planes are green, blue and red.
static struct heif_color_profile_nclx *codes_of(const struct cisolation_picture *picture)
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
    struct heif_encoder *encoder, const struct cisolation_picture *picture, struct cisolation_answer *answer)
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
    const struct cisolation_attachments *attachments, struct cisolation_answer *answer)
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

bool cheif_encode(struct cisolation_encoding *encoding)
{
    const struct cisolation_picture *picture = encoding->picture;
    const struct cisolation_attachments *attachments = encoding->attachments;
    struct cisolation_answer *answer = encoding->answer;
    struct heif_context *context = heif.heif_context_alloc();
    struct heif_image *image = NULL;
    struct heif_image_handle *handle = NULL;
    struct heif_encoding_options *options = heif.heif_encoding_options_alloc();
    struct heif_color_profile_nclx *codes = codes_of(picture);
    answer->status = CISOLATION_STATUS_OUT_OF_MEMORY;
    if (context == NULL || options == NULL || codes == NULL) return false;
    // Since version 4, the codes of colour can be chosen.
    if (options->version < 4)
        return cisolation_fail(answer, CISOLATION_STATUS_UNSUPPORTED, "version 1.11 or later is needed");
    struct heif_encoder *encoder = encoder_of(context, answer);
    if (encoder == NULL || !set_up(encoder, picture, answer)) return false;
    const enum heif_chroma chroma =
        picture->channels == 4 ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
    if (cheif_failed(
            heif.heif_image_create(picture->width, picture->height, heif_colorspace_RGB, chroma, &image),
            answer))
        return false;
    if (!fill(image, encoding)) return false;
    if (attachments->profile_byte_count > 0
        && cheif_failed(
            heif.heif_image_set_raw_color_profile(
                image, "prof", attachments->profile, attachments->profile_byte_count),
            answer))
        return false;
    if (cheif_failed(heif.heif_image_set_nclx_color_profile(image, codes), answer)) return false;
    options->output_nclx_profile = codes;
    // The matrix must be told beside a profile.
    options->save_two_colr_boxes_when_ICC_and_nclx_available = 1;
    if (cheif_failed(heif.heif_context_encode_image(context, image, encoder, options, &handle), answer))
        return false;
    if (!add_metadata(context, handle, attachments, answer)) return false;
    struct heif_writer writer = { 1, store };
    return !cheif_failed(heif.heif_context_write(context, &writer, encoding), answer);
}
