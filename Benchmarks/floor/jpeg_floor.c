// The codec floor: what libjpeg-turbo alone needs to decode photos and encode them again, nothing in between.
//
// usage: jpeg_floor rgb|planes PROCESSES OUTPUT_FOLDER PHOTO.jpg...
//
// - rgb: through interleaved RGB rows, as most programs do (4:2:0, upsampled with libjpeg's defaults).
// - planes: through raw YCbCr planes, without upsampling or colour conversion. 4:2:0 photos only.
//
// Both encode with the quantisation tables and sampling of the source, baseline, with libjpeg's standard Huffman
// tables, into a temporary file that is flushed to the disk (fsync) and renamed, after which the folder is flushed:
// what a careful program owes its user. Prints nothing where all went well.

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jpeglib.h>

enum { ROWS_PER_MCU_ROW = 16 };

typedef struct {
    const unsigned char *bytes;
    size_t count;
} Mapping;

static void fail(const char *what, const char *path) {
    fprintf(stderr, "jpeg_floor: %s %s: %s\n", what, path, strerror(errno));
    exit(1);
}

static void *allocate(size_t byteCount) {
    void *memory = malloc(byteCount);
    if (!memory) fail("cannot allocate memory for", "a photo");
    return memory;
}

static Mapping map_file(const char *path) {
    const int file = open(path, O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) fail("cannot read", path);
    void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) fail("cannot read", path);
    close(file);
    return (Mapping){bytes, (size_t)status.st_size};
}

static void pass_rgb(j_decompress_ptr source, j_compress_ptr target) {
    jpeg_start_decompress(source);
    jpeg_start_compress(target, TRUE);
    unsigned char *memory = allocate((size_t)ROWS_PER_MCU_ROW * source->output_width * 3);
    JSAMPROW rows[ROWS_PER_MCU_ROW];
    for (int row = 0; row < ROWS_PER_MCU_ROW; row++)
        rows[row] = memory + (size_t)row * source->output_width * 3;
    while (source->output_scanline < source->output_height) {
        const JDIMENSION count = jpeg_read_scanlines(source, rows, ROWS_PER_MCU_ROW);
        jpeg_write_scanlines(target, rows, count);
    }
    free(memory);
}

static void pass_planes(j_decompress_ptr source, j_compress_ptr target, const char *path) {
    const jpeg_component_info *luma = &source->comp_info[0], *chroma = &source->comp_info[1];
    if (source->num_components != 3 || luma->h_samp_factor != 2 || luma->v_samp_factor != 2 ||
        chroma->h_samp_factor != 1 || chroma->v_samp_factor != 1) {
        fprintf(stderr, "jpeg_floor: %s is not 4:2:0.\n", path);
        exit(1);
    }
    source->raw_data_out = TRUE;
    target->raw_data_in = TRUE;
    jpeg_start_decompress(source);
    jpeg_start_compress(target, TRUE);

    unsigned char *memory[3];
    JSAMPROW rows[3][ROWS_PER_MCU_ROW];
    for (int plane = 0; plane < 3; plane++) {
        const int count = plane == 0 ? ROWS_PER_MCU_ROW : ROWS_PER_MCU_ROW / 2;
        // Room for whole MCUs: libjpeg writes them all.
        const size_t width = ((size_t)source->image_width + 15) / 16 * (plane == 0 ? 16 : 8);
        memory[plane] = allocate(width * (size_t)count);
        for (int row = 0; row < count; row++) rows[plane][row] = memory[plane] + (size_t)row * width;
    }
    JSAMPARRAY planes[3] = {rows[0], rows[1], rows[2]};
    while (source->output_scanline < source->output_height) {
        jpeg_read_raw_data(source, planes, ROWS_PER_MCU_ROW);
        jpeg_write_raw_data(target, planes, ROWS_PER_MCU_ROW);
    }
    for (int plane = 0; plane < 3; plane++) free(memory[plane]);
}

// The source's own tables, so that both ways do the same work for the entropy coder.
static void use_tables_of(j_decompress_ptr source, j_compress_ptr target, int isPlanes) {
    target->image_width = source->image_width;
    target->image_height = source->image_height;
    target->input_components = 3;
    target->in_color_space = isPlanes ? JCS_YCbCr : JCS_RGB;
    jpeg_set_defaults(target);
    for (int table = 0; table < NUM_QUANT_TBLS; table++) {
        const JQUANT_TBL *values = source->quant_tbl_ptrs[table];
        if (!values) continue;
        if (!target->quant_tbl_ptrs[table])
            target->quant_tbl_ptrs[table] = jpeg_alloc_quant_table((j_common_ptr)target);
        memcpy(target->quant_tbl_ptrs[table]->quantval, values->quantval, sizeof values->quantval);
        target->quant_tbl_ptrs[table]->sent_table = FALSE;
    }
    for (int component = 0; component < 3; component++) {
        target->comp_info[component].h_samp_factor = source->comp_info[component].h_samp_factor;
        target->comp_info[component].v_samp_factor = source->comp_info[component].v_samp_factor;
        target->comp_info[component].quant_tbl_no = source->comp_info[component].quant_tbl_no;
    }
}

static FILE *create_file(const char *path) {
    FILE *file = fopen(path, "wb");
    if (!file) fail("cannot create", path);
    setvbuf(file, NULL, _IOFBF, 1 << 18);
    return file;
}

static void finish_file(FILE *file, const char *temporary, const char *final, const char *folder) {
    if (fflush(file) != 0 || fsync(fileno(file)) != 0 || fclose(file) != 0 || rename(temporary, final) != 0)
        fail("cannot write", final);
    const int directory = open(folder, O_RDONLY | O_DIRECTORY);
    if (directory < 0 || fsync(directory) != 0 || close(directory) != 0) fail("cannot write", folder);
}

// libjpeg's own error manager ends the process with a message, which is right here.
static void pass(const char *path, const char *folder, int isPlanes) {
    char final[4096], temporary[sizeof final + 8];
    const char *slash = strrchr(path, '/');
    snprintf(final, sizeof final, "%s/%s", folder, slash ? slash + 1 : path);
    snprintf(temporary, sizeof temporary, "%s.part", final);

    const Mapping input = map_file(path);
    FILE *output = create_file(temporary);
    struct jpeg_error_mgr errors;
    struct jpeg_decompress_struct source = {.err = jpeg_std_error(&errors)};
    struct jpeg_compress_struct target = {.err = &errors};
    jpeg_create_decompress(&source);
    jpeg_create_compress(&target);
    jpeg_mem_src(&source, input.bytes, input.count);
    jpeg_stdio_dest(&target, output);
    jpeg_read_header(&source, TRUE);
    use_tables_of(&source, &target, isPlanes);

    if (isPlanes) pass_planes(&source, &target, path);
    else pass_rgb(&source, &target);

    jpeg_finish_compress(&target);
    jpeg_finish_decompress(&source);
    if (errors.num_warnings > 0) {
        fprintf(stderr, "jpeg_floor: %s is damaged.\n", path);
        exit(1);
    }
    jpeg_destroy_compress(&target);
    jpeg_destroy_decompress(&source);
    finish_file(output, temporary, final, folder);
    munmap((void *)input.bytes, input.count);
}

int main(int argumentCount, char **arguments) {
    const int isPlanes = argumentCount > 1 && strcmp(arguments[1], "planes") == 0;
    const int processCount = argumentCount > 2 ? atoi(arguments[2]) : 0;
    if (argumentCount < 5 || processCount < 1 || !(isPlanes || strcmp(arguments[1], "rgb") == 0)) {
        fprintf(stderr, "usage: jpeg_floor rgb|planes PROCESSES OUTPUT_FOLDER PHOTO.jpg...\n");
        return 2;
    }
    // Shared by the processes: whoever is free takes the next photo.
    atomic_int *next =
        mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (next == MAP_FAILED) fail("cannot share memory between", "processes");
    atomic_init(next, 4);

    for (int process = 0; process < processCount; process++) {
        const pid_t child = fork();
        if (child < 0) fail("cannot start", "a process");
        if (child > 0) continue;
        for (int index; (index = atomic_fetch_add(next, 1)) < argumentCount;)
            pass(arguments[index], arguments[3], isPlanes);
        exit(0);
    }
    int status = 0, hasFailed = 0;
    while (wait(&status) > 0) hasFailed |= status != 0;
    return hasFailed;
}
