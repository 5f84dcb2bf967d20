#ifndef CPNG_FAILURE_H
#define CPNG_FAILURE_H

#include "CPNG.h"
#include <png.h>
#include <setjmp.h>

// Where libpng's errors jump to. libpng's error pointer is a pointer to this.
typedef struct cpng_failure {
    jmp_buf entry;
    cpng_status status;
    char message[200];
} cpng_failure;

// Jumps to `entry`. An empty text says that the status says it all.
_Noreturn void cpng_fail(png_structp png, cpng_status status, const char *text);

void cpng_error(png_structp png, png_const_charp text);
void cpng_warning(png_structp png, png_const_charp text);

#endif
