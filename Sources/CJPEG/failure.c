#include "failure.h"
#include <jerror.h>
#include <string.h>

static cjpeg_status status_of(int code)
{
    switch (code) {
    case JERR_OUT_OF_MEMORY: return CJPEG_STATUS_OUT_OF_MEMORY;
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
    case JERR_WIDTH_OVERFLOW: return CJPEG_STATUS_UNSUPPORTED;
    default: return CJPEG_STATUS_CORRUPT;
    }
}

_Noreturn void cjpeg_fail(j_common_ptr info, cjpeg_status status, const char *text)
{
    cjpeg_failure *failure = (cjpeg_failure *)info->err;
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

void cjpeg_damage(j_common_ptr info, cjpeg_status status, const char *text)
{
    const cjpeg_failure *failure = (const cjpeg_failure *)info->err;
    if (!failure->is_lenient) cjpeg_fail(info, status, text);
}

typedef enum Verdict {
    VerdictSilent,
    VerdictNote,  // the photo has all of its pixels
    VerdictDamage // libjpeg goes on with pixels that it made up
} Verdict;

// Handles every warning of jerror.h.
static Verdict verdict(j_common_ptr info)
{
    switch (info->err->msg_code) {
    case JWRN_JFIF_MAJOR: // an unknown revision of JFIF's header, which does not affect pixels
        return VerdictSilent;
    case JWRN_ADOBE_XFORM: // an unknown colour transform: decoders assume YCbCr or YCCK
        return VerdictNote;
    case JWRN_NOT_SEQUENTIAL: // fields of SOS with one valid value, which libjpeg assumes
        return VerdictNote;
    case JWRN_EXTRANEOUS_DATA: // before the first scan stray bytes, later data outside blocks
        return ((j_decompress_ptr)info)->input_scan_number == 0 ? VerdictNote : VerdictDamage;
    case JWRN_HUFF_BAD_CODE:     // an invalid code counts as a zero
    case JWRN_ARITH_BAD_CODE:    // the rest of the scan stays zero
    case JWRN_HIT_MARKER:        // coded data ends early: the rest of the interval stays zero
    case JWRN_JPEG_EOF:          // the file ends early; our own source says so by its status
    case JWRN_MUST_RESYNC:       // a restart marker is missing: intervals are skipped or repeated
    case JWRN_BOGUS_PROGRESSION: // a scan refines what was not sent, or sends it again
    case JWRN_BOGUS_ICC:     // jpeg_read_icc_profile's, and JWRN_TOO_MUCH_DATA jpeg_read_scanlines' behind
    case JWRN_TOO_MUCH_DATA: // the last row: neither is called so
    default:                 // a warning of a newer libjpeg
        return VerdictDamage;
    }
}

static void emit_message(j_common_ptr info, int level)
{
    cjpeg_failure *failure = (cjpeg_failure *)info->err;
    char text[JMSG_LENGTH_MAX];
    if (level >= 0) return;
    switch (verdict(info)) {
    case VerdictSilent: break;
    case VerdictNote:
        if (failure->note[0] == '\0') info->err->format_message(info, failure->note);
        break;
    case VerdictDamage:
        info->err->format_message(info, text);
        cjpeg_damage(info, CJPEG_STATUS_CORRUPT, text);
        break;
    }
}

static void output_message(j_common_ptr info)
{
    (void)info; // libjpeg never writes to stderr
}

struct jpeg_error_mgr *cjpeg_failure_init(cjpeg_failure *failure)
{
    jpeg_std_error(&failure->manager);
    failure->manager.error_exit = error_exit;
    failure->manager.emit_message = emit_message;
    failure->manager.output_message = output_message;
    return &failure->manager;
}
