// CBenchmark: what the benchmark needs and Swift cannot say: libjpeg's error handling by longjmp, and a
// function that Glibc's module does not show.
#ifndef CBENCHMARK_H
#define CBENCHMARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The codec floor: decodes a whole YCbCr JPEG to RGB rows and encodes those with its own tables and sampling,
// nothing in between. Returns the number of bytes in `output`; 0 where the JPEG is damaged or no YCbCr, or
// `output` is too small.
size_t CBenchmarkPassThroughRGB(const uint8_t *jpeg, size_t count, uint8_t *output, size_t capacity);

// The descriptor of a new file without a name, in memory; -1 and errno where there is none.
int CBenchmarkMemoryFile(const char *name);

#endif
