#include "library.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct heif_library heif;

static bool is_loaded;

static void load(void)
{
    void *library = dlopen("libheif.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    bool found = true;
#define FUNCTION(name) found = (heif.name = (__typeof__(name) *)dlsym(library, #name)) != NULL && found;
    FUNCTIONS(FUNCTION)
#undef FUNCTION
    is_loaded = found;
}

bool cheif_has_library(void)
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
