#ifndef CJPEG_FAILURE_H
#define CJPEG_FAILURE_H

#include "CJPEG.h"
#include <stdio.h>
#include <jpeglib.h>
#include <setjmp.h>

// A libjpeg error manager that jumps back to the shim's entry point.
typedef struct cjpeg_failure {
    struct jpeg_error_mgr manager; // first: libjpeg's pointer to it is a pointer to this
    jmp_buf entry;
    cjpeg_status status;
    char message[JMSG_LENGTH_MAX];
    bool is_lenient;            // whether pixels are made up where the data is damaged
    char note[JMSG_LENGTH_MAX]; // the first warning that costs no pixels
} cjpeg_failure;

struct jpeg_error_mgr *cjpeg_failure_init(cjpeg_failure *failure);

// Jumps to `entry`. An empty text means that the status is the whole message.
_Noreturn void cjpeg_fail(j_common_ptr info, cjpeg_status status, const char *text);

// Fails like cjpeg_fail, unless the reader is lenient: then lost pixels are made up.
void cjpeg_damage(j_common_ptr info, cjpeg_status status, const char *text);

#endif
