#include "library.h"
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

static enum cisolation_status status_of(int error)
{
    switch (error) {
    // That of the image in memory, unlike the others, is the system's.
    case ENOMEM:
    case LIBRAW_UNSUFFICIENT_MEMORY: return CISOLATION_STATUS_OUT_OF_MEMORY;
    case LIBRAW_FILE_UNSUPPORTED:
    case LIBRAW_NOT_IMPLEMENTED:
    case LIBRAW_TOO_BIG: return CISOLATION_STATUS_UNSUPPORTED;
    case LIBRAW_IO_ERROR: return CISOLATION_STATUS_TRUNCATED;
    default: return CISOLATION_STATUS_CORRUPT;
    }
}

static bool fail(struct cisolation_answer *answer, int error)
{
    return cisolation_fail(answer, status_of(error), "%s", raw.libraw_strerror(error));
}

// NULL on failure. The process ends soon, so nothing is closed.
static libraw_data *open_file(const struct cisolation_file *file, struct cisolation_answer *answer)
{
    libraw_data *photo = raw.libraw_init(LIBRAW_QUIET);
    if (photo == NULL) {
        answer->status = CISOLATION_STATUS_OUT_OF_MEMORY;
        return NULL;
    }
    const int error = raw.libraw_open_buffer(photo, file->bytes, file->byte_count);
    return error == 0 || fail(answer, error) ? photo : NULL;
}

static bool read_head(const struct cisolation_file *file, struct cisolation_head *head)
{
    libraw_data *photo = open_file(file, &head->answer);
    if (photo == NULL) return false;
    const int error = raw.libraw_adjust_sizes_info_only(photo);
    if (error != 0) return fail(&head->answer, error);
    head->width = raw.libraw_get_iwidth(photo);
    head->height = raw.libraw_get_iheight(photo);
    head->channels = 3;
    head->is_16_bit = true;
    return head->width > 0 && head->height > 0;
}

static void note_damage(void *context, const char *file, const int offset)
{
    (void)file, (void)offset;
    *(bool *)context = true;
}

// Photos are the tool's threads' work, and LibRaw would have buffers for each processor.
static void use_one_thread(void)
{
    void *openmp = dlopen("libgomp.so.1", RTLD_NOW | RTLD_NOLOAD);
    void (*set_thread_count)(int) = NULL;
    if (openmp != NULL) *(void **)&set_thread_count = dlsym(openmp, "omp_set_num_threads");
    if (set_thread_count != NULL) set_thread_count(1);
}

// As dcraw does it: the camera's white balance, sRGB with its curve, and the brightness at which one pixel of a hundred is white.
static void set_parameters(libraw_data *photo)
{
    raw.libraw_set_output_color(photo, 1);
    raw.libraw_set_output_bps(photo, 16);
    raw.libraw_set_gamma(photo, 0, 1 / 2.4f);
    raw.libraw_set_gamma(photo, 1, 12.92f);
    // A camera that tells none has that of daylight.
    if (!(raw.libraw_get_cam_mul(photo, 0) > 0)) return;
    for (int index = 0; index < 4; index++)
        raw.libraw_set_user_mul(photo, index, raw.libraw_get_cam_mul(photo, index));
}

static bool read_pixels(const struct cisolation_decoding *decoding)
{
    struct cisolation_answer *answer = decoding->answer;
    use_one_thread();
    libraw_data *photo = open_file(&decoding->file, answer);
    if (photo == NULL) return false;
    bool is_damaged = false;
    raw.libraw_set_dataerror_handler(photo, note_damage, &is_damaged);
    set_parameters(photo);
    int error = raw.libraw_unpack(photo);
    if (error == 0 && is_damaged && !decoding->tolerates_damage)
        return cisolation_fail(answer, CISOLATION_STATUS_CORRUPT, "the sensor's values are damaged");
    if (error == 0) error = raw.libraw_dcraw_process(photo);
    if (error != 0) return fail(answer, error);
    const struct libraw_image *image = raw.libraw_dcraw_make_mem_image(photo, &error);
    if (image == NULL) return fail(answer, error);
    const struct cisolation_head *head = decoding->head;
    const size_t samples = (size_t)head->width * image->colors;
    if (image->kind != LIBRAW_IMAGE_BITMAP || image->width != head->width || image->height != head->height
        || image->bits != 16 || (image->colors != 3 && image->colors != 1)
        || image->byte_count < samples * sizeof(uint16_t) * (size_t)head->height)
        return cisolation_fail(
            answer, CISOLATION_STATUS_UNSUPPORTED, "an image of another form than it says");
    for (int y = 0; y < head->height; y++) {
        const uint8_t *from = image->bytes + (size_t)y * samples * sizeof(uint16_t);
        uint16_t *to = (uint16_t *)(void *)(decoding->rows + (size_t)y * decoding->bytes_per_row);
        if (image->colors == 3) {
            memcpy(to, from, samples * sizeof *to);
            continue;
        }
        for (int x = 0; x < head->width; x++)
            for (int channel = 0; channel < 3; channel++)
                memcpy(&to[3 * x + channel], from + (size_t)x * sizeof *to, sizeof *to);
    }
    return true;
}

static bool is_valid(const struct cisolation_head *head)
{
    return head->channels == 3 && head->is_16_bit && head->item_count == 0;
}

const struct cisolation_codec *craw_codec(void)
{
    static const struct cisolation_codec codec = {
        .library = "LibRaw",
        .load = craw_load,
        .head_byte_count = sizeof(struct cisolation_head),
        .read_head = read_head,
        .is_valid = is_valid,
        .read_pixels = read_pixels,
    };
    return &codec;
}
