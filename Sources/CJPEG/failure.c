#include "failure.h"
#include <jerror.h>
#include <string.h>

static CJPEGStatus status_of(int code)
{
    switch (code) {
    case JERR_OUT_OF_MEMORY:
        return CJPEGStatusOutOfMemory;
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_COMPONENT_COUNT:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_EMPTY_IMAGE: // 0 rows in the header: the height follows in a DNL segment
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_IMAGE_TOO_BIG:
    case JERR_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED:
    case JERR_WIDTH_OVERFLOW:
        return CJPEGStatusUnsupported;
    default:
        return CJPEGStatusCorrupt;
    }
}

_Noreturn void cjpeg_fail(j_common_ptr info, CJPEGStatus status, const char *text)
{
    CJPEGFailure *failure = (CJPEGFailure *)info->err;
    failure->status = status;
    strncpy(failure->message, text, sizeof failure->message - 1);
    longjmp(failure->entry, 1);
}

static void error_exit(j_common_ptr info)
{
    char text[JMSG_LENGTH_MAX];
    info->err->format_message(info, text);
    cjpeg_fail(info, status_of(info->err->msg_code), text);
}

// libjpeg warns where it goes on with pixels it made up, so a warning is a failure: a half-grey photo is not
// a photo. The exception is harmless: a JFIF revision libjpeg does not know, which changes no pixel.
static void emit_message(j_common_ptr info, int level)
{
    if (level < 0 && info->err->msg_code != JWRN_JFIF_MAJOR)
        error_exit(info);
}

static void output_message(j_common_ptr info)
{
    (void)info; // libjpeg never writes to stderr
}

struct jpeg_error_mgr *cjpeg_failure_init(CJPEGFailure *failure)
{
    jpeg_std_error(&failure->manager);
    failure->manager.error_exit = error_exit;
    failure->manager.emit_message = emit_message;
    failure->manager.output_message = output_message;
    return &failure->manager;
}
