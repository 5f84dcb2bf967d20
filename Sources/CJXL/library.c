#include "library.h"
#include <pthread.h>

struct jxl_library jxl;

static bool is_loaded;

static void load(void)
{
    static const char *const names[][2] = {
        { "libjxl.so.0.11", NULL }, { "libjxl.so.0.10", NULL }, { "libjxl.so.0.9", NULL },
        { "libjxl.so.0.8", NULL },  { "libjxl.so.0.7", NULL },
    };
    static const char *const thread_names[][2] = {
        { "libjxl_threads.so.0.11", NULL }, { "libjxl_threads.so.0.10", NULL },
        { "libjxl_threads.so.0.9", NULL },  { "libjxl_threads.so.0.8", NULL },
        { "libjxl_threads.so.0.7", NULL },
    };
#define FUNCTION(name) { #name, (void **)&jxl.name },
    static const struct cisolation_symbol symbols[] = { FUNCTIONS(FUNCTION)
                                                            COLOUR_FUNCTIONS(FUNCTION) { NULL, NULL } };
    static const struct cisolation_symbol thread_symbols[] = { THREAD_FUNCTIONS(FUNCTION) { NULL, NULL } };
#undef FUNCTION
    for (size_t index = 0; !is_loaded && index < sizeof names / sizeof *names; index++)
        is_loaded =
            cisolation_load(names[index], symbols) && cisolation_load(thread_names[index], thread_symbols);
}

bool cjxl_load(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

// MARK: Functions whose arguments have changed

static const JxlColorProfileTarget target = JXL_COLOR_PROFILE_TARGET_DATA;

static bool has_unused_argument(void)
{
    const uint32_t version_0_9 = 9000;
    return jxl.JxlDecoderVersion() < version_0_9;
}

bool cjxl_codes(const JxlDecoder *decoder, JxlColorEncoding *codes)
{
    typedef JxlDecoderStatus old(
        const JxlDecoder *, const JxlPixelFormat *, JxlColorProfileTarget, JxlColorEncoding *);
    typedef JxlDecoderStatus new (const JxlDecoder *, JxlColorProfileTarget, JxlColorEncoding *);
    void *function = jxl.JxlDecoderGetColorAsEncodedProfile;
    return (has_unused_argument() ? ((old *)function)(decoder, NULL, target, codes)
                                  : ((new *)function)(decoder, target, codes))
        == JXL_DEC_SUCCESS;
}

bool cjxl_profile_size(const JxlDecoder *decoder, size_t *byte_count)
{
    typedef JxlDecoderStatus old(const JxlDecoder *, const JxlPixelFormat *, JxlColorProfileTarget, size_t *);
    typedef JxlDecoderStatus new (const JxlDecoder *, JxlColorProfileTarget, size_t *);
    void *function = jxl.JxlDecoderGetICCProfileSize;
    return (has_unused_argument() ? ((old *)function)(decoder, NULL, target, byte_count)
                                  : ((new *)function)(decoder, target, byte_count))
        == JXL_DEC_SUCCESS;
}

bool cjxl_profile(const JxlDecoder *decoder, uint8_t *bytes, size_t byte_count)
{
    typedef JxlDecoderStatus old(
        const JxlDecoder *, const JxlPixelFormat *, JxlColorProfileTarget, uint8_t *, size_t);
    typedef JxlDecoderStatus new (const JxlDecoder *, JxlColorProfileTarget, uint8_t *, size_t);
    void *function = jxl.JxlDecoderGetColorAsICCProfile;
    return (has_unused_argument() ? ((old *)function)(decoder, NULL, target, bytes, byte_count)
                                  : ((new *)function)(decoder, target, bytes, byte_count))
        == JXL_DEC_SUCCESS;
}
