#ifndef CPNG_FAILURE_H
#define CPNG_FAILURE_H

#include "CPNG.h"
#include <png.h>
#include <setjmp.h>

// The jump target of libpng's errors. libpng's error pointer points to it.
typedef struct cpng_failure {
    jmp_buf entry;
    cpng_status status;
    char message[200];
    bool is_tolerated; // a loss of pixels is no failure
} cpng_failure;

// Jumps to `entry`. An empty text means that the status is the whole message.
_Noreturn void cpng_fail(png_structp png, cpng_status status, const char *text);

void cpng_error(png_structp png, png_const_charp text);
void cpng_warning(png_structp png, png_const_charp text);

#endif
