#include "library.h"
#include <pthread.h>

struct raw_library raw;

static bool is_loaded;

static void load(void)
{
    // 0.22.1, 0.22.0, 0.21 and 0.20 (Debian 12, Ubuntu 22.04).
    static const char *const names[] = { "libraw.so.25", "libraw.so.24", "libraw.so.23", "libraw.so.20",
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
