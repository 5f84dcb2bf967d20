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
    CPNGStatusCallbackFailed // the read or write function failed
} CPNGStatus;

// Puts up to `capacity` bytes into `buffer`. Returns their count, 0 at the end of the input, or -1 for
// failure.
typedef ptrdiff_t (*CPNGRead)(void *context, uint8_t *buffer, size_t capacity);
// Takes all of the bytes, or returns false.
typedef bool (*CPNGWrite)(void *context, const uint8_t *bytes, size_t count);

typedef struct CPNGHeader {
    int width, height;
    int bitDepth; // 1, 2, 4, 8, 16
    bool hasColour, hasAlpha; // once palette and tRNS are expanded
    bool isInterlaced;
} CPNGHeader;

typedef struct CPNGReader CPNGReader;

// NULL where there is no memory. Of ancillary chunks only tRNS is read; wrong checksums of the others pass.
CPNGReader *CPNGReaderCreate(CPNGRead read, void *context);
void CPNGReaderDestroy(CPNGReader *reader);
// What libpng said about the last failure.
const char *CPNGReaderMessage(const CPNGReader *reader);
// Has damaged data decoded as far as it goes. Called before the header is read.
void CPNGReaderTolerateDamage(CPNGReader *reader);
CPNGStatus CPNGReaderReadHeader(CPNGReader *reader, CPNGHeader *header);
// Rows come with palette, tRNS and less than 8 bits expanded, and 16-bit samples in the machine's byte order.
CPNGStatus CPNGReaderStart(CPNGReader *reader);
CPNGStatus CPNGReaderReadRows(CPNGReader *reader, uint8_t *first, size_t bytesPerRow, int count);
// Reads all rows of an interlaced image.
CPNGStatus CPNGReaderReadImage(CPNGReader *reader, uint8_t *first, size_t bytesPerRow, int height);
// Checks that the file is complete.
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

// Inflates a zlib stream into `to`, or nowhere where that is NULL, and stops behind `capacity` bytes. Returns
// whether the stream was whole by then; `produced` gets the count of bytes either way, at most `capacity`.
bool CPNGInflate(const uint8_t *bytes, size_t count, uint8_t *to, size_t capacity, size_t *produced);
// The most bytes that CPNGDeflate makes of `count`.
size_t CPNGDeflateBound(size_t count);
// Deflates into a zlib stream. Returns the count of bytes, or -1.
ptrdiff_t CPNGDeflate(const uint8_t *bytes, size_t count, uint8_t *to, size_t capacity);

// PNG's checksum of what `checksum` stands for (0: nothing) and the bytes behind it.
uint32_t CPNGChecksum(uint32_t checksum, const uint8_t *bytes, size_t count);

#endif
