#ifndef CJPEG_BIT_READER_H
#define CJPEG_BIT_READER_H

#include "huffman_decoder.h"
#include <endian.h>
#include <jerror.h>
#include <string.h>

// A coefficient takes at most 16 bits of code and 15 of value.
enum { MOST_BITS = 32 };

// Otherwise clang leaves function calls between coefficients.
#define INLINE static inline __attribute__((always_inline))

// A position in the bits of a scan, without stuffed bytes (ITU-T T.81, F.2.2.5). Passed by value, so that it
// stays in registers.
typedef struct cjpeg_bits {
    // The next bits, from the highest on. `count` of them are valid; the bits after those are from the next
    // bytes, or zeros.
    uint64_t bits;
    int count;
    const JOCTET *next;
    size_t left;
} cjpeg_bits;

// The position between MCUs.
INLINE cjpeg_bits cjpeg_bits_load(j_decompress_ptr info)
{
    const cjpeg_huffman_decoder *decoder = (const cjpeg_huffman_decoder *)info->entropy;
    const struct jpeg_source_mgr *source = info->src;
    return (cjpeg_bits) { decoder->bits, decoder->bit_count, source->next_input_byte,
                          source->bytes_in_buffer };
}

INLINE void cjpeg_bits_store(j_decompress_ptr info, cjpeg_bits at)
{
    cjpeg_huffman_decoder *decoder = (cjpeg_huffman_decoder *)info->entropy;
    decoder->bits = at.bits;
    decoder->bit_count = at.count;
    info->src->next_input_byte = at.next;
    info->src->bytes_in_buffer = at.left;
}

// The coded data ended within a block: warns, and provides zeros.
INLINE cjpeg_bits cjpeg_end_early(j_decompress_ptr info, cjpeg_bits at)
{
    cjpeg_huffman_report_cut(info);
    if (!info->entropy->insufficient_data) cjpeg_huffman_warn(info, JWRN_HIT_MARKER);
    info->entropy->insufficient_data = TRUE;
    at.bits = 0;
    at.count = 64;
    return at;
}

// Reads byte by byte, up to a marker.
void cjpeg_refill_bytewise(j_decompress_ptr info, cjpeg_bits *at);

// Copies member by member: only the copy is in memory, whose address the other file gets.
INLINE cjpeg_bits cjpeg_refill_slowly(j_decompress_ptr info, cjpeg_bits at)
{
    cjpeg_bits copy = { at.bits, at.count, at.next, at.left };
    cjpeg_refill_bytewise(info, &copy);
    return (cjpeg_bits) { copy.bits, copy.count, copy.next, copy.left };
}

// Provides at least MOST_BITS bits; after a marker they are zeros. `count` is negative if some of those were
// used.
INLINE cjpeg_bits cjpeg_refill(j_decompress_ptr info, cjpeg_bits at)
{
    uint64_t word;
    if (at.count >= MOST_BITS) return at;
    if (at.left < sizeof word || info->unread_marker != 0) return cjpeg_refill_slowly(info, at);
    memcpy(&word, at.next, sizeof word);
    // A byte of 0xFF is 0 in the complement.
    if (((~word - 0x0101010101010101) & word & 0x8080808080808080) != 0) return cjpeg_refill_slowly(info, at);
    const int byte_count = (63 - at.count) >> 3;
    at.bits |= be64toh(word) >> at.count;
    at.next += byte_count;
    at.left -= (size_t)byte_count;
    at.count += 8 * byte_count;
    return at;
}

INLINE int cjpeg_peek(cjpeg_bits at, int count) { return (int)(at.bits >> (64 - count)); }

INLINE cjpeg_bits cjpeg_drop(cjpeg_bits at, int count)
{
    at.bits <<= count;
    at.count -= count;
    return at;
}

#endif
