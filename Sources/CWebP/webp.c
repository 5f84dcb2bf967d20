#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include <webp/decode.h>
#include <webp/encode.h>

#include "CWebP.h"

#define FUNCTIONS(FUNCTION)           \
    FUNCTION(WebPGetFeaturesInternal) \
    FUNCTION(WebPINewRGB)             \
    FUNCTION(WebPIUpdate)             \
    FUNCTION(WebPIDecGetRGB)          \
    FUNCTION(WebPIDelete)             \
    FUNCTION(WebPConfigInitInternal)  \
    FUNCTION(WebPPictureInitInternal) \
    FUNCTION(WebPPictureAlloc)        \
    FUNCTION(WebPPictureFree)         \
    FUNCTION(WebPEncode)

// All are NULL without the library.
static struct {
#define FUNCTION(name) __typeof__(name) *name;
    FUNCTIONS(FUNCTION)
#undef FUNCTION
} webp;

static bool is_loaded;

static void load(void)
{
    void *library = dlopen("libwebp.so.7", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    bool found = true;
#define FUNCTION(name) found = (webp.name = (__typeof__(name) *)dlsym(library, #name)) != NULL && found;
    FUNCTIONS(FUNCTION)
#undef FUNCTION
    is_loaded = found;
}

static bool has_library(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

static cwebp_status decoding_status(VP8StatusCode code)
{
    switch (code) {
    case VP8_STATUS_OK: return CWEBP_STATUS_OK;
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA: return CWEBP_STATUS_TRUNCATED;
    case VP8_STATUS_OUT_OF_MEMORY: return CWEBP_STATUS_OUT_OF_MEMORY;
    default: return CWEBP_STATUS_CORRUPT;
    }
}

cwebp_status cwebp_read_features(const uint8_t *data, size_t size, cwebp_features *features)
{
    if (!has_library()) return CWEBP_STATUS_NO_LIBRARY;
    WebPBitstreamFeatures found;
    const VP8StatusCode code = webp.WebPGetFeaturesInternal(data, size, &found, WEBP_DECODER_ABI_VERSION);
    if (code == VP8_STATUS_OK)
        *features = (cwebp_features) { found.width, found.height, found.has_alpha, found.format == 2 };
    return decoding_status(code);
}

cwebp_status cwebp_decode(
    const uint8_t *data, size_t size, bool has_alpha, uint8_t *pixels, size_t bytes_per_row, int width,
    int height, int *rows)
{
    *rows = 0;
    if (!has_library()) return CWEBP_STATUS_NO_LIBRARY;
    // The last row ends where its pixels do.
    const size_t capacity = bytes_per_row * ((size_t)height - 1) + (size_t)width * (has_alpha ? 4 : 3);
    WebPIDecoder *decoder =
        webp.WebPINewRGB(has_alpha ? MODE_RGBA : MODE_RGB, pixels, capacity, (int)bytes_per_row);
    if (decoder == NULL) return CWEBP_STATUS_OUT_OF_MEMORY;
    const cwebp_status status = decoding_status(webp.WebPIUpdate(decoder, data, size));
    if (status == CWEBP_STATUS_OK) *rows = height;
    else if (webp.WebPIDecGetRGB(decoder, rows, NULL, NULL, NULL) == NULL) *rows = 0;
    webp.WebPIDelete(decoder);
    return status;
}

struct cwebp_picture {
    WebPPicture content;
    cwebp_write write;
    void *context;
};

static cwebp_status encoding_status(WebPEncodingError error)
{
    switch (error) {
    case VP8_ENC_ERROR_PARTITION0_OVERFLOW:
    case VP8_ENC_ERROR_PARTITION_OVERFLOW:
    case VP8_ENC_ERROR_FILE_TOO_BIG: return CWEBP_STATUS_TOO_LARGE;
    case VP8_ENC_ERROR_BAD_WRITE: return CWEBP_STATUS_CALLBACK_FAILED;
    // The sizes and settings are checked by the caller.
    default: return CWEBP_STATUS_OUT_OF_MEMORY;
    }
}

cwebp_picture *cwebp_picture_create(int width, int height, cwebp_status *status)
{
    *status = has_library() ? CWEBP_STATUS_OUT_OF_MEMORY : CWEBP_STATUS_NO_LIBRARY;
    cwebp_picture *picture = is_loaded ? calloc(1, sizeof *picture) : NULL;
    if (picture == NULL) return NULL;
    if (webp.WebPPictureInitInternal(&picture->content, WEBP_ENCODER_ABI_VERSION)) {
        picture->content.use_argb = true;
        picture->content.width = width;
        picture->content.height = height;
        if (webp.WebPPictureAlloc(&picture->content)) {
            *status = CWEBP_STATUS_OK;
            return picture;
        }
    }
    free(picture);
    return NULL;
}

void cwebp_picture_destroy(cwebp_picture *picture)
{
    if (picture == NULL) return;
    webp.WebPPictureFree(&picture->content);
    free(picture);
}

void cwebp_picture_store(cwebp_picture *picture, int row, const uint8_t *pixels, bool has_alpha)
{
    const WebPPicture *content = &picture->content;
    uint32_t *target = content->argb + (size_t)row * (size_t)content->argb_stride;
    const size_t pixel_bytes = has_alpha ? 4 : 3;
    for (int x = 0; x < content->width; x++, pixels += pixel_bytes) {
        const uint32_t alpha = has_alpha ? pixels[3] : 0xFF;
        target[x] = alpha << 24 | (uint32_t)pixels[0] << 16 | (uint32_t)pixels[1] << 8 | pixels[2];
    }
}

static int write_bytes(const uint8_t *bytes, size_t count, const WebPPicture *content)
{
    const cwebp_picture *picture = content->custom_ptr;
    return picture->write(picture->context, bytes, count);
}

cwebp_status cwebp_encode(cwebp_picture *picture, int quality, cwebp_write write, void *context)
{
    WebPConfig config;
    if (!webp.WebPConfigInitInternal(&config, WEBP_PRESET_DEFAULT, 75, WEBP_ENCODER_ABI_VERSION))
        return CWEBP_STATUS_NO_LIBRARY;
    if (quality < 0) {
        // Level 2 of 9: a quarter of the time of level 6, the library's usual one, for files that are 1 % larger.
        config.lossless = 1;
        config.method = 2;
        config.quality = 25;
        // Colours that are fully transparent are kept, too.
        config.exact = 1;
    } else {
        config.quality = (float)quality;
    }
    picture->write = write;
    picture->context = context;
    picture->content.writer = write_bytes;
    picture->content.custom_ptr = picture;
    const bool is_encoded = webp.WebPEncode(&config, &picture->content);
    const cwebp_status status = is_encoded ? CWEBP_STATUS_OK : encoding_status(picture->content.error_code);
    webp.WebPPictureFree(&picture->content);
    return status;
}
