// Rows of floats for the kernels, and what the comparison runs on them.
#ifndef ARCHITECTURES_IMAGE_H
#define ARCHITECTURES_IMAGE_H

#include "Kernels.h"
#include "photo.h"

// A margin of zeros around every row, for the kernels that read and write beyond it.
enum { MARGIN = 256 };

typedef struct image {
    float *planes[3];
    size_t stride; // floats from a row to the next
    int width, height;
} image;

// Prints a line for each result: its name, and the hash of its bytes.
void report(const char *step, const char *name, const void *bytes, size_t count);

image make_image(int width, int height);
void release_image(image *of);
kernels_rows row_of(const image *of, int row);
void report_image(const char *step, const char *name, const image *of);

// From a photo's planes to floats, and back.
image load_image(const kernels_level *level, const photo *of, const plane planes[3]);
void store_image(const kernels_level *level, const image *from, const photo *of, plane planes[3]);

// Encodes each plane as PNGs do.
void run_png(const photo *of, const plane planes[3]);

// Run all that a level has.
void run_points(const kernels_level *level, const image *photo);
void run_windows(const kernels_level *level, const image *photo);
void run_passes(const kernels_level *level, const image *photo);
void run_samples(const kernels_level *level, const image *photo);

image copy_image(const image *of);

#endif
