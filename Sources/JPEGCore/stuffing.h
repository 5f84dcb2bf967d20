#ifndef JPEGCORE_STUFFING_H
#define JPEGCORE_STUFFING_H

#include <stddef.h>
#include <stdint.h>

// Copies bytes with a zero after each 0xFF (T.81, F.1.2.3), at most twice as many. Returns their number.
size_t stuff(const uint8_t *from, size_t count, uint8_t *to);

#endif
