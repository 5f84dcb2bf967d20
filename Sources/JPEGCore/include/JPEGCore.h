// JPEGCore: the Huffman coding and the transforms of sequential JPEGs (ITU-T T.81), on planes of 8-bit samples.
//
// It decodes and encodes the entropy-coded data of one scan with all components; markers are the caller's. All
// samples and bytes are those of libjpeg-turbo with its accurate integer DCT. README.md explains how it works.
#ifndef JPEGCORE_H
#define JPEGCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JPEGCORE_MOST_COMPONENTS = 3, JPEGCORE_MOST_BLOCKS_IN_MCU = 10 };

// A code, as in a DHT segment (T.81, B.2.4.2).
typedef struct jpegcore_huffman_table {
    uint8_t counts[17];   // BITS: codes of each length, from 1 on
    uint8_t symbols[256]; // HUFFVAL
} jpegcore_huffman_table;

typedef struct jpegcore_component {
    int horizontal_factor, vertical_factor; // its blocks across and down in an MCU
    int blocks_across, blocks_down;         // those that hold samples
    int block_size;           // samples a side that a block becomes: 8; for smaller planes 4, 2 or 1
    uint16_t quant_table[64]; // row-major
    jpegcore_huffman_table dc, ac;
} jpegcore_component;

// A scan of all components, interleaved if there are several.
typedef struct jpegcore_scan {
    int component_count; // 1 or 3
    jpegcore_component components[JPEGCORE_MOST_COMPONENTS];
    int mcus_across, mcus_down;
    int restart_interval; // in MCUs; 0 for none
} jpegcore_scan;

// The functions for an instruction set.
typedef struct jpegcore_level jpegcore_level;

// The levels of this processor family, lowest first; `*count` becomes their number. The first runs everywhere.
const jpegcore_level *const *jpegcore_levels(size_t *count);
// "baseline", "x86-64-v3", "x86-64-v4".
const char *jpegcore_level_name(const jpegcore_level *level);
bool jpegcore_level_is_supported(const jpegcore_level *level);

// MARK: Decoding

typedef struct jpegcore_decoder jpegcore_decoder;

typedef enum jpegcore_status {
    JPEGCORE_ROW,      // a row of MCUs was decoded
    JPEGCORE_MORE,     // the row needs more bytes
    JPEGCORE_IRREGULAR // the data is damaged or unusual: another decoder must decide
} jpegcore_status;

// Where another decoder can take over: between two rows of MCUs.
typedef struct jpegcore_checkpoint {
    int row;                               // the next row of MCUs
    size_t offset;                         // of its first byte, from the caller's first byte on
    int bit;                               // in this byte, 0 to 7 from the highest
    int last_dc[JPEGCORE_MOST_COMPONENTS]; // PRED (T.81, F.2.2.1)
    int mcus_to_restart, next_restart;     // until the next RSTn marker, and its n
} jpegcore_checkpoint;

// Returns NULL if memory runs out.
jpegcore_decoder *jpegcore_decoder_create(const jpegcore_scan *scan, const jpegcore_level *level);
void jpegcore_decoder_destroy(jpegcore_decoder *decoder);

// Calls work(argument, 0) to work(argument, count - 1) on any threads, and returns when all have returned.
typedef void (*jpegcore_concurrently)(
    void *context, size_t count, void (*work)(void *argument, size_t index), void *argument);
// As many bytes for each thread, behind those of the rows that are read, give the best speed.
#ifndef JPEGCORE_SHORT_STREAMS // decoder.h
enum { JPEGCORE_BYTES_PER_THREAD = 128 * 1024 };
#else
enum { JPEGCORE_BYTES_PER_THREAD = 16 * 1024 };
#endif
// Lets several threads decode; call it before the first row, at most once. `thread_count` is the number of threads that
// are likely to work; more than 32 count as 32. Each needs up to 2.8 MiB, with most photos 1 MiB. Without memory, and
// where restart intervals have more than 4500 blocks, one thread decodes.
void jpegcore_decoder_use_threads(
    jpegcore_decoder *decoder, int thread_count, jpegcore_concurrently concurrently, void *context);

// Decodes the next row of MCUs: the component's vertical factor x `block_size` rows of samples, whole blocks, but
// none beyond `blocks_across` and `blocks_down`.
//
// `bytes` are the scan's data from its first byte on, later without the bytes that were consumed: with more than the
// row's, the decoder is faster. After JPEGCORE_MORE, the same row goes on with the same and further bytes. After
// JPEGCORE_IRREGULAR, the decoder gives no more rows; some of this one's samples may be written.
jpegcore_status jpegcore_decoder_read_row(
    jpegcore_decoder *decoder, const uint8_t *bytes, size_t count, uint8_t *const planes[],
    const size_t bytes_per_row[]);
// The same for up to `row_count` rows, which all lie in the scan: with several threads, many rows are faster, because
// their samples are transformed at once. `*read_count` becomes the number of rows that were decoded, also before
// JPEGCORE_MORE and JPEGCORE_IRREGULAR: the caller drops their bytes, and a next call's planes begin behind them. Some
// samples of the other rows may be written; after JPEGCORE_MORE, those of the next row must be kept.
jpegcore_status jpegcore_decoder_read_rows(
    jpegcore_decoder *decoder, const uint8_t *bytes, size_t count, uint8_t *const planes[],
    const size_t bytes_per_row[], int row_count, int *read_count);
// Bytes before those that the next row needs, after rows were decoded: the caller drops them.
size_t jpegcore_decoder_consumed(const jpegcore_decoder *decoder);
// Blocks that a second stream has decoded, in the same thread.
size_t jpegcore_decoder_second_stream_blocks(const jpegcore_decoder *decoder);
// The end of the last row that was returned. The decoder can only be destroyed then.
jpegcore_checkpoint jpegcore_decoder_checkpoint(
    jpegcore_decoder *decoder, const uint8_t *bytes, size_t count);

// MARK: Encoding

typedef struct jpegcore_encoder jpegcore_encoder;

// How often a component's symbols are coded.
typedef struct jpegcore_symbol_counts {
    uint32_t dc[256], ac[256];
} jpegcore_symbol_counts;

// The codes that need the fewest bits for these symbols (T.81, K.2): libjpeg's.
jpegcore_huffman_table jpegcore_optimal_table(const uint32_t counts[256]);

// Takes all bytes. It may fail by longjmp; then the encoder can only be destroyed.
typedef void (*jpegcore_write)(void *context, const uint8_t *bytes, size_t count);

// Returns NULL if memory runs out. The scan has a restart interval of whole rows or none, steps of 1 to 8191, blocks of
// size 8, and codes for all symbols of 8-bit samples.
jpegcore_encoder *jpegcore_encoder_create(
    const jpegcore_scan *scan, const jpegcore_level *level, jpegcore_write write, void *context);
void jpegcore_encoder_destroy(jpegcore_encoder *encoder);
// Adds the symbols of all later rows to `counts`, one for each component.
void jpegcore_encoder_count_symbols(jpegcore_encoder *encoder, jpegcore_symbol_counts counts[]);
// Encodes the next row of MCUs, of the planes' blocks up to `blocks_across` and `blocks_down`.
void jpegcore_encoder_write_row(
    jpegcore_encoder *encoder, const uint8_t *const planes[], const size_t bytes_per_row[]);
// Decodes the next row of MCUs, as jpegcore_decoder_read_row, and encodes its coefficients with other codes. The
// encoder's scan differs from the decoder's in its codes alone.
jpegcore_status jpegcore_encoder_transcode_row(
    jpegcore_encoder *encoder, jpegcore_decoder *from, const uint8_t *bytes, size_t count);
// Writes the last bits, after the last row.
void jpegcore_encoder_finish(jpegcore_encoder *encoder);

#endif
