// CBenchmark: the benchmark's code that Swift cannot express: libjpeg's error handling with longjmp, and
// functions that Swift's Glibc module lacks.
#ifndef CBENCHMARK_H
#define CBENCHMARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The codec floor: libjpeg alone decodes a photo and encodes it again.
//
// Decodes a whole YCbCr JPEG, and encodes it with its own quantisation tables and sampling, baseline, with
// libjpeg's standard Huffman tables. Samples pass as RGB rows, as in most programs, or as the JPEG's own planes,
// without upsampling or colour conversion. The result goes to the file at its current position.
//
// False if the JPEG is damaged or not YCbCr, or if the file cannot be written.
bool cbenchmark_pass_jpeg(const uint8_t *jpeg, size_t count, int descriptor, bool as_planes);

// The descriptor of a new file in memory, without a name; -1 and errno on failure.
int cbenchmark_memory_file(const char *name);

// Whether files at a path are in memory.
bool cbenchmark_is_memory(const char *path);

#endif
