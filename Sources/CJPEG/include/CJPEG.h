// CJPEG: libjpeg behind functions that return a status. libjpeg reports errors by longjmp; here each jump
// starts and ends in C, so none crosses a Swift frame.
#ifndef CJPEG_H
#define CJPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum CJPEGStatus {
    CJPEGStatusOK,
    CJPEGStatusTruncated,     // the input ended before the image did
    CJPEGStatusCorrupt,
    CJPEGStatusUnsupported,
    CJPEGStatusOutOfMemory,
    CJPEGStatusTooManyScans,
    CJPEGStatusTooMuchMetadata,
    CJPEGStatusCallbackFailed // the read or write function failed
} CJPEGStatus;

// Puts up to `capacity` bytes into `buffer`. Returns their count, 0 at the end of the input, or -1 for
// failure.
typedef ptrdiff_t (*CJPEGRead)(void *context, uint8_t *buffer, size_t capacity);
// Takes all of the bytes, or returns false.
typedef bool (*CJPEGWrite)(void *context, const uint8_t *bytes, size_t count);

typedef enum CJPEGColours {
    CJPEGColoursGrey,
    CJPEGColoursYCbCr,
    CJPEGColoursRGB,
    CJPEGColoursCMYK, // or YCCK
    CJPEGColoursOther
} CJPEGColours;

typedef struct CJPEGComponent {
    int horizontalFactor, verticalFactor;
    int blocksAcross, blocksDown; // those that hold pixels
    bool hasQuantTable;
    uint16_t quantTable[64]; // row-major
} CJPEGComponent;

typedef struct CJPEGHeader {
    int width, height;
    CJPEGColours colours;
    int componentCount;
    CJPEGComponent components[4];
    bool hasMultipleScans; // decoding keeps the coefficients of the whole image
    bool hasDensity;
    int densityUnit, densityX, densityY; // as in the JFIF segment
} CJPEGHeader;

typedef struct CJPEGMarker {
    int code; // 0xE0 + n for APPn, 0xFE for a comment
    const uint8_t *bytes;
    size_t count;
} CJPEGMarker;

typedef enum CJPEGOutput {
    CJPEGOutputRaw, // the planes as coded, whole blocks
    CJPEGOutputGrey,
    CJPEGOutputRGB,
    CJPEGOutputCMYK
} CJPEGOutput;

typedef struct CJPEGReader CJPEGReader;

// NULL where there is no memory. Scans may pass over each block of the image `maximumPasses` times on average.
// `maximumMetadata`: most bytes of memory for the segments before the first scan. A lenient reader makes up the pixels
// that a damaged file has lost, instead of failing.
CJPEGReader *CJPEGReaderCreate(
    CJPEGRead read, void *context, int maximumPasses, size_t maximumMetadata, bool isLenient);
void CJPEGReaderDestroy(CJPEGReader *reader);
// What libjpeg said about the last failure.
const char *CJPEGReaderMessage(const CJPEGReader *reader);
// What is wrong with the file, though no pixel is lost; empty where nothing is. Complete after CJPEGReaderFinish.
const char *CJPEGReaderNote(const CJPEGReader *reader);
CJPEGStatus CJPEGReaderReadHeader(CJPEGReader *reader, CJPEGHeader *header);
// The APPn and COM segments before the first scan, in order, without APP0; false past the last. The bytes live
// until CJPEGReaderDestroy.
bool CJPEGReaderNextMarker(CJPEGReader *reader, CJPEGMarker *marker);
// How many of them came behind the first scan's header so far. They are skipped.
int CJPEGReaderLateSegmentCount(const CJPEGReader *reader);
CJPEGStatus CJPEGReaderStart(CJPEGReader *reader, CJPEGOutput output);
// Reads one row of blocks, 8 x the largest vertical factor rows of pixels, into the planes.
CJPEGStatus CJPEGReaderReadRaw(CJPEGReader *reader, uint8_t *const planes[], const size_t bytesPerRow[]);
CJPEGStatus CJPEGReaderReadRows(CJPEGReader *reader, uint8_t *first, size_t bytesPerRow, int count);
// Checks that the image is complete.
CJPEGStatus CJPEGReaderFinish(CJPEGReader *reader);

typedef struct CJPEGWriterSettings {
    int width, height;
    bool grey;                            // else YCbCr
    int horizontalFactor, verticalFactor; // of Y; chroma has 1 x 1
    int quality;                          // 1...100, or 0 for `quantTables`
    uint16_t quantTables[3][64];          // row-major, one per component
    int densityUnit, densityX, densityY;
} CJPEGWriterSettings;

typedef struct CJPEGWriter CJPEGWriter;

CJPEGWriter *CJPEGWriterCreate(CJPEGWrite write, void *context);
void CJPEGWriterDestroy(CJPEGWriter *writer);
const char *CJPEGWriterMessage(const CJPEGWriter *writer);
CJPEGStatus CJPEGWriterStart(CJPEGWriter *writer, const CJPEGWriterSettings *settings);
// Between start and the first rows. At most 65533 bytes.
CJPEGStatus CJPEGWriterWriteMarker(CJPEGWriter *writer, int code, const uint8_t *bytes, size_t count);
// Writes one row of blocks: 8 x verticalFactor rows of pixels, whole blocks.
CJPEGStatus CJPEGWriterWriteRaw(CJPEGWriter *writer, uint8_t *const planes[], const size_t bytesPerRow[]);
CJPEGStatus CJPEGWriterFinish(CJPEGWriter *writer);

#endif
