#include "library.h"
#include <pthread.h>
#include <stdio.h>

struct heif_library heif;

static bool is_loaded;

static void load(void)
{
    static const char *const names[] = { "libheif.so.1", NULL };
#define FUNCTION(name) { #name, (void **)&heif.name },
    static const struct cisolation_symbol symbols[] = { FUNCTIONS(FUNCTION) { NULL, NULL } };
#undef FUNCTION
    is_loaded = cisolation_load(names, symbols);
}

bool cheif_load(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

bool cheif_failed(struct heif_error error, struct cisolation_answer *answer)
{
    if (error.code == heif_error_Ok) return false;
    snprintf(answer->message, sizeof answer->message, "%s", error.message ? error.message : "");
    switch (error.code) {
    case heif_error_Memory_allocation_error:
        // The library's own limits have this code, too.
        answer->status = error.subcode == heif_suberror_Security_limit_exceeded
            ? CISOLATION_STATUS_UNSUPPORTED
            : CISOLATION_STATUS_OUT_OF_MEMORY;
        break;
    case heif_error_Unsupported_filetype:
    case heif_error_Unsupported_feature: answer->status = CISOLATION_STATUS_UNSUPPORTED; break;
    default: answer->status = CISOLATION_STATUS_CORRUPT;
    }
    return true;
}
