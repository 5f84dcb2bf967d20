#include "mutations.h"

// Marker codes (ITU-T T.81, table B.1).
enum { SOF0 = 0xC0, SOF1 = 0xC1, SOF2 = 0xC2, DHT = 0xC4, SOS = 0xDA, DQT = 0xDB, DRI = 0xDD };

enum { MOST_CODE_LENGTH = 16 };

static void change_byte(uint8_t *bytes, size_t count, fuzz_random *random)
{
    if (count > 0) bytes[fuzz_below(random, count)] = (uint8_t)fuzz_next(random);
}

// Makes a code longer, which leaves a prefix code, or changes symbols.
static void change_codes(uint8_t *table, size_t count, fuzz_random *random)
{
    if (count <= 1 + MOST_CODE_LENGTH) return;
    uint8_t *counts = table; // of the codes of length 1 and so on: the table's number is before them
    const size_t shorter = 1 + fuzz_below(random, MOST_CODE_LENGTH);
    const size_t longer = shorter + fuzz_below(random, MOST_CODE_LENGTH + 1 - shorter);
    uint8_t *symbols = table + 1 + MOST_CODE_LENGTH;
    const size_t symbol_count = count - 1 - MOST_CODE_LENGTH;
    uint8_t *first = &symbols[fuzz_below(random, symbol_count)];
    uint8_t *second = &symbols[fuzz_below(random, symbol_count)];
    const uint8_t symbol = *first;
    switch (fuzz_below(random, 4)) {
    case 0:
    case 1:
        if (counts[shorter] == 0) break;
        counts[shorter]--;
        counts[longer]++;
        break;
    case 2:
        *first = *second;
        *second = symbol;
        break;
    case 3: *first = (uint8_t)fuzz_next(random); break;
    }
}

// A table's steps, of 8 or 16 bits.
static void change_steps(uint8_t *table, size_t count, fuzz_random *random)
{
    static const uint8_t steps[] = { 0, 1, 2, 255 };
    const uint8_t step =
        fuzz_below(random, 2) == 0 ? (uint8_t)fuzz_next(random) : steps[fuzz_below(random, 4)];
    if (count < 2) return;
    if (fuzz_below(random, 4) > 0) table[1 + fuzz_below(random, count - 1)] = step;
    else
        for (size_t n = 1; n < count; n++)
            if (n % 65 != 0) table[n] = step;
}

static void change_frame(uint8_t *frame, size_t count, fuzz_random *random)
{
    static const uint8_t factors[] = { 0x11, 0x21, 0x12, 0x22, 0x41, 0x14, 0x42, 0x24 };
    const size_t component_count = count > 6 ? (count - 6) / 3 : 0;
    const size_t side = 1 + 2 * fuzz_below(random, 2); // height or width
    if (component_count == 0) return;
    uint8_t *component = frame + 6 + 3 * fuzz_below(random, component_count);
    switch (fuzz_below(random, 6)) {
    case 0:
    case 1:
    case 2:
        frame[side] = 0;
        frame[side + 1] = (uint8_t)(1 + fuzz_below(random, 255));
        break;
    case 3: frame[7] = factors[fuzz_below(random, sizeof factors)]; break;
    case 4: component[2] = (uint8_t)fuzz_below(random, 4); break; // quantisation table
    case 5: change_byte(frame, count, random); break;
    }
}

static void change_interval(uint8_t *interval, size_t count, fuzz_random *random)
{
    if (count < 2) return;
    interval[0] = 0;
    interval[1] = (uint8_t)fuzz_below(random, 20);
}

void fuzz_mutate_segment(fuzz_photo *photo, const fuzz_layout *layout, fuzz_random *random)
{
    if (layout->segment_count == 0) return;
    const fuzz_segment segment = layout->segments[fuzz_below(random, layout->segment_count)];
    uint8_t *parameters = photo->bytes + segment.at;
    switch (segment.code) {
    case SOF0:
    case SOF1:
    case SOF2: change_frame(parameters, segment.count, random); break;
    case DHT: change_codes(parameters, segment.count, random); break;
    case DQT: change_steps(parameters, segment.count, random); break;
    case DRI: change_interval(parameters, segment.count, random); break;
    case SOS:
        if (fuzz_below(random, 2) == 0) {
            const uint8_t interval[] = { 0xFF, DRI, 0, 4, 0, (uint8_t)fuzz_below(random, 20) };
            fuzz_insert(photo, segment.at - 4, interval, sizeof interval);
            break;
        }
        [[fallthrough]];
    default: change_byte(parameters, segment.count, random); break;
    }
}
