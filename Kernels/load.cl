// load.cl: loads a work-item's block from a strip, or from planes of floats. See block.cl.
//   load_words: all words of the block from (x, y) on;
//   load_cell: the pixels of the cell that begins at a column of the block. Pixels outside the photo have undefined values.

FUNCTION uint word_at(__global const uchar *memory, int offset)
{
    return *(__global const uint *)(memory + offset);
}

FUNCTION float byte_of(uint word, int index) { return (float)(int)((word >> (8 * index)) & 0xffu); }

#if defined(IN_YCC)
// Words of one row of the block.
#define IN_LUMA (BLOCK_W / 4)
#define IN_CHROMA (BLOCK_W / IN_H / 4)

typedef struct {
    uint luma[IN_LUMA * BLOCK_H], cb[IN_CHROMA * BLOCK_H / IN_V], cr[IN_CHROMA * BLOCK_H / IN_V];
} loaded_words;

FUNCTION void load_words(
    __global const uchar *in, kernels_planes at, int x, int y, PRIVATE loaded_words *words)
{
#pragma unroll
    for (int i = 0; i < IN_LUMA * BLOCK_H; i++)
        words->luma[i] = word_at(in, (y + i / IN_LUMA) * at.stride + x + 4 * (i % IN_LUMA));
#pragma unroll
    for (int i = 0; i < IN_CHROMA * BLOCK_H / IN_V; i++) {
        const int chroma = (y / IN_V + i / IN_CHROMA) * at.chroma_stride + x / IN_H + 4 * (i % IN_CHROMA);
        words->cb[i] = word_at(in, at.second + chroma);
        words->cr[i] = word_at(in, at.third + chroma);
    }
}

FUNCTION void load_cell(
    __global const uchar *in, kernels_planes at, int x, int y, PRIVATE const loaded_words *words, int column,
    PRIVATE pixel_cell *p)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        const int h = column + i % CELL_W, v = i / CELL_W, sample = h / IN_H;
        const int chroma = v / IN_V * IN_CHROMA + sample / 4;
        const float luma = byte_of(words->luma[v * IN_LUMA + h / 4], h % 4);
        float to_red, to_green, to_blue;
        chroma_offsets(
            byte_of(words->cb[chroma], sample % 4), byte_of(words->cr[chroma], sample % 4), &to_red,
            &to_green, &to_blue);
        p->r[i] = channel_value(luma, to_red);
        p->g[i] = channel_value(luma, to_green);
        p->b[i] = channel_value(luma, to_blue);
    }
}
#elif defined(IN_FLOATS)
// Cells are loaded from memory.
typedef struct {
    int none;
} loaded_words;

FUNCTION void load_words(
    __global const uchar *in, kernels_planes at, int x, int y, PRIVATE loaded_words *words)
{
}

FUNCTION float float_at(__global const uchar *memory, int offset)
{
    return *(__global const float *)(memory + offset);
}

FUNCTION void load_cell(
    __global const uchar *in, kernels_planes at, int x, int y, PRIVATE const loaded_words *words, int column,
    PRIVATE pixel_cell *p)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        const int pixel = (y + i / CELL_W) * at.stride + 4 * (x + column + i % CELL_W);
        p->r[i] = float_at(in, pixel);
        p->g[i] = float_at(in, at.second + pixel);
        p->b[i] = float_at(in, at.third + pixel);
#if HAS_ALPHA
        p->a[i] = float_at(in, at.fourth + pixel);
#endif
    }
}
#else
#define IN_BYTES (IN_CHANNELS * IN_DEPTH / 8)
#define IN_WORDS (BLOCK_W * IN_BYTES / 4)
#if IN_DEPTH == 8
#define IN_SAMPLE(words, i) byte_of((words)[(i) / 4], (i) % 4)
#define IN_SCALE (1.0f / 255.0f)
#else
#define IN_SAMPLE(words, i) (float)(int)(((words)[(i) / 2] >> (16 * ((i) % 2))) & 0xffffu)
#define IN_SCALE (1.0f / 65535.0f)
#endif
typedef struct {
    uint rows[IN_WORDS * BLOCK_H];
} loaded_words;

FUNCTION void load_words(
    __global const uchar *in, kernels_planes at, int x, int y, PRIVATE loaded_words *words)
{
#pragma unroll
    for (int i = 0; i < IN_WORDS * BLOCK_H; i++)
        words->rows[i] = word_at(in, (y + i / IN_WORDS) * at.stride + x * IN_BYTES + 4 * (i % IN_WORDS));
}

FUNCTION void load_cell(
    __global const uchar *in, kernels_planes at, int x, int y, PRIVATE const loaded_words *words, int column,
    PRIVATE pixel_cell *p)
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        PRIVATE const uint *row = words->rows + i / CELL_W * IN_WORDS;
        const int sample = (column + i % CELL_W) * IN_CHANNELS;
        p->r[i] = IN_SAMPLE(row, sample) * IN_SCALE;
        p->g[i] = IN_SAMPLE(row, sample + (IN_CHANNELS > 2 ? 1 : 0)) * IN_SCALE;
        p->b[i] = IN_SAMPLE(row, sample + (IN_CHANNELS > 2 ? 2 : 0)) * IN_SCALE;
#if HAS_ALPHA
        p->a[i] = IN_SAMPLE(row, sample + IN_CHANNELS - 1) * IN_SCALE;
#endif
    }
}
#endif
