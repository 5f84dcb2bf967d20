// The fuzzer's target: JPEGCore gives what libjpeg alone gives, at every level that this processor runs, for any
// bytes. See scripts/fuzz.
#include "encoding.h"
#include "JPEGCore.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The fuzzer keeps the input that aborts.
static _Noreturn void fail(const jpegcore_level *level, const char *what)
{
    fprintf(stderr, "error: %s differs: %s and libjpeg\n", what, jpegcore_level_name(level));
    abort();
}

static void print_verdict(const char *name, const fuzz_decoded *decoded)
{
    fprintf(
        stderr, "%s: status %d, '%s', note '%s', %d late segments, %d of %d rows of MCUs\n", name,
        (int)decoded->status, decoded->message, decoded->note, decoded->late_segment_count,
        decoded->decoded_rows, decoded->row_count);
}

static void check_verdict(const fuzz_decoded *core, const fuzz_decoded *libjpeg, const jpegcore_level *level)
{
    if (core->status == libjpeg->status && strcmp(core->message, libjpeg->message) == 0
        && strcmp(core->note, libjpeg->note) == 0 && core->late_segment_count == libjpeg->late_segment_count
        && core->decoded_rows == libjpeg->decoded_rows)
        return;
    print_verdict(jpegcore_level_name(level), core);
    print_verdict("libjpeg", libjpeg);
    fail(level, "the verdict");
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

// Whether the bytes from `begin` on are filling. `end` may be behind the plane.
static bool is_filling(const fuzz_plane *plane, size_t begin, size_t end)
{
    for (size_t n = begin; n < smaller(end, plane->count); n++)
        if (plane->samples[n] != FUZZ_FILLING) return false;
    return true;
}

// Whether nothing is written between the rows, nor behind the rows of MCUs of which one failed.
static bool has_no_strays(const fuzz_plane *plane, size_t touched_rows)
{
    for (size_t row = plane->width; row < plane->count; row += plane->bytes_per_row)
        if (!is_filling(plane, row, row + plane->bytes_per_row - plane->width)) return false;
    return is_filling(plane, touched_rows * plane->rows_at_once * plane->bytes_per_row, SIZE_MAX);
}

static void check_planes(
    const fuzz_input *input, const fuzz_decoded *core, const fuzz_decoded *libjpeg,
    const jpegcore_level *level)
{
    const size_t rows = (size_t)core->decoded_rows;
    for (int c = 0; c < core->header.component_count && core->row_count > 0; c++) {
        const fuzz_plane *plane = &core->planes[c];
        const uint8_t *expected = libjpeg->planes[c].samples;
        const size_t count = smaller(rows * plane->rows_at_once * plane->bytes_per_row, plane->count);
        if (!has_no_strays(plane, rows + (size_t)input->rows_at_once))
            fail(level, "a byte outside of the rows");
        if (memcmp(plane->samples, expected, count) == 0) continue;
        size_t n = 0;
        while (plane->samples[n] == expected[n]) n++;
        fprintf(
            stderr, "component %d, row %zu, column %zu: %d instead of %d\n", c, n / plane->bytes_per_row,
            n % plane->bytes_per_row, plane->samples[n], expected[n]);
        fail(level, "a sample");
    }
}

static void check_file(const fuzz_file *core, const fuzz_file *libjpeg, const jpegcore_level *level)
{
    const size_t count = smaller(core->count, libjpeg->count);
    size_t same = 0;
    while (same < count && core->bytes[same] == libjpeg->bytes[same]) same++;
    if (core->status == libjpeg->status && core->count == libjpeg->count && same == count) return;
    fprintf(
        stderr, "status %d instead of %d, %zu bytes instead of %zu, equal up to byte %zu\n",
        (int)core->status, (int)libjpeg->status, core->count, libjpeg->count, same);
    fail(level, "the encoded file");
}

static void check_decoding(const fuzz_input *input, const fuzz_decoded *libjpeg, const jpegcore_level *level)
{
    fuzz_decoded core = fuzz_decode(input, input->chunk_size, level);
    check_verdict(&core, libjpeg, level);
    check_planes(input, &core, libjpeg, level);
    fuzz_release(&core);
}

static void check_encoding(
    const fuzz_input *input, const fuzz_decoded *photo, const fuzz_file *libjpeg, const jpegcore_level *level)
{
    fuzz_file core = fuzz_encode(photo, input, level);
    check_file(&core, libjpeg, level);
    free(core.bytes);
}

// Looking for pointers to the stack of functions that have returned would take half of the time, and keeping 16 MB of
// freed memory a fifth.
const char *__asan_default_options(void)
{
    return "detect_stack_use_after_return=0:malloc_context_size=4:"
           "quarantine_size_mb=2:thread_local_quarantine_size_kb=64";
}

int LLVMFuzzerInitialize(int *argument_count, char ***arguments)
{
    size_t count;
    const jpegcore_level *const *levels = jpegcore_levels(&count);
    (void)argument_count, (void)arguments;
    for (size_t n = 0; n < count; n++)
        printf(
            "%s: %s\n", jpegcore_level_name(levels[n]),
            jpegcore_level_is_supported(levels[n]) ? "compared with libjpeg" : "not on this processor");
    fflush(stdout);
    return 0;
}

static bool is_compared(const fuzz_input *input, size_t level)
{
    size_t count;
    const jpegcore_level *const *levels = jpegcore_levels(&count);
    return (input->level < 0 || (size_t)input->level == level) && jpegcore_level_is_supported(levels[level]);
}

// `libjpeg`: what it decoded. Its samples may change.
static void compare(const fuzz_input *input, fuzz_decoded *libjpeg)
{
    size_t count;
    const jpegcore_level *const *levels = jpegcore_levels(&count);
    for (size_t n = 0; n < count; n++)
        if (is_compared(input, n)) check_decoding(input, libjpeg, levels[n]);
    if (libjpeg->status != CJPEG_STATUS_OK || input->denominator > 1) return;
    fuzz_change_samples(libjpeg, input);
    fuzz_file file = fuzz_encode(libjpeg, input, NULL);
    for (size_t n = 0; n < count; n++)
        if (is_compared(input, n)) check_encoding(input, libjpeg, &file, levels[n]);
    free(file.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    if (count < FUZZ_SETTINGS_SIZE) return -1;
    const fuzz_input input = fuzz_parse_input(bytes, count);
    fuzz_decoded libjpeg = fuzz_decode(&input, SIZE_MAX, NULL);
    const bool has_planes = libjpeg.row_count > 0;
    if (has_planes) compare(&input, &libjpeg);
    fuzz_release(&libjpeg);
    return has_planes ? 0 : -1; // -1: not for the corpus
}
