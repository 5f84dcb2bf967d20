#include "library.h"
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

static bool read_items(TIFF *file, struct cisolation_head *head)
{
    static const struct {
        uint32_t tag;
        enum cisolation_metadata kind;
    } items[] = { { TIFFTAG_ICCPROFILE, CISOLATION_METADATA_PROFILE },
                  { TIFFTAG_XMLPACKET, CISOLATION_METADATA_XMP } };
    for (size_t index = 0; index < sizeof items / sizeof *items; index++) {
        uint32_t count = 0;
        const void *bytes = NULL;
        if (!tiff.TIFFGetField(file, items[index].tag, &count, &bytes) || count == 0) continue;
        uint8_t *target = cisolation_head_add(head, items[index].kind, count);
        if (target == NULL) return false;
        memcpy(target, bytes, count);
    }
    return true;
}

static bool read_head(const struct cisolation_file *bytes, struct cisolation_head *base)
{
    struct ctiff_head *head = (struct ctiff_head *)base;
    struct ctiff_file source = { *bytes, 0 };
    TIFF *file = ctiff_open(&source, &base->answer);
    if (file == NULL) return false;
    const struct ctiff_form form = ctiff_form_of(file);
    char reason[1024];
    const char *cause = obstacle(file, &form, reason);
    if (cause != NULL) return cisolation_fail(&base->answer, CISOLATION_STATUS_UNSUPPORTED, "%.150s", cause);
    const int channels = direct_channels(&form);
    head->is_converted = channels == 0;
    head->has_inks = !head->is_converted && form.photometric == PHOTOMETRIC_SEPARATED;
    base->width = (int)form.width;
    base->height = (int)form.height;
    base->channels = !head->is_converted ? channels : form.has_alpha ? 4 : is_grey(&form) ? 1 : 3;
    base->is_16_bit = !head->is_converted && form.bits == 16 && !head->has_inks;
    const tmsize_t block = tiff.TIFFIsTiled(file) ? tiff.TIFFTileSize(file) : tiff.TIFFStripSize(file);
    if (block <= 0) return false;
    head->block_byte_count = (size_t)block;
    head->orientation = form.orientation;
    uint16_t unit = 0;
    tiff.TIFFGetField(file, TIFFTAG_XRESOLUTION, &head->x_density);
    tiff.TIFFGetField(file, TIFFTAG_YRESOLUTION, &head->y_density);
    tiff.TIFFGetFieldDefaulted(file, TIFFTAG_RESOLUTIONUNIT, &unit);
    head->density_unit = unit;
    if (!read_items(file, base)) return false;
    head->page_count = (int)tiff.TIFFNumberOfDirectories(file);
    return true;
}

static bool is_valid(const struct cisolation_head *base)
{
    const struct ctiff_head *head = (const struct ctiff_head *)base;
    if (!cisolation_is_bool(&head->has_inks) || !cisolation_is_bool(&head->is_converted)) return false;
    return !head->has_inks || (base->channels == 4 && !base->is_16_bit && !head->is_converted);
}

const struct cisolation_codec *ctiff_codec(void)
{
    static const struct cisolation_codec codec = {
        .library = "libtiff",
        .load = ctiff_load,
        .head_byte_count = sizeof(struct ctiff_head),
        .read_head = read_head,
        .is_valid = is_valid,
        .read_pixels = ctiff_read_pixels,
    };
    return &codec;
}
