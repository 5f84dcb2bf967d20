#include "huffman.h"
#include "huffman_table.h"
#include <endian.h>
#include <jerror.h>
#include <jpegint.h>
#include <stdint.h>
#include <string.h>

// A coefficient takes at most 16 bits of code and 15 of value.
enum { MOST_BITS = 32 };

// Otherwise clang leaves function calls between coefficients.
#define INLINE static inline __attribute__((always_inline))

typedef cjpeg_huffman_table Table;

// The decoder's position in the input. Passed by value, so that it stays in registers.
typedef struct Position {
    // The next bits, from the highest on. `count` of them are valid; the bits after those are from the next
    // bytes, or zeros.
    uint64_t bits;
    int count;
    const JOCTET *next;
    size_t left;
} Position;

typedef struct Decoder {
    struct jpeg_entropy_decoder pub; // first: libjpeg's pointer to it is a pointer to this
    struct jpeg_entropy_decoder *original;
    uint64_t bits;
    int count;
    unsigned int restarts_to_go;
    int last_dc[MAX_COMPS_IN_SCAN];
    Table *dc[NUM_HUFF_TBLS], *ac[NUM_HUFF_TBLS];
    bool is_trial, has_failed; // whether warnings are held, and one was
} Decoder;

// Zigzag to row-major. Runs in a damaged photo may go up to 15 entries beyond the block.
static const uint8_t natural_order[DCTSIZE2 + 16] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33,
    40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36,
    29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54,
    47, 55, 62, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63,
};

static void use_table(j_decompress_ptr info, Table **table, const JHUFF_TBL *from)
{
    if (*table == NULL) *table = info->mem->alloc_small((j_common_ptr)info, JPOOL_IMAGE, sizeof **table);
    cjpeg_fill_huffman_table(*table, from);
}

static void begin_scan(j_decompress_ptr info, Decoder *decoder)
{
    for (int c = 0; c < info->comps_in_scan; c++) {
        const int dc = info->cur_comp_info[c]->dc_tbl_no, ac = info->cur_comp_info[c]->ac_tbl_no;
        use_table(info, &decoder->dc[dc], info->dc_huff_tbl_ptrs[dc]);
        use_table(info, &decoder->ac[ac], info->ac_huff_tbl_ptrs[ac]);
        decoder->last_dc[c] = 0;
    }
    decoder->bits = 0;
    decoder->count = 0;
    decoder->restarts_to_go = info->restart_interval;
    decoder->pub.insufficient_data = FALSE;
}

static void warn(j_decompress_ptr info, Decoder *decoder, int code)
{
    decoder->has_failed = true;
    if (decoder->is_trial) return;
    info->err->msg_code = code;
    info->err->emit_message((j_common_ptr)info, -1);
}

// Warns of bytes that were read but belong to no block. libjpeg itself warns of bytes before a marker only if
// it searches for the marker. Here the result must not depend on the decoder's lookahead.
static void warn_of_rest(j_decompress_ptr info, Decoder *decoder)
{
    if (decoder->count < 8 || decoder->pub.insufficient_data) return;
    info->err->msg_parm.i[0] = decoder->count / 8;
    info->err->msg_parm.i[1] = info->unread_marker;
    warn(info, decoder, JWRN_EXTRANEOUS_DATA);
}

// libjpeg's decoder checks the scan's parameters and tables; its state is in `info->entropy`.
static void start_pass(j_decompress_ptr info)
{
    Decoder *decoder = (Decoder *)info->entropy;
    warn_of_rest(info, decoder);
    info->entropy = decoder->original;
    decoder->original->start_pass(info);
    info->entropy = &decoder->pub;
    begin_scan(info, decoder);
}

static Position position_of(j_decompress_ptr info, const Decoder *decoder)
{
    return (Position) { decoder->bits, decoder->count, info->src->next_input_byte,
                        info->src->bytes_in_buffer };
}

static void move_to(Position at, j_decompress_ptr info, Decoder *decoder)
{
    decoder->bits = at.bits;
    decoder->count = at.count;
    info->src->next_input_byte = at.next;
    info->src->bytes_in_buffer = at.left;
}

// The coded data ended within a block; missing bits count as zeros.
static Position end_early(j_decompress_ptr info, Position at)
{
    Decoder *decoder = (Decoder *)info->entropy;
    if (!decoder->pub.insufficient_data) warn(info, decoder, JWRN_HIT_MARKER);
    decoder->pub.insufficient_data = TRUE;
    at.bits = 0;
    at.count = 64;
    return at;
}

static JOCTET next_byte(j_decompress_ptr info, Position *at)
{
    if (at->left == 0) {
        info->src->fill_input_buffer(info);
        at->next = info->src->next_input_byte;
        at->left = info->src->bytes_in_buffer;
    }
    at->left--;
    return *at->next++;
}

// Reads byte by byte, up to a marker.
static Position refill_slowly(j_decompress_ptr info, Position at)
{
    while (at.count <= 56 && info->unread_marker == 0) {
        const JOCTET byte = next_byte(info, &at);
        if (byte == 0xFF) {
            JOCTET code;
            do code = next_byte(info, &at);
            while (code == 0xFF);
            if (code != 0) {
                info->unread_marker = code;
                break;
            }
        }
        at.bits |= (uint64_t)byte << (56 - at.count);
        at.count += 8;
    }
    return at.count < 0 ? end_early(info, at) : at;
}

// Provides at least MOST_BITS bits; after a marker they are zeros. `count` is negative if some of those were
// used.
INLINE Position refill(j_decompress_ptr info, Position at)
{
    uint64_t word;
    if (at.count >= MOST_BITS) return at;
    if (at.left < sizeof word || info->unread_marker != 0) return refill_slowly(info, at);
    memcpy(&word, at.next, sizeof word);
    // A byte of 0xFF is 0 in the complement.
    if (((~word - 0x0101010101010101) & word & 0x8080808080808080) != 0) return refill_slowly(info, at);
    const int byte_count = (63 - at.count) >> 3;
    at.bits |= be64toh(word) >> at.count;
    at.next += byte_count;
    at.left -= (size_t)byte_count;
    at.count += 8 * byte_count;
    return at;
}

INLINE int peek(Position at, int count) { return (int)(at.bits >> (64 - count)); }

INLINE Position drop(Position at, int count)
{
    at.bits <<= count;
    at.count -= count;
    return at;
}

// The symbol of a code longer than LOOKAHEAD; 0 for an invalid code.
static Position decode_long(j_decompress_ptr info, Position at, const Table *table, int *symbol)
{
    for (int length = LOOKAHEAD + 1; length <= LONGEST_CODE; length++) {
        const int code = peek(at, length);
        if (code > table->largest[length]) continue;
        *symbol = table->symbols[code + table->offset[length]];
        return drop(at, length);
    }
    *symbol = 0;
    at = drop(at, BAD_CODE_LENGTH);
    if (at.count < 0) at = end_early(info, at);
    warn(info, (Decoder *)info->entropy, JWRN_HUFF_BAD_CODE);
    return at;
}

// The next symbol and its value; 0 if it has no value.
INLINE Position decode(j_decompress_ptr info, Position at, const Table *table, int *symbol, int *value)
{
    at = refill(info, at);
    const cjpeg_huffman_entry entry = table->entries[peek(at, LOOKAHEAD)];
    at = drop(at, entry.length);
    *symbol = entry.symbol;
    *value = entry.value;
    if (entry.value != 0) return at;
    if (entry.length == 0) {
        int long_symbol;
        at = decode_long(info, at, table, &long_symbol);
        *symbol = long_symbol;
    }
    const int size = *symbol & 15;
    if (size == 0) return at;
    *value = cjpeg_extend(peek(at, size), size);
    return drop(at, size);
}

INLINE Position
decode_block(j_decompress_ptr info, Position at, JCOEF *block, const Table *dc, const Table *ac, int *last_dc)
{
    int symbol, value;
    at = decode(info, at, dc, &symbol, &value);
    *last_dc = (int)((unsigned int)*last_dc + (unsigned int)value); // damaged photos overflow
    block[0] = (JCOEF)*last_dc;
    for (int k = 1; k < DCTSIZE2; k++) {
        at = decode(info, at, ac, &symbol, &value);
        if (value != 0) {
            k += symbol >> 4;
            block[natural_order[k]] = (JCOEF)value;
        } else if (symbol >> 4 == 15) {
            k += 15;
        } else {
            break;
        }
    }
    return at;
}

// Decodes block `n` of an MCU.
INLINE Position decode_next(j_decompress_ptr info, Position at, int n, JCOEF *block)
{
    Decoder *decoder = (Decoder *)info->entropy;
    const int c = info->MCU_membership[n];
    const jpeg_component_info *component = info->cur_comp_info[c];
    return decode_block(
        info, at, block, decoder->dc[component->dc_tbl_no], decoder->ac[component->ac_tbl_no],
        &decoder->last_dc[c]);
}

static void process_restart(j_decompress_ptr info, Decoder *decoder)
{
    if (info->unread_marker != 0) warn_of_rest(info, decoder);
    else info->marker->discarded_bytes += (unsigned int)(decoder->count / 8);
    decoder->bits = 0;
    decoder->count = 0;
    info->marker->read_restart_marker(info);
    memset(decoder->last_dc, 0, sizeof decoder->last_dc);
    decoder->restarts_to_go = info->restart_interval;
    // Directly before another marker, the interval is empty.
    if (info->unread_marker == 0) decoder->pub.insufficient_data = FALSE;
}

static boolean decode_mcu(j_decompress_ptr info, JBLOCKROW *blocks)
{
    Decoder *decoder = (Decoder *)info->entropy;
    if (info->restart_interval > 0) {
        if (decoder->restarts_to_go == 0) process_restart(info, decoder);
        decoder->restarts_to_go--;
    }
    // The rest of the interval is zero.
    if (decoder->pub.insufficient_data) return TRUE;
    Position at = position_of(info, decoder);
    for (int n = 0; n < info->blocks_in_MCU; n++) at = decode_next(info, at, n, *blocks[n]);
    if (at.count < 0) at = end_early(info, at);
    move_to(at, info, decoder);
    return TRUE;
}

void cjpeg_huffman_install(j_decompress_ptr info)
{
    if (info->progressive_mode || info->arith_code || info->entropy->decode_mcu == decode_mcu) return;
    Decoder *decoder = info->mem->alloc_small((j_common_ptr)info, JPOOL_IMAGE, sizeof *decoder);
    memset(decoder, 0, sizeof *decoder);
    decoder->pub.start_pass = start_pass;
    decoder->pub.decode_mcu = decode_mcu;
    decoder->original = info->entropy;
    info->entropy = &decoder->pub;
    begin_scan(info, decoder);
}

// Decodes further blocks up to the next marker. Returns whether it directly follows a block.
static bool is_blocks(j_decompress_ptr info, Decoder *decoder, Position *at)
{
    JBLOCK block;
    decoder->is_trial = true;
    decoder->has_failed = false;
    for (int n = 0; !decoder->has_failed && (info->unread_marker == 0 || at->count >= 8); n++)
        *at = refill_slowly(info, decode_next(info, *at, n % info->blocks_in_MCU, block));
    return !decoder->has_failed;
}

// Skips to the next marker. Returns whether all bytes before it are zero.
static bool is_zeros(j_decompress_ptr info, Position *at)
{
    bool is_zero = true;
    while (at->count > 0) {
        is_zero = is_zero && at->bits >> (64 - at->count) == 0;
        *at = refill_slowly(info, (Position) { 0, 0, at->next, at->left });
    }
    return is_zero;
}

void cjpeg_huffman_check_end(j_decompress_ptr info)
{
    Decoder *decoder = (Decoder *)info->entropy;
    if (decoder->pub.decode_mcu == decode_mcu) warn_of_rest(info, decoder);
}

cjpeg_rest cjpeg_huffman_rest(j_decompress_ptr info)
{
    Decoder *decoder = (Decoder *)info->entropy;
    if (decoder->pub.decode_mcu != decode_mcu || decoder->pub.insufficient_data) return CJPEG_REST_NONE;
    cjpeg_rest rest = CJPEG_REST_NONE;
    Position at = refill_slowly(info, position_of(info, decoder));
    if (at.count >= 8) {
        const Position next_byte = drop(at, at.count % 8); // before it, bits fill the last block's byte
        const bool is_short = info->unread_marker != 0;
        if (peek(next_byte, 8) == 0) {
            at = next_byte;
            rest = is_zeros(info, &at) ? CJPEG_REST_STRAY : CJPEG_REST_DATA;
        } else {
            rest = is_short && !is_blocks(info, decoder, &at) ? CJPEG_REST_STRAY : CJPEG_REST_DATA;
        }
    }
    move_to((Position) { 0, 0, at.next, at.left }, info, decoder);
    return rest;
}
