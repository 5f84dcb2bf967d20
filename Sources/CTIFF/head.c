#include "library.h"
#include <stdio.h>
#include <string.h>

// The channels that the file's samples are, one to one; 0 if libtiff must convert them.
static int direct_channels(const struct ctiff_form *form)
{
    if ((form->bits != 8 && form->bits != 16) || form->kind != SAMPLEFORMAT_UINT) return 0;
    int colours;
    switch (form->photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK: colours = 1; break;
    case PHOTOMETRIC_RGB: colours = 3; break;
    case PHOTOMETRIC_SEPARATED: return form->samples >= 4 ? 4 : 0;
    default: return 0;
    }
    if (form->samples < colours) return 0;
    return colours + (form->has_alpha && form->samples > colours ? 1 : 0);
}

static bool is_grey(const struct ctiff_form *form)
{
    return form->photometric == PHOTOMETRIC_MINISWHITE || form->photometric == PHOTOMETRIC_MINISBLACK;
}

// Why an image is not decoded; NULL if it may be. `reason` has 1024 bytes.
static const char *obstacle(TIFF *file, const struct ctiff_form *form, char *reason)
{
    if (form->width == 0 || form->height == 0 || form->width > INT32_MAX || form->height > INT32_MAX)
        return "a size of nothing, or beyond all limits";
    if (form->kind == SAMPLEFORMAT_INT) return "samples with a sign";
    if (form->photometric == PHOTOMETRIC_SEPARATED && form->inks != INKSET_CMYK)
        return "inks other than CMYK";
    if (direct_channels(form) > 0) return NULL;
    return tiff.TIFFRGBAImageOK(file, reason) ? NULL : reason;
}

static bool add_item(struct ctiff_head *head, enum ctiff_metadata kind, const void *bytes, size_t byte_count)
{
    const size_t used = head->item_count == 0
        ? 0
        : head->items[head->item_count - 1].offset + head->items[head->item_count - 1].byte_count;
    if (byte_count == 0) return true;
    if (byte_count > head->most_metadata - used) {
        head->answer.status = CISOLATION_STATUS_TOO_MUCH_METADATA;
        return false;
    }
    head->items[head->item_count++] = (struct ctiff_item) { kind, used, byte_count };
    memcpy(head->bytes + used, bytes, byte_count);
    return true;
}

static bool read_items(TIFF *file, struct ctiff_head *head)
{
    static const struct {
        uint32_t tag;
        enum ctiff_metadata kind;
    } items[CTIFF_MOST_ITEMS] = { { TIFFTAG_ICCPROFILE, CTIFF_METADATA_PROFILE },
                                  { TIFFTAG_XMLPACKET, CTIFF_METADATA_XMP } };
    for (int index = 0; index < CTIFF_MOST_ITEMS; index++) {
        uint32_t count = 0;
        const void *bytes = NULL;
        if (tiff.TIFFGetField(file, items[index].tag, &count, &bytes)
            && !add_item(head, items[index].kind, bytes, count))
            return false;
    }
    return true;
}

struct head_call {
    struct ctiff_file file;
    struct ctiff_head *head;
};

static void read_head(void *context)
{
    struct head_call *call = context;
    struct ctiff_head *head = call->head;
    cisolation_begin(head->most_metadata + call->file.byte_count, cisolation_milliseconds(0));
    TIFF *file = ctiff_open(&call->file, &head->answer);
    if (file == NULL) return;
    const struct ctiff_form form = ctiff_form_of(file);
    char reason[1024];
    const char *cause = obstacle(file, &form, reason);
    if (cause != NULL) {
        head->answer.status = CISOLATION_STATUS_UNSUPPORTED;
        snprintf(head->answer.message, sizeof head->answer.message, "%.150s", cause);
        return;
    }
    const int channels = direct_channels(&form);
    const bool is_converted = channels == 0,
               has_inks = !is_converted && form.photometric == PHOTOMETRIC_SEPARATED;
    head->image = (struct ctiff_image) {
        .width = (int)form.width,
        .height = (int)form.height,
        .channels = !is_converted ? channels
            : form.has_alpha      ? 4
            : is_grey(&form)      ? 1
                                  : 3,
        .is_16_bit = !is_converted && form.bits == 16 && !has_inks,
        .has_inks = has_inks,
        .is_converted = is_converted,
    };
    const tmsize_t block = tiff.TIFFIsTiled(file) ? tiff.TIFFTileSize(file) : tiff.TIFFStripSize(file);
    if (block <= 0) return;
    head->block_byte_count = (size_t)block;
    head->orientation = form.orientation;
    uint16_t unit = 0;
    tiff.TIFFGetField(file, TIFFTAG_XRESOLUTION, &head->x_density);
    tiff.TIFFGetField(file, TIFFTAG_YRESOLUTION, &head->y_density);
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_RESOLUTIONUNIT, &unit);
    head->density_unit = unit;
    if (!read_items(file, head)) return;
    head->page_count = (int)tiff.TIFFNumberOfDirectories(file);
    head->answer.status = CISOLATION_STATUS_OK;
}

static bool is_valid(const struct ctiff_head *head)
{
    const struct ctiff_image *image = &head->image;
    if (image->width < 1 || image->height < 1 || image->channels < 1 || image->channels > 4) return false;
    if (image->has_inks && (image->channels != 4 || image->is_16_bit || image->is_converted)) return false;
    if (head->item_count < 0 || head->item_count > CTIFF_MOST_ITEMS) return false;
    for (int index = 0; index < head->item_count; index++) {
        const struct ctiff_item *item = &head->items[index];
        if (item->offset > head->most_metadata || item->byte_count > head->most_metadata - item->offset)
            return false;
    }
    return true;
}

struct ctiff_head *ctiff_head_read(
    const uint8_t *file, size_t byte_count, size_t most_metadata, enum cisolation_status *status)
{
    *status = ctiff_has_library() ? CISOLATION_STATUS_OUT_OF_MEMORY : CISOLATION_STATUS_NO_LIBRARY;
    const size_t shared_byte_count = sizeof(struct ctiff_head) + most_metadata;
    struct ctiff_head *head =
        *status == CISOLATION_STATUS_NO_LIBRARY ? NULL : cisolation_create(shared_byte_count);
    if (head == NULL) return NULL;
    head->most_metadata = most_metadata;
    struct head_call context = { { file, byte_count, 0 }, head };
    cisolation_call(
        LIBRARY, read_head, &context, cisolation_milliseconds(0), &head->answer, shared_byte_count);
    // A crash may have left anything there.
    head->most_metadata = most_metadata;
    if (head->answer.status == CISOLATION_STATUS_OK && !is_valid(head))
        head->answer.status = CISOLATION_STATUS_CORRUPT;
    *status = head->answer.status;
    return head;
}

void ctiff_head_destroy(struct ctiff_head *head)
{
    cisolation_destroy(head, sizeof *head + head->most_metadata);
}
