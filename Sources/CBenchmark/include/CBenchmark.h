// CBenchmark: what the benchmark needs and Swift cannot say: libjpeg's error handling by longjmp, and a
// function that Glibc's module does not show.
#ifndef CBENCHMARK_H
#define CBENCHMARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The codec floor: what libjpeg alone needs to decode a photo and encode it again, nothing in between.
//
// Decodes a whole YCbCr JPEG, and encodes it with its own quantisation tables and sampling, baseline, with
// libjpeg's standard Huffman tables. Samples pass as RGB rows, as in most programs, or as the JPEG's own planes,
// without upsampling or colour conversion. The result goes to the file at its current position.
//
// False where the JPEG is damaged or no YCbCr, or the file cannot be written.
bool cbenchmark_pass_jpeg(const uint8_t *jpeg, size_t count, int descriptor, bool as_planes);

// The descriptor of a new file without a name, in memory; -1 and errno where there is none.
int cbenchmark_memory_file(const char *name);

#endif
