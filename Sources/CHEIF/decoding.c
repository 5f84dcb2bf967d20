#define _GNU_SOURCE // strcasestr
#include "library.h"
#include <string.h>

// MARK: Reading

struct image {
    struct heif_context *context;
    struct heif_image_handle *handle;
    int width, height, bit_depth;
    bool has_alpha, is_premultiplied;
};

static uint64_t big_endian(const uint8_t *bytes, int count)
{
    uint64_t value = 0;
    for (int index = 0; index < count; index++) value = value << 8 | bytes[index];
    return value;
}

static bool is_box(const uint8_t *type)
{
    static const char *const types[] = { "ftyp", "meta", "mdat", "free", "skip",
                                         "moov", "moof", "uuid", "wide", "udta" };
    for (size_t index = 0; index < sizeof types / sizeof *types; index++)
        if (memcmp(type, types[index], 4) == 0) return true;
    return false;
}

bool cheif_ends_within_a_box(const uint8_t *file, size_t byte_count)
{
    bool has_data = false;
    for (size_t left = byte_count; left > 0;) {
        const uint8_t *head = file + (byte_count - left);
        // What follows the data, and is no box, is not the photo's.
        if (left < 8) return !has_data;
        if (!is_box(head + 4)) return false;
        uint64_t size = big_endian(head, 4);
        if (size == 0) return false; // up to the end
        if (size == 1) size = left < 16 ? 16 : big_endian(head + 8, 8);
        if (size > left) return true;
        if (size < 8) return false; // no box
        has_data = has_data || memcmp(head + 4, "mdat", 4) == 0;
        left -= size;
    }
    return false;
}

static bool open_image(
    const struct cisolation_file *file, struct image *image, struct cisolation_answer *answer)
{
    *image = (struct image) { .context = heif.heif_context_alloc() };
    if (image->context == NULL) {
        answer->status = CISOLATION_STATUS_OUT_OF_MEMORY;
        return false;
    }
    // Photos are the tool's threads' work.
    heif.heif_context_set_max_decoding_threads(image->context, 0);
    if (cheif_failed(
            heif.heif_context_read_from_memory_without_copy(
                image->context, file->bytes, file->byte_count, NULL),
            answer))
        return false;
    if (cheif_failed(heif.heif_context_get_primary_image_handle(image->context, &image->handle), answer))
        return false;
    const int bits = heif.heif_image_handle_get_luma_bits_per_pixel(image->handle);
    image->width = heif.heif_image_handle_get_width(image->handle);
    image->height = heif.heif_image_handle_get_height(image->handle);
    image->bit_depth = bits > 8 ? bits : 8;
    image->has_alpha = heif.heif_image_handle_has_alpha_channel(image->handle);
    image->is_premultiplied = heif.heif_image_handle_is_premultiplied_alpha(image->handle);
    if (image->width >= 1 && image->height >= 1 && bits <= 16) return true;
    return cisolation_fail(
        answer, CISOLATION_STATUS_UNSUPPORTED, "%d x %d pixels of %d bits", image->width, image->height,
        bits);
}

// MARK: The head

enum { MOST_AUXILIARY_IMAGES = 16 };

static void read_codes(const struct image *image, struct cheif_head *head)
{
    struct heif_color_profile_nclx *codes = NULL;
    if (heif.heif_image_handle_get_nclx_color_profile(image->handle, &codes).code != heif_error_Ok
        || codes == NULL)
        return;
    head->has_codes = true;
    head->primaries = (uint8_t)codes->color_primaries;
    head->curve = (uint8_t)codes->transfer_characteristics;
    head->matrix = (uint8_t)codes->matrix_coefficients;
}

// Which pictures the file has beside the primary image and its alpha.
static void look_for_further(const struct image *image, struct cheif_head *head)
{
    head->has_further_pictures = heif.heif_context_get_number_of_top_level_images(image->context) > 1;
    const int filter = LIBHEIF_AUX_IMAGE_FILTER_OMIT_ALPHA;
    heif_item_id items[MOST_AUXILIARY_IMAGES];
    const int count = heif.heif_image_handle_get_list_of_auxiliary_image_IDs(
        image->handle, filter, items, MOST_AUXILIARY_IMAGES);
    for (int index = 0; index < count; index++) {
        struct heif_image_handle *auxiliary = NULL;
        const struct heif_error error =
            heif.heif_image_handle_get_auxiliary_image_handle(image->handle, items[index], &auxiliary);
        const char *type = NULL;
        if (error.code != heif_error_Ok || auxiliary == NULL) continue;
        if (heif.heif_image_handle_get_auxiliary_type(auxiliary, &type).code != heif_error_Ok || type == NULL)
            continue;
        // Apple's is urn:com:apple:photo:2020:aux:hdrgainmap.
        if (strcasestr(type, "gainmap") != NULL) head->has_gain_map = true;
        else head->has_further_pictures = true;
    }
}

static bool read_profile(const struct image *image, struct cheif_head *head)
{
    const size_t byte_count = heif.heif_image_handle_get_raw_color_profile_size(image->handle);
    if (byte_count == 0) return true;
    uint8_t *bytes = cisolation_head_add(&head->base, CISOLATION_METADATA_PROFILE, byte_count);
    return bytes != NULL
        && !cheif_failed(
               heif.heif_image_handle_get_raw_color_profile(image->handle, bytes), &head->base.answer);
}

static bool read_metadata(const struct image *image, struct cheif_head *head)
{
    heif_item_id items[CISOLATION_MOST_ITEMS];
    const int count = heif.heif_image_handle_get_list_of_metadata_block_IDs(
        image->handle, NULL, items, CISOLATION_MOST_ITEMS);
    for (int index = 0; index < count; index++) {
        const char *type = heif.heif_image_handle_get_metadata_type(image->handle, items[index]);
        const char *content = heif.heif_image_handle_get_metadata_content_type(image->handle, items[index]);
        const bool is_exif = type != NULL && strcmp(type, "Exif") == 0;
        if (!is_exif && (content == NULL || strcmp(content, "application/rdf+xml") != 0)) continue;
        uint8_t *bytes = cisolation_head_add(
            &head->base, is_exif ? CISOLATION_METADATA_EXIF : CISOLATION_METADATA_XMP,
            heif.heif_image_handle_get_metadata_size(image->handle, items[index]));
        if (bytes == NULL) return false;
        if (cheif_failed(
                heif.heif_image_handle_get_metadata(image->handle, items[index], bytes), &head->base.answer))
            return false;
    }
    return true;
}

static bool read_head(const struct cisolation_file *file, struct cisolation_head *base)
{
    struct cheif_head *head = (struct cheif_head *)base;
    struct image image;
    if (!open_image(file, &image, &base->answer)) return false;
    base->width = image.width;
    base->height = image.height;
    base->channels = image.has_alpha ? 4 : 3;
    base->is_16_bit = image.bit_depth > 8;
    head->bit_depth = image.bit_depth;
    read_codes(&image, head);
    look_for_further(&image, head);
    return read_profile(&image, head) && read_metadata(&image, head);
}

static bool is_valid(const struct cisolation_head *base)
{
    const struct cheif_head *head = (const struct cheif_head *)base;
    return cisolation_is_bool(&head->has_codes) && cisolation_is_bool(&head->has_gain_map)
        && cisolation_is_bool(&head->has_further_pictures) && base->channels >= 3 && head->bit_depth >= 8
        && head->bit_depth <= 16;
}

// MARK: Pixels

static void store_row(const struct image *image, const uint8_t *source, uint8_t *target)
{
    const size_t channels = image->has_alpha ? 4 : 3, count = channels * (size_t)image->width;
    const int bits = image->bit_depth;
    if (bits == 8) memcpy(target, source, count);
    uint16_t *wide = (uint16_t *)target;
    for (size_t index = 0; bits > 8 && index < count; index++) {
        const uint32_t value = source[2 * index] | (uint32_t)source[2 * index + 1] << 8;
        // So that the largest value is 65535.
        wide[index] = (uint16_t)(value << (16 - bits) | value >> (2 * bits - 16));
    }
}

static bool read_pixels(const struct cisolation_decoding *decoding)
{
    const struct cisolation_head *head = decoding->head;
    struct image image;
    if (!open_image(&decoding->file, &image, decoding->answer)) return false;
    struct heif_decoding_options *options = heif.heif_decoding_options_alloc();
    if (options == NULL) {
        decoding->answer->status = CISOLATION_STATUS_OUT_OF_MEMORY;
        return false;
    }
    options->strict_decoding = !decoding->tolerates_damage;
    const enum heif_chroma chroma = image.bit_depth == 8
        ? (image.has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB)
        : (image.has_alpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE);
    struct heif_image *decoded = NULL;
    if (cheif_failed(
            heif.heif_decode_image(image.handle, &decoded, heif_colorspace_RGB, chroma, options),
            decoding->answer))
        return false;
    const enum heif_channel channel = heif_channel_interleaved;
    int stride = 0;
    const uint8_t *plane = heif.heif_image_get_plane_readonly(decoded, channel, &stride);
    if (plane == NULL || heif.heif_image_get_width(decoded, channel) != head->width
        || heif.heif_image_get_height(decoded, channel) != head->height || image.width != head->width
        || image.has_alpha != (head->channels == 4)
        || heif.heif_image_get_bits_per_pixel_range(decoded, channel) != image.bit_depth
        || (image.bit_depth > 8) != head->is_16_bit)
        return cisolation_fail(
            decoding->answer, CISOLATION_STATUS_CORRUPT, "the image is not as the file says");
    for (int y = 0; y < head->height; y++) {
        uint8_t *row = decoding->rows + (size_t)y * decoding->bytes_per_row;
        store_row(&image, plane + (size_t)y * (size_t)stride, row);
        if (image.is_premultiplied && image.has_alpha) cisolation_divide_alpha_out(row, head);
    }
    return true;
}

const struct cisolation_codec *cheif_codec(void)
{
    static const struct cisolation_codec codec = {
        .library = "libheif",
        .load = cheif_load,
        .head_byte_count = sizeof(struct cheif_head),
        .read_head = read_head,
        .is_valid = is_valid,
        .read_pixels = read_pixels,
        .encode = cheif_encode,
        .encoding_time = 10,
    };
    return &codec;
}
