// CPNG: libpng behind functions that return a status. libpng reports errors by longjmp; here each jump starts
// and ends in C, so none crosses a Swift frame. And zlib, for the text and profiles that PNG chunks hold.
#ifndef CPNG_H
#define CPNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum CPNGStatus {
    CPNGStatusOK,
    CPNGStatusTruncated,     // the input ended before the image did
    CPNGStatusCorrupt,
    CPNGStatusCallbackFailed // the read, write or chunk function failed
} CPNGStatus;

// Puts up to `capacity` bytes into `buffer`. Returns their count, 0 at the end of the input, or -1 for
// failure.
typedef ptrdiff_t (*CPNGRead)(void *context, uint8_t *buffer, size_t capacity);
// Takes all of the bytes, or returns false.
typedef bool (*CPNGWrite)(void *context, const uint8_t *bytes, size_t count);
// Takes an ancillary chunk, whose name is 4 characters; false stops the reader.
typedef bool (*CPNGChunk)(void *context, const char *name, const uint8_t *bytes, size_t count);

typedef struct CPNGHeader {
    int width, height;
    int bitDepth; // 1, 2, 4, 8, 16
    bool hasColour, hasAlpha; // once palette and tRNS are expanded
    bool isInterlaced;
} CPNGHeader;

typedef struct CPNGReader CPNGReader;

// NULL where there is no memory. Chunks larger than `largestChunk` bytes are left out.
CPNGReader *CPNGReaderCreate(CPNGRead read, CPNGChunk chunk, void *context, size_t largestChunk);
void CPNGReaderDestroy(CPNGReader *reader);
// What libpng said about the last failure.
const char *CPNGReaderMessage(const CPNGReader *reader);
CPNGStatus CPNGReaderReadHeader(CPNGReader *reader, CPNGHeader *header);
// Rows come with palette, tRNS and less than 8 bits expanded, and 16-bit samples in the machine's byte order.
CPNGStatus CPNGReaderStart(CPNGReader *reader);
CPNGStatus CPNGReaderReadRows(CPNGReader *reader, uint8_t *first, size_t bytesPerRow, int count);
// Reads all rows of an interlaced image.
CPNGStatus CPNGReaderReadImage(CPNGReader *reader, uint8_t *first, size_t bytesPerRow, int height);
// Checks that the file is complete, and hands out the chunks behind the pixels.
CPNGStatus CPNGReaderFinish(CPNGReader *reader);

typedef struct CPNGWriterSettings {
    int width, height;
    int bitDepth; // 8 or 16
    bool hasColour, hasAlpha;
    int compressionLevel; // zlib's, 1...9
} CPNGWriterSettings;

typedef struct CPNGWriter CPNGWriter;

CPNGWriter *CPNGWriterCreate(CPNGWrite write, void *context);
void CPNGWriterDestroy(CPNGWriter *writer);
const char *CPNGWriterMessage(const CPNGWriter *writer);
CPNGStatus CPNGWriterStart(CPNGWriter *writer, const CPNGWriterSettings *settings);
// After start, between rows or before finish; `name` is 4 characters.
CPNGStatus CPNGWriterWriteChunk(CPNGWriter *writer, const char *name, const uint8_t *bytes, size_t count);
CPNGStatus CPNGWriterWriteRows(CPNGWriter *writer, const uint8_t *first, size_t bytesPerRow, int count);
CPNGStatus CPNGWriterFinish(CPNGWriter *writer);

// Inflates a zlib stream. Returns the count of bytes, or -1 where it is damaged or has more than `capacity`.
ptrdiff_t CPNGInflate(const uint8_t *bytes, size_t count, uint8_t *to, size_t capacity);
// The most bytes that CPNGDeflate makes of `count`.
size_t CPNGDeflateBound(size_t count);
// Deflates into a zlib stream. Returns the count of bytes, or -1.
ptrdiff_t CPNGDeflate(const uint8_t *bytes, size_t count, uint8_t *to, size_t capacity);

#endif
