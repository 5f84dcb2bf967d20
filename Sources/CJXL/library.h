// libjxl's functions.
#ifndef CJXL_LIBRARY_H
#define CJXL_LIBRARY_H

#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/thread_parallel_runner.h>

#include "CJXL.h"

#define FUNCTIONS(FUNCTION)                        \
    FUNCTION(JxlDecoderVersion)                    \
    FUNCTION(JxlDecoderCreate)                     \
    FUNCTION(JxlDecoderSubscribeEvents)            \
    FUNCTION(JxlDecoderSetUnpremultiplyAlpha)      \
    FUNCTION(JxlDecoderSetDecompressBoxes)         \
    FUNCTION(JxlDecoderSetInput)                   \
    FUNCTION(JxlDecoderReleaseInput)               \
    FUNCTION(JxlDecoderCloseInput)                 \
    FUNCTION(JxlDecoderProcessInput)               \
    FUNCTION(JxlDecoderGetBasicInfo)               \
    FUNCTION(JxlDecoderGetExtraChannelInfo)        \
    FUNCTION(JxlDecoderGetBoxType)                 \
    FUNCTION(JxlDecoderSetBoxBuffer)               \
    FUNCTION(JxlDecoderReleaseBoxBuffer)           \
    FUNCTION(JxlDecoderImageOutBufferSize)         \
    FUNCTION(JxlDecoderSetImageOutBuffer)          \
    FUNCTION(JxlDecoderFlushImage)                 \
    FUNCTION(JxlDecoderSetJPEGBuffer)              \
    FUNCTION(JxlDecoderReleaseJPEGBuffer)          \
    FUNCTION(JxlEncoderCreate)                     \
    FUNCTION(JxlEncoderSetParallelRunner)          \
    FUNCTION(JxlEncoderInitBasicInfo)              \
    FUNCTION(JxlEncoderSetBasicInfo)               \
    FUNCTION(JxlEncoderGetRequiredCodestreamLevel) \
    FUNCTION(JxlEncoderSetCodestreamLevel)         \
    FUNCTION(JxlColorEncodingSetToSRGB)            \
    FUNCTION(JxlEncoderSetColorEncoding)           \
    FUNCTION(JxlEncoderSetICCProfile)              \
    FUNCTION(JxlEncoderFrameSettingsCreate)        \
    FUNCTION(JxlEncoderFrameSettingsSetOption)     \
    FUNCTION(JxlEncoderSetFrameDistance)           \
    FUNCTION(JxlEncoderSetFrameLossless)           \
    FUNCTION(JxlEncoderUseBoxes)                   \
    FUNCTION(JxlEncoderAddBox)                     \
    FUNCTION(JxlEncoderAddImageFrame)              \
    FUNCTION(JxlEncoderUseContainer)               \
    FUNCTION(JxlEncoderStoreJPEGMetadata)          \
    FUNCTION(JxlEncoderAddJPEGFrame)               \
    FUNCTION(JxlEncoderCloseInput)                 \
    FUNCTION(JxlEncoderProcessOutput)              \
    FUNCTION(JxlEncoderGetError)

// Of a library of its own.
#define THREAD_FUNCTIONS(FUNCTION)    \
    FUNCTION(JxlThreadParallelRunner) \
    FUNCTION(JxlThreadParallelRunnerCreate)

// Their arguments have changed: see below.
#define COLOUR_FUNCTIONS(FUNCTION)               \
    FUNCTION(JxlDecoderGetColorAsEncodedProfile) \
    FUNCTION(JxlDecoderGetICCProfileSize)        \
    FUNCTION(JxlDecoderGetColorAsICCProfile)

// All are NULL without the library.
struct jxl_library {
#define FUNCTION(name) __typeof__(name) *name;
    FUNCTIONS(FUNCTION)
    THREAD_FUNCTIONS(FUNCTION)
#undef FUNCTION
#define FUNCTION(name) void *name;
    COLOUR_FUNCTIONS(FUNCTION)
#undef FUNCTION
};
extern struct jxl_library jxl;

// As in ITU-T H.273. libjxl has another number.
enum { CODE_OF_DISPLAY_P3 = 12 };

// Loads the library once.
bool cjxl_load(void);

// What the decoded pixels' values mean. Before version 0.9, the functions have an argument more.
bool cjxl_codes(const JxlDecoder *decoder, JxlColorEncoding *codes);
bool cjxl_profile_size(const JxlDecoder *decoder, size_t *byte_count);
bool cjxl_profile(const JxlDecoder *decoder, uint8_t *bytes, size_t byte_count);

bool cjxl_encode(struct cisolation_encoding *encoding);

// Encodes with several threads. Returns NULL, and answers, if it cannot begin.
JxlEncoder *cjxl_encoder(struct cisolation_answer *answer);
bool cjxl_encoder_fail(JxlEncoder *encoder, struct cisolation_answer *answer, const char *step);
// Encodes what was added. Returns the number of bytes; 0, and answers, on failure.
size_t cjxl_encoder_finish(
    JxlEncoder *encoder, uint8_t *file, size_t capacity, struct cisolation_answer *answer);

// Gives a decoder the file, and subscribes to events. Returns NULL, and answers, if it cannot begin.
JxlDecoder *cjxl_decoder(const struct cisolation_file *file, int events, struct cisolation_answer *answer);
// Why the decoder does not go on. Returns false.
bool cjxl_decoder_fail(JxlDecoderStatus status, struct cisolation_answer *answer);

#endif
