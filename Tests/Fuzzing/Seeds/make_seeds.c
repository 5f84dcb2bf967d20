// Makes the fuzzer's first inputs with libjpeg: make_seeds FOLDER PHOTO.jpg...
//
// They are photos of all samplings, sizes, qualities, tables and restart intervals, and the given ones.
#include "../input.h"
#include "../Mutations/random.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>

enum { SEED_COUNT = 270 };

typedef enum tables {
    TABLES_STANDARD,
    TABLES_OPTIMISED,
    TABLES_LONGEST, // all codes but two have 16 bits
    TABLES_LARGEST, // so too, and the short ones are of the largest values: damage then gives many of those
    TABLES_COUNT
} tables;

typedef struct seed {
    int horizontal, vertical; // factors of luma; 0 for grey
    int width, height;
    int noise; // 255 is noise alone
    int quality;
    unsigned int restart_interval;
    tables tables;
    bool has_scans; // one for each component
} seed;

static void write_seed(
    const char *folder, int number, const uint8_t *bytes, size_t count, fuzz_random *random)
{
    char path[4096];
    uint8_t settings[FUZZ_SETTINGS_SIZE];
    for (int n = 0; n < FUZZ_SETTINGS_SIZE; n++) settings[n] = (uint8_t)fuzz_next(random);
    snprintf(path, sizeof path, "%s/%03d", folder, number);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, count, file) != count
        || fwrite(settings, 1, sizeof settings, file) != sizeof settings || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

static seed make_seed(int number, fuzz_random *random)
{
    static const int factors[][2] = { { 0, 0 }, { 1, 1 }, { 2, 1 }, { 1, 2 }, { 2, 2 },
                                      { 4, 1 }, { 1, 4 }, { 4, 2 }, { 2, 4 } };
    static const int sizes[][2] = {
        { 1, 1 },  { 7, 9 },   { 8, 8 },    { 17, 5 },   { 33, 31 }, { 64, 64 },
        { 65, 3 }, { 3, 130 }, { 259, 20 }, { 16, 200 }, { 96, 96 }, { 130, 120 }
    };
    static const int noises[] = { 0, 6, 60, 255 }, qualities[] = { 1, 20, 75, 92, 100 };
    static const unsigned int intervals[] = { 0, 0, 1, 2, 5, 13 };
    const int *factor = factors[number % (int)(sizeof factors / sizeof *factors)];
    const int *size = sizes[fuzz_below(random, sizeof sizes / sizeof *sizes)];
    return (seed) {
        .horizontal = factor[0],
        .vertical = factor[1],
        .width = size[0],
        .height = size[1],
        .noise = noises[fuzz_below(random, sizeof noises / sizeof *noises)],
        .quality = qualities[fuzz_below(random, sizeof qualities / sizeof *qualities)],
        .restart_interval = intervals[fuzz_below(random, sizeof intervals / sizeof *intervals)],
        .tables = (tables)fuzz_below(random, TABLES_COUNT),
        .has_scans = factor[0] > 0 && fuzz_below(random, 10) == 0,
    };
}

// One code of 1 bit, one of 2, and the others of 16. `first` is the symbol of the shortest, or 0.
static void lengthen_codes(JHUFF_TBL *table, int symbol_count, int first)
{
    memset(table->bits, 0, sizeof table->bits);
    table->bits[1] = table->bits[2] = 1;
    table->bits[16] = (UINT8)(symbol_count - 2);
    for (int n = 0; n < symbol_count; n++) table->huffval[n] = (UINT8)(n ^ first);
}

static const jpeg_scan_info scans[] = { { 1, { 0 }, 0, 63, 0, 0 },
                                        { 1, { 1 }, 0, 63, 0, 0 },
                                        { 1, { 2 }, 0, 63, 0, 0 } };

static void configure(struct jpeg_compress_struct *info, const seed *seed)
{
    const bool is_grey = seed->horizontal == 0;
    info->image_width = (JDIMENSION)seed->width;
    info->image_height = (JDIMENSION)seed->height;
    info->input_components = is_grey ? 1 : 3;
    info->in_color_space = is_grey ? JCS_GRAYSCALE : JCS_YCbCr;
    jpeg_set_defaults(info);
    jpeg_set_quality(info, seed->quality, FALSE);
    info->restart_interval = seed->restart_interval;
    info->optimize_coding = seed->tables == TABLES_OPTIMISED;
    if (seed->has_scans) {
        info->scan_info = scans;
        info->num_scans = sizeof scans / sizeof *scans;
    }
    if (!is_grey) {
        info->comp_info[0].h_samp_factor = seed->horizontal;
        info->comp_info[0].v_samp_factor = seed->vertical;
    }
    if (seed->tables != TABLES_LONGEST && seed->tables != TABLES_LARGEST) return;
    for (int n = 0; n < 2; n++) {
        lengthen_codes(info->dc_huff_tbl_ptrs[n], 12, 0);
        lengthen_codes(info->ac_huff_tbl_ptrs[n], 256, seed->tables == TABLES_LARGEST ? 15 : 0);
    }
}

// Noise on a ramp.
static void fill_row(
    JSAMPLE *row, int y, const struct jpeg_compress_struct *info, int noise, fuzz_random *random)
{
    const int width = (int)info->image_width, channels = info->input_components;
    for (int n = 0; n < width * channels; n++) {
        const int ramp = (n / channels + y) % width * (255 - noise) / width;
        row[n] = (JSAMPLE)(ramp + (int)fuzz_below(random, (size_t)noise + 1));
    }
}

static void ignore_warning(j_common_ptr info, int level) { (void)info, (void)level; }

static unsigned char *encode(const seed *seed, fuzz_random *random, unsigned long *count)
{
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr errors;
    unsigned char *bytes = NULL;
    JSAMPLE samples[3 * 512];
    JSAMPROW row = samples;
    info.err = jpeg_std_error(&errors);
    errors.emit_message = ignore_warning; // of steps larger than 255
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &bytes, count);
    configure(&info, seed);
    jpeg_start_compress(&info, TRUE);
    for (int y = 0; y < seed->height; y++) {
        fill_row(row, y, &info, seed->noise, random);
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    return bytes;
}

static void copy_photo(const char *folder, int number, const char *path, fuzz_random *random)
{
    static uint8_t bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    const size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    write_seed(folder, number, bytes, count, random);
}

int main(int argument_count, char **arguments)
{
    fuzz_random random = { 1 };
    if (argument_count < 2) {
        fprintf(stderr, "usage: make_seeds FOLDER PHOTO.jpg...\n");
        return 2;
    }
    for (int n = 0; n < SEED_COUNT; n++) {
        const seed seed = make_seed(n, &random);
        unsigned long count = 0;
        unsigned char *bytes = encode(&seed, &random, &count);
        write_seed(arguments[1], n, bytes, count, &random);
        free(bytes);
    }
    for (int n = 2; n < argument_count; n++)
        copy_photo(arguments[1], SEED_COUNT + n - 2, arguments[n], &random);
    return 0;
}
