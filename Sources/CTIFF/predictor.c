#include "CTIFF.h"

void ctiff_differences_8(const uint8_t *row, uint8_t *to, size_t count, size_t channels)
{
    for (size_t index = 0; index < channels && index < count; index++) to[index] = row[index];
    for (size_t index = channels; index < count; index++)
        to[index] = (uint8_t)(row[index] - row[index - channels]);
}

void ctiff_differences_16(const uint16_t *row, uint16_t *to, size_t count, size_t channels, bool swaps)
{
    for (size_t index = 0; index < channels && index < count; index++) to[index] = row[index];
    for (size_t index = channels; index < count; index++)
        to[index] = (uint16_t)(row[index] - row[index - channels]);
    for (size_t index = 0; swaps && index < count; index++)
        to[index] = (uint16_t)(to[index] >> 8 | to[index] << 8);
}
