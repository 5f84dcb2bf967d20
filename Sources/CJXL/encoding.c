#include "library.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// libjxl's own scale: 1 is the fastest. Without loss, 12 megapixels of a photo take 1.6 s at 3, and 27 s at 4, for 7 % less; those
// of graphics take a few seconds at 7, for a quarter of the size.
enum { LOSSY_EFFORT = 7, LOSSLESS_EFFORT = 3, GRAPHICS_EFFORT = 7 };

bool cjxl_encoder_fail(JxlEncoder *encoder, struct cisolation_answer *answer, const char *step)
{
    const JxlEncoderError error = jxl.JxlEncoderGetError(encoder);
    return cisolation_fail(
        answer, error == JXL_ENC_ERR_OOM ? CISOLATION_STATUS_OUT_OF_MEMORY : CISOLATION_STATUS_UNSUPPORTED,
        "error %d when %s", (int)error, step);
}

JxlEncoder *cjxl_encoder(struct cisolation_answer *answer)
{
    JxlEncoder *encoder = jxl.JxlEncoderCreate(NULL);
    // The bytes are the same for any number of threads.
    void *threads = jxl.JxlThreadParallelRunnerCreate(NULL, (size_t)sysconf(_SC_NPROCESSORS_ONLN));
    if (encoder == NULL || threads == NULL) {
        answer->status = CISOLATION_STATUS_OUT_OF_MEMORY;
        return NULL;
    }
    if (jxl.JxlEncoderSetParallelRunner(encoder, jxl.JxlThreadParallelRunner, threads) == JXL_ENC_SUCCESS)
        return encoder;
    cjxl_encoder_fail(encoder, answer, "starting threads");
    return NULL;
}

size_t cjxl_encoder_finish(
    JxlEncoder *encoder, uint8_t *file, size_t capacity, struct cisolation_answer *answer)
{
    jxl.JxlEncoderCloseInput(encoder);
    uint8_t *next = file;
    size_t left = capacity;
    if (jxl.JxlEncoderProcessOutput(encoder, &next, &left) == JXL_ENC_SUCCESS) return capacity - left;
    cjxl_encoder_fail(encoder, answer, "encoding");
    return 0;
}

// As cjxl's. 90 is a distance of 1, at which the difference can just be seen.
static float distance(int quality)
{
    const double lost = 100 - quality;
    return quality >= 30 ? (float)(0.1 + lost * 0.09)
                         : (float)(53.0 / 3000 * quality * quality - 23.0 / 20 * quality + 25);
}

static bool set_colour(JxlEncoder *encoder, const struct cisolation_encoding *encoding)
{
    const struct cisolation_picture *picture = encoding->picture;
    const struct cisolation_attachments *attachments = encoding->attachments;
    if (attachments->profile_byte_count > 0)
        return jxl.JxlEncoderSetICCProfile(encoder, attachments->profile, attachments->profile_byte_count)
            == JXL_ENC_SUCCESS;
    JxlColorEncoding colour;
    jxl.JxlColorEncodingSetToSRGB(&colour, picture->channels < 3);
    colour.primaries =
        picture->primaries == CODE_OF_DISPLAY_P3 ? JXL_PRIMARIES_P3 : (JxlPrimaries)picture->primaries;
    colour.transfer_function = (JxlTransferFunction)picture->curve;
    return jxl.JxlEncoderSetColorEncoding(encoder, &colour) == JXL_ENC_SUCCESS;
}

static bool set_info(JxlEncoder *encoder, const struct cisolation_picture *picture)
{
    JxlBasicInfo info;
    jxl.JxlEncoderInitBasicInfo(&info);
    info.xsize = (uint32_t)picture->width;
    info.ysize = (uint32_t)picture->height;
    info.bits_per_sample = picture->is_16_bit ? 16 : 8;
    info.num_color_channels = picture->channels < 3 ? 1 : 3;
    info.num_extra_channels = picture->channels % 2 == 0;
    info.alpha_bits = info.num_extra_channels > 0 ? info.bits_per_sample : 0;
    info.orientation = (JxlOrientation)picture->orientation;
    info.uses_original_profile = picture->quality < 0;
    if (jxl.JxlEncoderSetBasicInfo(encoder, &info) != JXL_ENC_SUCCESS) return false;
    // More than 12 bits without loss are beyond level 5.
    const int level = jxl.JxlEncoderGetRequiredCodestreamLevel(encoder);
    return level <= 5 || jxl.JxlEncoderSetCodestreamLevel(encoder, level) == JXL_ENC_SUCCESS;
}

static bool add_box(JxlEncoder *encoder, const char *type, const uint8_t *bytes, size_t byte_count)
{
    return byte_count == 0
        || jxl.JxlEncoderAddBox(encoder, type, bytes, byte_count, JXL_FALSE) == JXL_ENC_SUCCESS;
}

static bool add_metadata(JxlEncoder *encoder, const struct cisolation_attachments *attachments)
{
    const size_t exif_count = attachments->exif_byte_count, offset_count = 4;
    if (exif_count == 0 && attachments->xmp_byte_count == 0) return true;
    if (jxl.JxlEncoderUseBoxes(encoder) != JXL_ENC_SUCCESS) return false;
    if (exif_count > 0) {
        // The number of bytes before the TIFF stream comes first.
        uint8_t *box = calloc(offset_count + exif_count, 1);
        if (box == NULL) return false;
        memcpy(box + offset_count, attachments->exif, exif_count);
        if (!add_box(encoder, "Exif", box, offset_count + exif_count)) return false;
    }
    return add_box(encoder, "xml ", attachments->xmp, attachments->xmp_byte_count);
}

// In graphics, most pixels are as the one before.
static bool is_graphics(const struct cisolation_encoding *encoding)
{
    const struct cisolation_picture *picture = encoding->picture;
    const size_t pixel = encoding->bytes_per_row / (size_t)picture->width;
    size_t repeated = 0;
    for (int y = 0; y < picture->height; y++) {
        const uint8_t *row = encoding->rows + (size_t)y * encoding->bytes_per_row;
        for (size_t x = pixel; x < encoding->bytes_per_row; x += pixel)
            repeated += memcmp(row + x, row + x - pixel, pixel) == 0;
    }
    return repeated > (size_t)picture->width * (size_t)picture->height / 2;
}

static JxlEncoderFrameSettings *frame_settings(
    JxlEncoder *encoder, const struct cisolation_encoding *encoding)
{
    JxlEncoderFrameSettings *settings = jxl.JxlEncoderFrameSettingsCreate(encoder, NULL);
    const int quality = encoding->picture->quality;
    const int effort = quality >= 0 ? LOSSY_EFFORT
        : is_graphics(encoding)     ? GRAPHICS_EFFORT
                                    : LOSSLESS_EFFORT;
    if (settings == NULL
        || jxl.JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, effort)
            != JXL_ENC_SUCCESS)
        return NULL;
    const JxlEncoderStatus status = quality < 0 ? jxl.JxlEncoderSetFrameLossless(settings, JXL_TRUE)
                                                : jxl.JxlEncoderSetFrameDistance(settings, distance(quality));
    return status == JXL_ENC_SUCCESS ? settings : NULL;
}

bool cjxl_encode(struct cisolation_encoding *encoding)
{
    const struct cisolation_picture *picture = encoding->picture;
    struct cisolation_answer *answer = encoding->answer;
    JxlEncoder *encoder = cjxl_encoder(answer);
    if (encoder == NULL) return false;
    if (!set_info(encoder, picture)) return cjxl_encoder_fail(encoder, answer, "setting the size");
    if (!set_colour(encoder, encoding)) return cjxl_encoder_fail(encoder, answer, "setting the colours");
    if (!add_metadata(encoder, encoding->attachments))
        return cjxl_encoder_fail(encoder, answer, "adding metadata");
    JxlEncoderFrameSettings *settings = frame_settings(encoder, encoding);
    if (settings == NULL) return cjxl_encoder_fail(encoder, answer, "choosing the quality");
    const JxlPixelFormat format = { (uint32_t)picture->channels,
                                    picture->is_16_bit ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN,
                                    0 };
    const size_t byte_count = encoding->bytes_per_row * (size_t)picture->height;
    if (jxl.JxlEncoderAddImageFrame(settings, &format, encoding->rows, byte_count) != JXL_ENC_SUCCESS)
        return cjxl_encoder_fail(encoder, answer, "taking the pixels");
    encoding->file_byte_count = cjxl_encoder_finish(encoder, encoding->file, encoding->capacity, answer);
    return encoding->file_byte_count > 0;
}
