#include "cisolation_codec.h"
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// More than EXIF, XMP and a profile may have.
enum { MOST_WRITTEN_METADATA = 256 << 20 };
// Beside twice the size of the file. Brotli makes little of metadata that repeat themselves.
enum { SPACE_FOR_RECODING = 16 << 20 };

bool cisolation_load(const char *const *names, const struct cisolation_symbol *symbols)
{
    void *library = NULL;
    for (; library == NULL && *names != NULL; names++) library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
    for (; symbols->name != NULL; symbols++) {
        *symbols->target = dlsym(library, symbols->name);
        if (*symbols->target == NULL) return false;
    }
    return true;
}

bool cisolation_fail(struct cisolation_answer *answer, enum cisolation_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    answer->status = status;
    vsnprintf(answer->message, sizeof answer->message, format, arguments);
    va_end(arguments);
    return false;
}

// MARK: The head

struct head_call {
    const struct cisolation_codec *codec;
    struct cisolation_file file;
    struct cisolation_head *head;
};

static void read_head(void *context)
{
    const struct head_call *call = context;
    struct cisolation_head *head = call->head;
    cisolation_begin(head->most_metadata + call->file.byte_count, cisolation_milliseconds(0));
    if (call->codec->read_head(&call->file, head)) head->answer.status = CISOLATION_STATUS_OK;
}

static bool is_valid(const struct cisolation_head *head)
{
    if (head->width < 1 || head->height < 1 || head->channels < 1 || head->channels > 4) return false;
    if (!cisolation_is_bool(&head->is_16_bit)) return false;
    if (head->item_count < 0 || head->item_count > CISOLATION_MOST_ITEMS) return false;
    for (int index = 0; index < head->item_count; index++) {
        const struct cisolation_item *item = &head->items[index];
        if (item->offset > head->most_metadata || item->byte_count > head->most_metadata - item->offset)
            return false;
    }
    return true;
}

struct cisolation_head *cisolation_head_read(
    const struct cisolation_codec *codec, struct cisolation_file file, size_t most_metadata,
    enum cisolation_status *status)
{
    *status = codec->load() ? CISOLATION_STATUS_OUT_OF_MEMORY : CISOLATION_STATUS_NO_LIBRARY;
    const size_t shared_byte_count = codec->head_byte_count + most_metadata;
    struct cisolation_head *head =
        *status == CISOLATION_STATUS_NO_LIBRARY ? NULL : cisolation_create(shared_byte_count);
    if (head == NULL) return NULL;
    head->byte_count = codec->head_byte_count;
    head->most_metadata = most_metadata;
    struct head_call context = { codec, file, head };
    cisolation_call(
        codec->library, read_head, &context, cisolation_milliseconds(0), &head->answer, shared_byte_count);
    // A crash may have left anything there.
    head->byte_count = codec->head_byte_count;
    head->most_metadata = most_metadata;
    if (head->answer.status == CISOLATION_STATUS_OK && !(is_valid(head) && codec->is_valid(head)))
        head->answer.status = CISOLATION_STATUS_CORRUPT;
    *status = head->answer.status;
    return head;
}

void cisolation_head_destroy(struct cisolation_head *head)
{
    cisolation_destroy(head, head->byte_count + head->most_metadata);
}

const uint8_t *cisolation_head_item(const struct cisolation_head *head, int index)
{
    return (const uint8_t *)head + head->byte_count + head->items[index].offset;
}

size_t cisolation_head_used(const struct cisolation_head *head)
{
    if (head->item_count == 0) return 0;
    const struct cisolation_item *last = &head->items[head->item_count - 1];
    return last->offset + last->byte_count;
}

uint8_t *cisolation_head_add(struct cisolation_head *head, enum cisolation_metadata kind, size_t byte_count)
{
    const size_t offset = cisolation_head_used(head);
    if (head->item_count == CISOLATION_MOST_ITEMS || byte_count > head->most_metadata - offset) {
        head->answer.status = CISOLATION_STATUS_TOO_MUCH_METADATA;
        return NULL;
    }
    head->items[head->item_count++] = (struct cisolation_item) { kind, offset, byte_count };
    return (uint8_t *)head + head->byte_count + offset;
}

// MARK: Pixels

struct pixels_call {
    const struct cisolation_codec *codec;
    struct cisolation_decoding decoding;
    size_t most_memory;
    int milliseconds;
    struct cisolation_pixels *pixels;
};

static void read_pixels(void *context)
{
    const struct pixels_call *call = context;
    cisolation_begin(call->most_memory, call->milliseconds);
    const size_t before = cisolation_memory("VmRSS:");
    if (!call->codec->read_pixels(&call->decoding)) return;
    call->pixels->taken_bytes = cisolation_memory("VmHWM:") - before;
    call->pixels->answer.status = CISOLATION_STATUS_OK;
}

struct cisolation_pixels *cisolation_pixels_read(
    const struct cisolation_codec *codec, struct cisolation_file file, const struct cisolation_head *head,
    bool tolerates_damage, size_t most_memory)
{
    const size_t bytes_per_row = (size_t)head->width * (size_t)head->channels * (head->is_16_bit ? 2 : 1);
    const size_t rows_byte_count = bytes_per_row * (size_t)head->height;
    const size_t shared_byte_count = sizeof(struct cisolation_pixels) + rows_byte_count;
    // The other process does not have the head's own memory.
    struct cisolation_head *copy = malloc(codec->head_byte_count);
    struct cisolation_pixels *pixels = copy == NULL ? NULL : cisolation_create(shared_byte_count);
    if (pixels != NULL) {
        memcpy(copy, head, codec->head_byte_count);
        struct pixels_call context = {
            codec,       { file, copy, tolerates_damage, pixels->bytes, bytes_per_row, &pixels->answer },
            most_memory, cisolation_milliseconds((double)head->width * head->height),
            pixels,
        };
        cisolation_call(
            codec->library, read_pixels, &context, context.milliseconds, &pixels->answer, shared_byte_count);
        // A crash may have left anything there.
        pixels->bytes_per_row = bytes_per_row;
        pixels->rows_byte_count = rows_byte_count;
    }
    free(copy);
    return pixels;
}

void cisolation_pixels_destroy(struct cisolation_pixels *pixels)
{
    cisolation_destroy(pixels, sizeof *pixels + pixels->rows_byte_count);
}

static uint32_t without_alpha(uint32_t value, uint32_t alpha, uint32_t most)
{
    if (alpha == 0) return 0;
    const uint32_t plain = (value * most + alpha / 2) / alpha;
    return plain < most ? plain : most;
}

void cisolation_divide_alpha_out(uint8_t *row, const struct cisolation_head *head)
{
    const size_t channels = (size_t)head->channels, count = (size_t)head->width * channels;
    uint16_t *wide = (uint16_t *)(void *)row;
    for (size_t index = 0; index < count; index++) {
        const size_t alpha = index - index % channels + channels - 1;
        if (index == alpha) continue;
        if (head->is_16_bit) wide[index] = (uint16_t)without_alpha(wide[index], wide[alpha], 0xFFFF);
        else row[index] = (uint8_t)without_alpha(row[index], row[alpha], 0xFF);
    }
}

// MARK: Recoding

struct recode_call {
    bool (*recode)(struct cisolation_recoding *recoding);
    struct cisolation_recoding recoding;
    size_t most_memory;
    int milliseconds;
    struct cisolation_recoded *recoded;
};

static void recode(void *context)
{
    struct recode_call *call = context;
    cisolation_begin(call->most_memory, call->milliseconds);
    const size_t before = cisolation_memory("VmRSS:");
    if (!call->recode(&call->recoding)) return;
    call->recoded->byte_count = call->recoding.result_byte_count;
    call->recoded->taken_bytes = cisolation_memory("VmHWM:") - before;
    call->recoded->answer.status = CISOLATION_STATUS_OK;
}

struct cisolation_recoded *cisolation_recode(
    const struct cisolation_codec *codec, bool (*function)(struct cisolation_recoding *recoding),
    struct cisolation_file file, size_t pixels, size_t most_memory, enum cisolation_status *status)
{
    *status = codec->load() ? CISOLATION_STATUS_OUT_OF_MEMORY : CISOLATION_STATUS_NO_LIBRARY;
    const size_t capacity = 2 * file.byte_count + SPACE_FOR_RECODING;
    const size_t shared_byte_count = sizeof(struct cisolation_recoded) + capacity;
    struct cisolation_recoded *recoded =
        *status == CISOLATION_STATUS_NO_LIBRARY ? NULL : cisolation_create(shared_byte_count);
    if (recoded == NULL) return NULL;
    struct recode_call context = {
        .recode = function,
        .recoding = { .file = file,
                      .result = recoded->bytes,
                      .capacity = capacity,
                      .answer = &recoded->answer },
        .most_memory = most_memory,
        .milliseconds = cisolation_milliseconds(codec->encoding_time * (double)pixels),
        .recoded = recoded,
    };
    cisolation_call(
        codec->library, recode, &context, context.milliseconds, &recoded->answer, shared_byte_count);
    // A crash may have left anything there.
    if (recoded->byte_count > capacity) recoded->answer.status = CISOLATION_STATUS_CORRUPT;
    recoded->capacity = capacity;
    *status = recoded->answer.status;
    return recoded;
}

void cisolation_recoded_destroy(struct cisolation_recoded *recoded)
{
    cisolation_destroy(recoded, sizeof *recoded + recoded->capacity);
}

// MARK: Encoding

// Memory that both processes have: the rows, then space for the file.
struct shared {
    struct cisolation_answer answer;
    size_t taken_bytes, file_byte_count;
    uint8_t bytes[];
};

struct cisolation_encoder {
    const struct cisolation_codec *codec;
    struct cisolation_picture picture;
    size_t bytes_per_row, rows_byte_count, capacity, shared_byte_count;
    struct shared *shared;
};

struct encode_call {
    const struct cisolation_encoder *encoder;
    const struct cisolation_attachments *attachments;
    size_t most_memory;
    int milliseconds;
};

static void encode(void *context)
{
    const struct encode_call *call = context;
    const struct cisolation_encoder *encoder = call->encoder;
    struct shared *shared = encoder->shared;
    struct cisolation_encoding encoding = {
        .picture = &encoder->picture,
        .attachments = call->attachments,
        .rows = shared->bytes,
        .bytes_per_row = encoder->bytes_per_row,
        .file = shared->bytes + encoder->rows_byte_count,
        .capacity = encoder->capacity,
        .answer = &shared->answer,
    };
    cisolation_begin(call->most_memory, call->milliseconds);
    const size_t before = cisolation_memory("VmRSS:");
    if (!encoder->codec->encode(&encoding)) return;
    shared->file_byte_count = encoding.file_byte_count;
    shared->taken_bytes = cisolation_memory("VmHWM:") - before;
    shared->answer.status = CISOLATION_STATUS_OK;
}

bool cisolation_encoding_append(struct cisolation_encoding *encoding, const void *bytes, size_t count)
{
    if (count > encoding->capacity - encoding->file_byte_count) return false;
    memcpy(encoding->file + encoding->file_byte_count, bytes, count);
    encoding->file_byte_count += count;
    return true;
}

struct cisolation_encoder *cisolation_encoder_create(
    const struct cisolation_codec *codec, const struct cisolation_picture *picture,
    enum cisolation_status *status)
{
    *status = codec->load() ? CISOLATION_STATUS_OUT_OF_MEMORY : CISOLATION_STATUS_NO_LIBRARY;
    struct cisolation_encoder *encoder =
        *status == CISOLATION_STATUS_NO_LIBRARY ? NULL : malloc(sizeof *encoder);
    if (encoder == NULL) return NULL;
    encoder->codec = codec;
    encoder->picture = *picture;
    encoder->bytes_per_row =
        (size_t)picture->width * (size_t)picture->channels * (picture->is_16_bit ? 2 : 1);
    encoder->rows_byte_count = encoder->bytes_per_row * (size_t)picture->height;
    // More than any file has. Only what is used takes memory.
    encoder->capacity = encoder->rows_byte_count * 2 + MOST_WRITTEN_METADATA;
    encoder->shared_byte_count = sizeof(struct shared) + encoder->rows_byte_count + encoder->capacity;
    encoder->shared = cisolation_create(encoder->shared_byte_count);
    if (encoder->shared == NULL) {
        free(encoder);
        return NULL;
    }
    *status = CISOLATION_STATUS_OK;
    return encoder;
}

void cisolation_encoder_destroy(struct cisolation_encoder *encoder)
{
    cisolation_destroy(encoder->shared, encoder->shared_byte_count);
    free(encoder);
}

uint8_t *cisolation_encoder_rows(struct cisolation_encoder *encoder) { return encoder->shared->bytes; }

struct cisolation_answer cisolation_encoder_run(
    struct cisolation_encoder *encoder, const struct cisolation_attachments *attachments, size_t most_memory)
{
    const double pixels = (double)encoder->picture.width * encoder->picture.height;
    struct encode_call context = { encoder, attachments, most_memory,
                                   cisolation_milliseconds(encoder->codec->encoding_time * pixels) };
    struct shared *shared = encoder->shared;
    cisolation_call(
        encoder->codec->library, encode, &context, context.milliseconds, &shared->answer,
        encoder->shared_byte_count);
    // A crash may have left anything there.
    if (shared->file_byte_count > encoder->capacity) shared->answer.status = CISOLATION_STATUS_CORRUPT;
    return shared->answer;
}

const uint8_t *cisolation_encoder_file(const struct cisolation_encoder *encoder, size_t *byte_count)
{
    *byte_count = encoder->shared->file_byte_count;
    return encoder->shared->bytes + encoder->rows_byte_count;
}

size_t cisolation_encoder_taken(const struct cisolation_encoder *encoder)
{
    return encoder->shared->taken_bytes;
}
