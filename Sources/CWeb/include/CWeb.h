// The files of the gallery's page (Sources/Gallery/Web).
#ifndef CWEB_H
#define CWEB_H

#include <stddef.h>
#include <stdint.h>

typedef struct cweb_file {
    const char *name;
    const uint8_t *bytes;
    size_t byte_count;
} cweb_file;

const cweb_file *cweb_files(size_t *count);

#endif
