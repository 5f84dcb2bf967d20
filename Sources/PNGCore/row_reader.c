// Reads the rows of an image from the stream that holds them.
#include "inflate.h"
#include "level.h"
#include <stdlib.h>

// Vectors and pixels are read and written whole.
enum { ROW_SLACK = 64 };

struct pngcore_row_reader {
    const pngcore_level *level;
    pngcore_inflater *inflater;
    size_t row_bytes, pixel_bytes;
    bool swaps;
    pngcore_inflation last; // of the inflater
    const uint8_t *next;    // bytes that were inflated
    size_t left;
    uint8_t *joined;      // a row that two portions of bytes share
    uint8_t *above, *row; // of the file, without filters
};

pngcore_row_reader *pngcore_row_reader_create(
    const pngcore_level *level, pngcore_source source, size_t row_bytes, size_t pixel_bytes, bool swaps)
{
    pngcore_row_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return NULL;
    reader->level = level;
    reader->row_bytes = row_bytes;
    reader->pixel_bytes = pixel_bytes;
    reader->swaps = swaps;
    reader->last = PNGCORE_INFLATION_CONTINUES;
    reader->inflater = pngcore_inflater_create(level, source);
    const size_t size = row_bytes + ROW_SLACK;
    reader->joined = malloc(1 + size);
    reader->above = calloc(1, size);
    reader->row = calloc(1, size);
    if (reader->inflater == NULL || reader->joined == NULL || reader->above == NULL || reader->row == NULL) {
        pngcore_row_reader_destroy(reader);
        return NULL;
    }
    reader->next = reader->joined; // no bytes yet, which are copied from some place all the same
    return reader;
}

void pngcore_row_reader_destroy(pngcore_row_reader *reader)
{
    if (reader == NULL) return;
    pngcore_inflater_destroy(reader->inflater);
    free(reader->joined);
    free(reader->above);
    free(reader->row);
    free(reader);
}

size_t pngcore_row_reader_size(size_t row_bytes)
{
    return sizeof(pngcore_row_reader) + sizeof(pngcore_inflater) + 3 * (row_bytes + ROW_SLACK) + 1;
}

// The next row with its filter, or NULL.
static const uint8_t *next_row(pngcore_row_reader *reader)
{
    const size_t size = 1 + reader->row_bytes;
    size_t joined = 0;
    while (reader->left < size - joined) {
        memcpy(reader->joined + joined, reader->next, reader->left);
        joined += reader->left;
        reader->left = 0;
        if (reader->last != PNGCORE_INFLATION_CONTINUES) return NULL;
        reader->last = pngcore_inflate(reader->inflater, &reader->next, &reader->left);
    }
    const uint8_t *row = reader->next;
    const size_t own = size - joined;
    if (joined > 0) {
        memcpy(reader->joined + joined, reader->next, own);
        row = reader->joined;
    }
    reader->next += own;
    reader->left -= own;
    return row;
}

int pngcore_read_rows(pngcore_row_reader *reader, uint8_t *first, size_t stride, int count)
{
    for (int y = 0; y < count; y++, first += stride) {
        const uint8_t *filtered = next_row(reader);
        if (filtered == NULL || filtered[0] > 4) return y;
        reader->level->unfilter_row(
            filtered[0], filtered + 1, reader->above, reader->row_bytes, reader->pixel_bytes, reader->row);
        if (reader->swaps) reader->level->copy_samples(reader->row, reader->row_bytes, first);
        else memcpy(first, reader->row, reader->row_bytes);
        uint8_t *above = reader->above;
        reader->above = reader->row;
        reader->row = above;
    }
    return count;
}

bool pngcore_row_reader_is_at_end(pngcore_row_reader *reader)
{
    while (reader->last == PNGCORE_INFLATION_CONTINUES && reader->left == 0)
        reader->last = pngcore_inflate(reader->inflater, &reader->next, &reader->left);
    return reader->last == PNGCORE_INFLATION_ENDED && reader->left == 0
        && !pngcore_inflater_has_more(reader->inflater);
}
