// libFuzzer's mutations: bytes changed at random break a photo's header, and nothing of its data is decoded.
#include "input.h"
#include "mutations.h"
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t capacity);

// Changes the photo; the settings behind it stay.
static size_t mutate_photo(uint8_t *bytes, size_t count, size_t capacity, fuzz_random *random)
{
    uint8_t settings[FUZZ_SETTINGS_SIZE];
    fuzz_photo photo = { bytes, count - sizeof settings, capacity - sizeof settings };
    memcpy(settings, bytes + photo.count, sizeof settings);
    size_t left = 1 + fuzz_below(random, 4);
    for (; left > 0; left--) {
        const fuzz_layout layout = fuzz_find_segments(&photo);
        if (fuzz_below(random, 4) == 0) fuzz_mutate_segment(&photo, &layout, random);
        else fuzz_mutate_scan(&photo, layout.scan, random);
    }
    memcpy(bytes + photo.count, settings, sizeof settings);
    return photo.count + sizeof settings;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t count, size_t capacity, unsigned int seed)
{
    fuzz_random random = { seed };
    const size_t choice = fuzz_below(&random, 16);
    if (choice == 0 || count <= FUZZ_SETTINGS_SIZE) return LLVMFuzzerMutate(bytes, count, capacity);
    if (choice <= 2) {
        bytes[count - 1 - fuzz_below(&random, FUZZ_SETTINGS_SIZE)] = (uint8_t)fuzz_next(&random);
        return count;
    }
    return mutate_photo(bytes, count, capacity, &random);
}

// The headers of one photo, and the data of another.
size_t LLVMFuzzerCustomCrossOver(
    const uint8_t *first, size_t first_count, const uint8_t *second, size_t second_count, uint8_t *out,
    size_t capacity, unsigned int seed)
{
    (void)seed;
    const fuzz_photo head = { (uint8_t *)first, first_count, 0 },
                     data = { (uint8_t *)second, second_count, 0 };
    const size_t head_size = fuzz_find_segments(&head).scan, scan = fuzz_find_segments(&data).scan;
    const size_t data_size = second_count - scan;
    if (head_size + data_size > capacity) return 0;
    memcpy(out, first, head_size);
    memcpy(out + head_size, second + scan, data_size);
    return head_size + data_size;
}
