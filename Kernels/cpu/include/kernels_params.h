// kernels_params.h: what each OpenCL kernel is told besides its buffers. Compiled by the OpenCL driver, before the kernels,
// and by clang, for the host (Kernels.h alone includes it): so structs of ints alone, which both lay out alike. A buffer
// has at most 2^30 bytes, so an int holds every offset.
//
// `columns`, `width` and `rows` are how many of them a kernel works on; a work-item beyond those does nothing. The other
// rows and columns are where the first of them lies.

// Where the planes of a strip's memory begin, and how long their rows are, in bytes. Interleaved samples are one plane.
typedef struct kernels_planes {
    int second, third, fourth;
    // A row of the first plane, and of planes of floats, which are all of one size.
    int stride;
    // A row of a JPEG's second and third plane.
    int chroma_stride;
} kernels_planes;

// Planes of floats that a blur's passes work on: floats from one row to the next, and from one plane to the next.
typedef struct kernels_float_planes {
    int stride, plane;
} kernels_float_planes;

// filter_points.cl, linearise.cl, mix_blur.cl

typedef struct kernels_points_params {
    int width, rows;
    // In the two strips.
    int in_row, out_row;
    kernels_planes in, out;
} kernels_points_params;

typedef struct kernels_linearise_params {
    int width, rows;
    // In the photo, in the strip and in the result.
    int photo_row, in_row, to_row;
    // The first row of the photo that the result has.
    int first_photo_row;
    kernels_planes in;
    kernels_float_planes to;
} kernels_linearise_params;

typedef struct kernels_mix_params {
    int width, rows;
    // In the photo and in the two strips; in the blur, it is row 0.
    int photo_row, in_row, out_row;
    // How many pixels along x a column of the blur stands for: 2 to the power of this.
    int factor_log2;
    kernels_planes in, out;
    kernels_float_planes blurred;
} kernels_mix_params;

// resample_passes.cl, blur_passes.cl. `needed_row`: in the table that says which rows anything depends on. `to_row`: in the result; it may lie
// before the result's first row.

typedef struct kernels_downsample_x_params {
    int columns, rows;
    int needed_row, to_row;
    // The downsampled column that is column 0 of the result; the column that is column 0 of the source, and how many it has.
    int first_column, from_column, from_columns;
    kernels_float_planes from, to;
} kernels_downsample_x_params;

typedef struct kernels_downsample_y_params {
    int columns, rows;
    int needed_row, to_row;
    // The downsampled row that comes first; the row that is row 0 of the source.
    int first_row, from_row;
    // The first and the last of all rows that are downsampled.
    int lowest_row, highest_row;
    kernels_float_planes from, to;
} kernels_downsample_y_params;

typedef struct kernels_blur_x_params {
    int columns, rows;
    int needed_row, to_row;
    // Of the weights, where there is one for all.
    int radius;
    // In the source, the column that becomes column 0 of the result; how many columns it has.
    int from_column, from_columns;
    kernels_float_planes from, to;
} kernels_blur_x_params;

typedef struct kernels_blur_y_params {
    int columns, rows;
    int needed_row;
    int radius;
    // As above.
    int from_row, from_rows;
    kernels_float_planes from, to;
} kernels_blur_y_params;

typedef struct kernels_upsample_y_params {
    int columns, rows;
    // 1 where the mask is by row of the photo, else 0.
    int mask_by_row;
    // In the photo; the downsampled row that is row 0 of the source.
    int photo_row, from_row;
    kernels_float_planes from, to;
} kernels_upsample_y_params;

typedef struct kernels_upsample_x_params {
    int columns, rows;
    int mask_by_row;
    // In the photo and in the result.
    int photo_row, to_row;
    kernels_float_planes from, to;
} kernels_upsample_x_params;
