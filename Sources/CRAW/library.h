// LibRaw's functions in C, of the versions since 0.20. Its own headers are not needed: what they hold has another form in each
// version, and only these functions are used. (Since 0.22, the offset of damage has 64 bits; it is not looked at.)
#ifndef CRAW_LIBRARY_H
#define CRAW_LIBRARY_H

#include "CRAW.h"

typedef struct libraw_data libraw_data;

// libraw_processed_image_t.
struct libraw_image {
    int kind; // LIBRAW_IMAGE_BITMAP
    unsigned short height, width, colors, bits;
    unsigned byte_count;
    unsigned char bytes[];
};

enum { LIBRAW_IMAGE_BITMAP = 2 };

// Neither memory nor data that are missing are told on the standard streams.
enum { LIBRAW_QUIET = 3 };

enum libraw_error {
    LIBRAW_FILE_UNSUPPORTED = -2,
    LIBRAW_NOT_IMPLEMENTED = -8,
    LIBRAW_UNSUFFICIENT_MEMORY = -100007,
    LIBRAW_IO_ERROR = -100009,
    LIBRAW_TOO_BIG = -100012
};

#define FUNCTIONS(FUNCTION)                                                                              \
    FUNCTION(libraw_data *, libraw_init, (unsigned flags))                                               \
    FUNCTION(int, libraw_open_buffer, (libraw_data *, const void *bytes, size_t byte_count))             \
    FUNCTION(int, libraw_adjust_sizes_info_only, (libraw_data *))                                        \
    FUNCTION(int, libraw_get_iwidth, (libraw_data *))                                                    \
    FUNCTION(int, libraw_get_iheight, (libraw_data *))                                                   \
    FUNCTION(float, libraw_get_cam_mul, (libraw_data *, int index))                                      \
    FUNCTION(void, libraw_set_user_mul, (libraw_data *, int index, float value))                         \
    FUNCTION(void, libraw_set_output_color, (libraw_data *, int space))                                  \
    FUNCTION(void, libraw_set_output_bps, (libraw_data *, int bits))                                     \
    FUNCTION(void, libraw_set_gamma, (libraw_data *, int index, float value))                            \
    FUNCTION(                                                                                            \
        void, libraw_set_dataerror_handler,                                                              \
        (libraw_data *, void (*told)(void *context, const char *file, const int offset), void *context)) \
    FUNCTION(int, libraw_unpack, (libraw_data *))                                                        \
    FUNCTION(int, libraw_dcraw_process, (libraw_data *))                                                 \
    FUNCTION(struct libraw_image *, libraw_dcraw_make_mem_image, (libraw_data *, int *error))            \
    FUNCTION(const char *, libraw_strerror, (int error))

// All are NULL without the library.
struct raw_library {
#define FUNCTION(result, name, arguments) result(*name) arguments;
    FUNCTIONS(FUNCTION)
#undef FUNCTION
};
extern struct raw_library raw;

// Loads the library once.
bool craw_load(void);

#endif
