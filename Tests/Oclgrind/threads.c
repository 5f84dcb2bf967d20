// Lets Oclgrind 21.10 look for values that were never written in a program that calls OpenCL from several threads.
// scripts/test-conformance preloads it.
//
// Oclgrind keeps a pool of memory for each thread, but makes it only for the thread that creates the context. Copies by
// another thread then crash. Here, each thread makes its pool first. The functions are C++ methods of Oclgrind's, so
// they have C++ names.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define MAKE_POOL "_ZN8oclgrind13ShadowContext16createMemoryPoolEv"
#define STORE "_ZN8oclgrind13Uninitialized15hostMemoryStoreEPKNS_6MemoryEmmPKh"

typedef void method(void *self);
typedef void store(void *self, const void *memory, size_t address, size_t size, const unsigned char *bytes);

static void *function(const char *name)
{
    void *library = dlopen("liboclgrind-21.10.so", RTLD_NOW | RTLD_NOLOAD);
    void *found = library ? dlsym(library, name) : NULL;
    if (!found) {
        fprintf(stderr, "oclgrind threads: %s\n", dlerror());
        abort();
    }
    return found;
}

store host_memory_store __asm__(STORE);

void host_memory_store(
    void *self, const void *memory, size_t address, size_t size, const unsigned char *bytes)
{
    static _Thread_local int has_pool;
    // The method uses variables of its thread alone.
    if (!has_pool) ((method *)function(MAKE_POOL))(NULL);
    has_pool = 1;
    ((store *)function(STORE))(self, memory, address, size, bytes);
}
