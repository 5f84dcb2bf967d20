#include "library.h"
#include <pthread.h>

struct raw_library raw;

static bool is_loaded;

static void load(void)
{
    // 0.22, 0.21, 0.20 (Debian 12, Ubuntu 22.04), 0.19.
    static const char *const names[] = { "libraw.so.24", "libraw.so.23", "libraw.so.20", "libraw.so.19",
                                         NULL };
#define FUNCTION(result, name, arguments) { #name, (void **)&raw.name },
    static const struct cisolation_symbol symbols[] = { FUNCTIONS(FUNCTION) { NULL, NULL } };
#undef FUNCTION
    is_loaded = cisolation_load(names, symbols);
}

bool craw_load(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}
