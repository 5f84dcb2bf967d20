// kernels_params.h: the parameters of each OpenCL kernel besides its buffers.
// Compiled by the OpenCL driver, before the kernels, and by clang for the host (Kernels.h alone includes it).
// The structs have int members only, so both compilers lay them out alike. A buffer has at most 2^30 bytes,
// so an int holds every offset.
//
// `columns`, `width` and `rows` are the size that a kernel works on; a work-item beyond it does nothing.
// Other members named after rows and columns are the position of the first one.

// Offsets of a strip's planes and lengths of their rows, in bytes. Interleaved samples are one plane.
typedef struct kernels_planes {
    int second, third, fourth;
    // A row of the first plane; for planes of floats, which have one size, a row of each.
    int stride;
    // A row of a JPEG's second and third plane.
    int chroma_stride;
} kernels_planes;

// Planes of floats in a blur's passes: floats from one row to the next, and from one plane to the next.
typedef struct kernels_float_planes {
    int stride, plane;
} kernels_float_planes;

// How a photo is shown, upright: its size then, and where the pixel in a column and a row of the stored photo is
// shown: at left + column * x_by_column + row * x_by_row from the left, and likewise from the top. Two of the four
// factors are 0, the others 1 or -1.
typedef struct kernels_view {
    int left, top;
    int x_by_column, x_by_row, y_by_column, y_by_row;
    int width, height;
} kernels_view;

// filter_points.cl, linearise.cl, mix_blur.cl

typedef struct kernels_points_params {
    int width, rows;
    // In the photo and in the input and output strips.
    int photo_row, in_row, out_row;
    kernels_planes in, out;
    kernels_view view;
} kernels_points_params;

typedef struct kernels_linearise_params {
    int width, rows;
    // In the photo, in the strip and in the result.
    int photo_row, in_row, to_row;
    // The first row of the photo that the result contains.
    int first_photo_row;
    kernels_planes in;
    kernels_float_planes to;
    kernels_view view;
} kernels_linearise_params;

typedef struct kernels_mix_params {
    int width, rows;
    // In the photo and in the two strips. The blur's first row is row 0.
    int photo_row, in_row, out_row;
    // A column of the blur covers 2 to the power of this pixels along x.
    int factor_log2;
    kernels_planes in, out;
    kernels_float_planes blurred;
    kernels_view view;
} kernels_mix_params;

// resample_passes.cl, blur_passes.cl
// `needed_row`: in the table that tells which rows are needed. `to_row`: in the result; it may lie before its
// first row.

typedef struct kernels_downsample_x_params {
    int columns, rows;
    int needed_row, to_row;
    // The downsampled column that is the result's column 0; the column that is the source's column 0; the
    // source's columns.
    int first_column, from_column, from_columns;
    kernels_float_planes from, to;
} kernels_downsample_x_params;

typedef struct kernels_downsample_y_params {
    int columns, rows;
    int needed_row, to_row;
    // The first downsampled row; the row that is the source's row 0.
    int first_row, from_row;
    // The first and the last of all rows that are downsampled.
    int lowest_row, highest_row;
    kernels_float_planes from, to;
} kernels_downsample_y_params;

typedef struct kernels_blur_x_params {
    int columns, rows;
    int needed_row, to_row;
    // The radius, if all rows and columns share one.
    int radius;
    // The source's column that becomes the result's column 0; the source's columns.
    int from_column, from_columns;
    kernels_float_planes from, to;
} kernels_blur_x_params;

typedef struct kernels_blur_y_params {
    int columns, rows;
    int needed_row;
    int radius;
    // The same for rows.
    int from_row, from_rows;
    kernels_float_planes from, to;
} kernels_blur_y_params;

typedef struct kernels_upsample_y_params {
    int columns, rows;
    // 1 if the mask changes by row of the photo, else 0.
    int mask_by_row;
    // In the photo; the downsampled row that is the source's row 0.
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

// window_pass.cl

typedef struct kernels_window_params {
    int width, height, rows;
    // In the photo; the source's row that is its planes' row 0; in the result's planes.
    int photo_row, from_row, to_row;
    kernels_float_planes from, to;
    kernels_view view;
} kernels_window_params;

// resize_passes.cl

typedef struct kernels_resize_y_params {
    int columns, rows;
    // The result's row that is its planes' row 0; the source's row that is its planes' row 0.
    int first_row, from_row;
    // Pixels of the source in each sum.
    int taps;
    kernels_float_planes from, to;
} kernels_resize_y_params;

typedef struct kernels_resize_x_params {
    int columns, rows;
    // In the result's planes.
    int to_row;
    int taps;
    kernels_float_planes from, to;
} kernels_resize_x_params;
