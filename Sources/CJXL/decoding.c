#include "library.h"
#include <string.h>

JxlDecoder *cjxl_decoder(const struct cisolation_file *file, int events, struct cisolation_answer *answer)
{
    JxlDecoder *decoder = jxl.JxlDecoderCreate(NULL);
    if (decoder == NULL) {
        answer->status = CISOLATION_STATUS_OUT_OF_MEMORY;
        return NULL;
    }
    if (jxl.JxlDecoderSubscribeEvents(decoder, events) == JXL_DEC_SUCCESS
        && jxl.JxlDecoderSetUnpremultiplyAlpha(decoder, JXL_TRUE) == JXL_DEC_SUCCESS
        && jxl.JxlDecoderSetInput(decoder, file->bytes, file->byte_count) == JXL_DEC_SUCCESS)
        return decoder;
    cisolation_fail(answer, CISOLATION_STATUS_UNSUPPORTED, "the decoder cannot be set up");
    return NULL;
}

// Tells the decoder, which wants more, that the file ends. What it says then is of no use if it fails.
static JxlDecoderStatus end_input(JxlDecoder *decoder, const struct cisolation_file *file)
{
    const size_t left = jxl.JxlDecoderReleaseInput(decoder);
    jxl.JxlDecoderSetInput(decoder, file->bytes + file->byte_count - left, left);
    jxl.JxlDecoderCloseInput(decoder);
    const JxlDecoderStatus status = jxl.JxlDecoderProcessInput(decoder);
    return status == JXL_DEC_SUCCESS ? status : JXL_DEC_NEED_MORE_INPUT;
}

bool cjxl_decoder_fail(JxlDecoderStatus status, struct cisolation_answer *answer)
{
    if (status == JXL_DEC_NEED_MORE_INPUT)
        return cisolation_fail(answer, CISOLATION_STATUS_TRUNCATED, "the file ends early");
    // libjxl tells no more.
    return cisolation_fail(answer, CISOLATION_STATUS_CORRUPT, "libjxl cannot decode it");
}

// MARK: The head

static bool read_info(JxlDecoder *decoder, struct cjxl_head *head)
{
    struct cisolation_head *base = &head->base;
    JxlBasicInfo info;
    if (jxl.JxlDecoderGetBasicInfo(decoder, &info) != JXL_DEC_SUCCESS)
        return cjxl_decoder_fail(JXL_DEC_ERROR, &base->answer);
    if (info.xsize < 1 || info.ysize < 1 || info.xsize > INT32_MAX || info.ysize > INT32_MAX)
        return cisolation_fail(&base->answer, CISOLATION_STATUS_UNSUPPORTED, "a size beyond all limits");
    // The decoder turns the image, and tells its size so.
    base->width = (int)info.xsize;
    base->height = (int)info.ysize;
    base->channels = (int)info.num_color_channels + (info.alpha_bits > 0 ? 1 : 0);
    base->is_16_bit = info.bits_per_sample > 8;
    head->has_original_colours = info.uses_original_profile;
    head->has_further_pictures = info.have_preview || info.have_animation;
    for (uint32_t index = 0; index < info.num_extra_channels; index++) {
        JxlExtraChannelInfo channel;
        if (jxl.JxlDecoderGetExtraChannelInfo(decoder, index, &channel) != JXL_DEC_SUCCESS) continue;
        if (channel.type == JXL_CHANNEL_BLACK)
            return cisolation_fail(&base->answer, CISOLATION_STATUS_UNSUPPORTED, "inks");
    }
    return true;
}

// Whether ITU-T H.273 has codes for the colours.
static bool store_codes(const JxlColorEncoding *colour, struct cjxl_head *head)
{
    const bool is_grey = colour->color_space == JXL_COLOR_SPACE_GRAY;
    if (!is_grey && colour->color_space != JXL_COLOR_SPACE_RGB) return false;
    if (colour->white_point != JXL_WHITE_POINT_D65) return false;
    switch (colour->transfer_function) {
    case JXL_TRANSFER_FUNCTION_709:
    case JXL_TRANSFER_FUNCTION_LINEAR:
    case JXL_TRANSFER_FUNCTION_SRGB:
    case JXL_TRANSFER_FUNCTION_PQ:
    case JXL_TRANSFER_FUNCTION_HLG: head->curve = (uint8_t)colour->transfer_function; break;
    default: return false;
    }
    if (is_grey || colour->primaries == JXL_PRIMARIES_SRGB) head->primaries = JXL_PRIMARIES_SRGB;
    else if (colour->primaries == JXL_PRIMARIES_2100) head->primaries = JXL_PRIMARIES_2100;
    else if (colour->primaries == JXL_PRIMARIES_P3) head->primaries = CODE_OF_DISPLAY_P3;
    else return false;
    head->has_codes = true;
    return true;
}

static bool read_colour(const JxlDecoder *decoder, struct cjxl_head *head)
{
    JxlColorEncoding colour;
    size_t byte_count = 0;
    if (cjxl_codes(decoder, &colour) && store_codes(&colour, head)) return true;
    // Without either, the values mean nothing in particular.
    if (!cjxl_profile_size(decoder, &byte_count) || byte_count == 0) return true;
    uint8_t *bytes = cisolation_head_add(&head->base, CISOLATION_METADATA_PROFILE, byte_count);
    if (bytes == NULL) return false;
    return cjxl_profile(decoder, bytes, byte_count) || cjxl_decoder_fail(JXL_DEC_ERROR, &head->base.answer);
}

// The box whose bytes the decoder writes behind the items.
struct box {
    bool is_open;
    enum cisolation_metadata kind;
    size_t capacity;
};

static bool end_box(JxlDecoder *decoder, struct box *box, struct cisolation_head *head)
{
    if (!box->is_open) return true;
    box->is_open = false;
    const size_t byte_count = box->capacity - jxl.JxlDecoderReleaseBoxBuffer(decoder);
    // Its bytes are there already.
    return cisolation_head_add(head, box->kind, byte_count) != NULL;
}

static bool begin_box(JxlDecoder *decoder, struct box *box, struct cjxl_head *head)
{
    struct cisolation_head *base = &head->base;
    JxlBoxType type;
    if (jxl.JxlDecoderGetBoxType(decoder, type, JXL_TRUE) != JXL_DEC_SUCCESS)
        return cjxl_decoder_fail(JXL_DEC_ERROR, &base->answer);
    head->has_jpeg = head->has_jpeg || memcmp(type, "jbrd", 4) == 0;
    head->has_gain_map = head->has_gain_map || memcmp(type, "jhgm", 4) == 0;
    const bool is_exif = memcmp(type, "Exif", 4) == 0;
    if (!is_exif && memcmp(type, "xml ", 4) != 0) return true;
    const size_t used = cisolation_head_used(base);
    *box = (struct box) { true, is_exif ? CISOLATION_METADATA_EXIF : CISOLATION_METADATA_XMP,
                          base->most_metadata - used };
    return jxl.JxlDecoderSetBoxBuffer(decoder, (uint8_t *)base + base->byte_count + used, box->capacity)
        == JXL_DEC_SUCCESS;
}

static bool read_head(const struct cisolation_file *file, struct cisolation_head *base)
{
    struct cjxl_head *head = (struct cjxl_head *)base;
    const int events = JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_BOX;
    JxlDecoder *decoder = cjxl_decoder(file, events, &base->answer);
    if (decoder == NULL) return false;
    if (jxl.JxlDecoderSetDecompressBoxes(decoder, JXL_TRUE) != JXL_DEC_SUCCESS)
        return cisolation_fail(&base->answer, CISOLATION_STATUS_UNSUPPORTED, "built without Brotli");
    struct box box = { 0 };
    for (;;) {
        JxlDecoderStatus status = jxl.JxlDecoderProcessInput(decoder);
        // Another box might follow.
        if (status == JXL_DEC_NEED_MORE_INPUT) status = end_input(decoder, file);
        switch (status) {
        case JXL_DEC_BASIC_INFO:
            if (!read_info(decoder, head)) return false;
            break;
        case JXL_DEC_COLOR_ENCODING:
            if (!read_colour(decoder, head)) return false;
            break;
        case JXL_DEC_BOX:
            if (!end_box(decoder, &box, base) || !begin_box(decoder, &box, head)) return false;
            break;
        case JXL_DEC_BOX_NEED_MORE_OUTPUT:
            base->answer.status = CISOLATION_STATUS_TOO_MUCH_METADATA;
            return false;
        case JXL_DEC_SUCCESS: head->is_whole = true; return end_box(decoder, &box, base);
        case JXL_DEC_NEED_MORE_INPUT:
            // A box that ends early is left out.
            if (base->width > 0) return true;
            return cjxl_decoder_fail(status, &base->answer);
        default: return cjxl_decoder_fail(status, &base->answer);
        }
    }
}

static bool is_valid(const struct cisolation_head *base)
{
    const struct cjxl_head *head = (const struct cjxl_head *)base;
    return cisolation_is_bool(&head->is_whole) && cisolation_is_bool(&head->has_codes)
        && cisolation_is_bool(&head->has_original_colours) && cisolation_is_bool(&head->has_jpeg)
        && cisolation_is_bool(&head->has_gain_map) && cisolation_is_bool(&head->has_further_pictures);
}

// MARK: Pixels

static bool set_target(JxlDecoder *decoder, const struct cisolation_decoding *decoding)
{
    const struct cisolation_head *head = decoding->head;
    const JxlPixelFormat format = { (uint32_t)head->channels,
                                    head->is_16_bit ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN,
                                    0 };
    const size_t byte_count = decoding->bytes_per_row * (size_t)head->height;
    size_t needed = 0;
    if (jxl.JxlDecoderImageOutBufferSize(decoder, &format, &needed) != JXL_DEC_SUCCESS
        || needed != byte_count)
        return cisolation_fail(
            decoding->answer, CISOLATION_STATUS_CORRUPT, "the image is not as the file says");
    return jxl.JxlDecoderSetImageOutBuffer(decoder, &format, decoding->rows, byte_count) == JXL_DEC_SUCCESS;
}

static bool read_pixels(const struct cisolation_decoding *decoding)
{
    JxlDecoder *decoder = cjxl_decoder(&decoding->file, JXL_DEC_FULL_IMAGE, decoding->answer);
    if (decoder == NULL) return false;
    for (;;) {
        const JxlDecoderStatus status = jxl.JxlDecoderProcessInput(decoder);
        switch (status) {
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
            if (!set_target(decoder, decoding)) return false;
            break;
        // Of several images, the first.
        case JXL_DEC_FULL_IMAGE: return true;
        case JXL_DEC_NEED_MORE_INPUT:
            if (decoding->tolerates_damage && jxl.JxlDecoderFlushImage(decoder) == JXL_DEC_SUCCESS)
                return true;
            return cjxl_decoder_fail(status, decoding->answer);
        default: return cjxl_decoder_fail(status, decoding->answer);
        }
    }
}

const struct cisolation_codec *cjxl_codec(void)
{
    static const struct cisolation_codec codec = {
        .library = "libjxl",
        .load = cjxl_load,
        .head_byte_count = sizeof(struct cjxl_head),
        .read_head = read_head,
        .is_valid = is_valid,
        .read_pixels = read_pixels,
        .encode = cjxl_encode,
        .encoding_time = 10,
    };
    return &codec;
}
