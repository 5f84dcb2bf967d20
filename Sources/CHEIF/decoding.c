#define _GNU_SOURCE // strcasestr
#include "library.h"
#include <stdio.h>
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

// The process ends soon, so nothing is freed.
static bool open_image(
    const uint8_t *file, size_t byte_count, struct image *image, struct cisolation_answer *answer)
{
    *image = (struct image) { .context = heif.heif_context_alloc() };
    if (image->context == NULL) {
        answer->status = CISOLATION_STATUS_OUT_OF_MEMORY;
        return false;
    }
    // Photos are the tool's threads' work.
    heif.heif_context_set_max_decoding_threads(image->context, 0);
    if (cheif_failed(
            heif.heif_context_read_from_memory_without_copy(image->context, file, byte_count, NULL), answer))
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
    answer->status = CISOLATION_STATUS_UNSUPPORTED;
    snprintf(
        answer->message, sizeof answer->message, "%d x %d pixels of %d bits", image->width, image->height,
        bits);
    return false;
}

// MARK: The head

enum { MOST_AUXILIARY_IMAGES = 16 };

struct head_call {
    const uint8_t *file;
    size_t byte_count;
    struct cheif_head *head;
};

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

// Space for another item, behind those that the head has; NULL if there is none.
static uint8_t *add_item(struct cheif_head *head, enum cheif_metadata kind, size_t byte_count)
{
    const struct cheif_item *last = head->item_count > 0 ? &head->items[head->item_count - 1] : NULL;
    const size_t offset = last == NULL ? 0 : last->offset + last->byte_count;
    if (head->item_count == CHEIF_MOST_ITEMS || byte_count > head->most_metadata - offset) {
        head->answer.status = CISOLATION_STATUS_TOO_MUCH_METADATA;
        return NULL;
    }
    head->items[head->item_count++] = (struct cheif_item) { kind, offset, byte_count };
    return head->bytes + offset;
}

static bool read_profile(const struct image *image, struct cheif_head *head)
{
    const size_t byte_count = heif.heif_image_handle_get_raw_color_profile_size(image->handle);
    if (byte_count == 0) return true;
    uint8_t *bytes = add_item(head, CHEIF_METADATA_PROFILE, byte_count);
    return bytes != NULL
        && !cheif_failed(heif.heif_image_handle_get_raw_color_profile(image->handle, bytes), &head->answer);
}

static bool read_metadata(const struct image *image, struct cheif_head *head)
{
    heif_item_id items[CHEIF_MOST_ITEMS];
    const int count =
        heif.heif_image_handle_get_list_of_metadata_block_IDs(image->handle, NULL, items, CHEIF_MOST_ITEMS);
    for (int index = 0; index < count; index++) {
        const char *type = heif.heif_image_handle_get_metadata_type(image->handle, items[index]);
        const char *content = heif.heif_image_handle_get_metadata_content_type(image->handle, items[index]);
        const bool is_exif = type != NULL && strcmp(type, "Exif") == 0;
        if (!is_exif && (content == NULL || strcmp(content, "application/rdf+xml") != 0)) continue;
        uint8_t *bytes = add_item(
            head, is_exif ? CHEIF_METADATA_EXIF : CHEIF_METADATA_XMP,
            heif.heif_image_handle_get_metadata_size(image->handle, items[index]));
        if (bytes == NULL) return false;
        if (cheif_failed(
                heif.heif_image_handle_get_metadata(image->handle, items[index], bytes), &head->answer))
            return false;
    }
    return true;
}

static void read_head(void *context)
{
    const struct head_call *call = context;
    struct cheif_head *head = call->head;
    struct image image;
    cisolation_begin(head->most_metadata + call->byte_count, cisolation_milliseconds(0));
    if (!open_image(call->file, call->byte_count, &image, &head->answer)) return;
    head->width = image.width;
    head->height = image.height;
    head->bit_depth = image.bit_depth;
    head->has_alpha = image.has_alpha;
    read_codes(&image, head);
    look_for_further(&image, head);
    if (read_profile(&image, head) && read_metadata(&image, head)) head->answer.status = CISOLATION_STATUS_OK;
}

static bool is_valid(const struct cheif_head *head)
{
    if (head->answer.status == CISOLATION_STATUS_OK
        && (head->width < 1 || head->height < 1 || head->bit_depth < 8 || head->bit_depth > 16))
        return false;
    if (head->item_count < 0 || head->item_count > CHEIF_MOST_ITEMS) return false;
    for (int index = 0; index < head->item_count; index++) {
        const struct cheif_item *item = &head->items[index];
        if (item->offset > head->most_metadata || item->byte_count > head->most_metadata - item->offset)
            return false;
    }
    return true;
}

struct cheif_head *cheif_head_read(
    const uint8_t *file, size_t byte_count, size_t most_metadata, enum cisolation_status *status)
{
    *status = cheif_has_library() ? CISOLATION_STATUS_OUT_OF_MEMORY : CISOLATION_STATUS_NO_LIBRARY;
    struct cheif_head *head =
        *status == CISOLATION_STATUS_NO_LIBRARY ? NULL : cisolation_create(sizeof *head + most_metadata);
    if (head == NULL) return NULL;
    head->most_metadata = most_metadata;
    struct head_call context = { file, byte_count, head };
    cisolation_call(
        LIBRARY, read_head, &context, cisolation_milliseconds(0), &head->answer,
        sizeof *head + most_metadata);
    // A crash may have left anything there.
    head->most_metadata = most_metadata;
    if (!is_valid(head)) head->answer.status = CISOLATION_STATUS_CORRUPT;
    *status = head->answer.status;
    return head;
}

void cheif_head_destroy(struct cheif_head *head)
{
    cisolation_destroy(head, sizeof *head + head->most_metadata);
}

// MARK: Pixels

static uint32_t without_alpha(uint32_t value, uint32_t alpha, uint32_t most)
{
    if (alpha == 0) return 0;
    const uint32_t plain = (value * most + alpha / 2) / alpha;
    return plain < most ? plain : most;
}

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
    if (!image->is_premultiplied || !image->has_alpha) return;
    for (size_t index = 0; index < count; index++) {
        const size_t alpha = index | 3;
        if (index == alpha) continue;
        if (bits == 8) target[index] = (uint8_t)without_alpha(target[index], target[alpha], 0xFF);
        else wide[index] = (uint16_t)without_alpha(wide[index], wide[alpha], 0xFFFF);
    }
}

struct pixels_call {
    const uint8_t *file;
    size_t byte_count;
    bool tolerates_damage;
    size_t most_memory;
    int milliseconds;
    struct cheif_pixels *pixels;
};

static void read_pixels(void *context)
{
    const struct pixels_call *call = context;
    struct cheif_pixels *pixels = call->pixels;
    struct image image;
    cisolation_begin(call->most_memory, call->milliseconds);
    const size_t before = cisolation_memory("VmRSS:");
    if (!open_image(call->file, call->byte_count, &image, &pixels->answer)) return;
    struct heif_decoding_options *options = heif.heif_decoding_options_alloc();
    if (options == NULL) {
        pixels->answer.status = CISOLATION_STATUS_OUT_OF_MEMORY;
        return;
    }
    options->strict_decoding = !call->tolerates_damage;
    const enum heif_chroma chroma = image.bit_depth == 8
        ? (image.has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB)
        : (image.has_alpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE);
    struct heif_image *decoded = NULL;
    if (cheif_failed(
            heif.heif_decode_image(image.handle, &decoded, heif_colorspace_RGB, chroma, options),
            &pixels->answer))
        return;
    const enum heif_channel channel = heif_channel_interleaved;
    int stride = 0;
    const uint8_t *plane = heif.heif_image_get_plane_readonly(decoded, channel, &stride);
    if (plane == NULL || heif.heif_image_get_width(decoded, channel) != pixels->width
        || heif.heif_image_get_height(decoded, channel) != pixels->height || image.width != pixels->width
        || heif.heif_image_get_bits_per_pixel_range(decoded, channel) != image.bit_depth
        || pixels->bytes_per_row
            != (size_t)image.width * (image.has_alpha ? 4 : 3) * (image.bit_depth > 8 ? 2 : 1)) {
        pixels->answer.status = CISOLATION_STATUS_CORRUPT;
        snprintf(pixels->answer.message, sizeof pixels->answer.message, "the image is not as the file says");
        return;
    }
    for (int y = 0; y < pixels->height; y++)
        store_row(
            &image, plane + (size_t)y * (size_t)stride, pixels->bytes + (size_t)y * pixels->bytes_per_row);
    pixels->taken_bytes = cisolation_memory("VmHWM:") - before;
    pixels->answer.status = CISOLATION_STATUS_OK;
}

struct cheif_pixels *cheif_pixels_read(
    const uint8_t *file, size_t byte_count, const struct cheif_head *head, bool tolerates_damage,
    size_t most_memory)
{
    const size_t bytes_per_row =
        (size_t)head->width * (head->has_alpha ? 4 : 3) * (head->bit_depth > 8 ? 2 : 1);
    const size_t shared_byte_count = sizeof(struct cheif_pixels) + bytes_per_row * (size_t)head->height;
    struct cheif_pixels *pixels = cisolation_create(shared_byte_count);
    if (pixels == NULL) return NULL;
    struct pixels_call context = { file,
                                   byte_count,
                                   tolerates_damage,
                                   most_memory,
                                   cisolation_milliseconds((double)head->width * head->height),
                                   pixels };
    const struct cheif_pixels size = { .width = head->width,
                                       .height = head->height,
                                       .bytes_per_row = bytes_per_row };
    *pixels = size;
    cisolation_call(LIBRARY, read_pixels, &context, context.milliseconds, &pixels->answer, shared_byte_count);
    // A crash may have left anything there.
    pixels->width = size.width;
    pixels->height = size.height;
    pixels->bytes_per_row = size.bytes_per_row;
    return pixels;
}

void cheif_pixels_destroy(struct cheif_pixels *pixels)
{
    cisolation_destroy(pixels, sizeof *pixels + pixels->bytes_per_row * (size_t)pixels->height);
}
