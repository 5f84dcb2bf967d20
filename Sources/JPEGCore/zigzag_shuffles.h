#ifndef JPEGCORE_ZIGZAG_SHUFFLES_H
#define JPEGCORE_ZIGZAG_SHUFFLES_H

// The zigzag order (T.81, figure A.6) as byte shuffles: a vector of 8 coefficients is put together from those vectors
// that have some of them.
#include <stdint.h>

// A byte that becomes zero.
enum { NO = 0x80 };

// Rows from vectors of coefficients in zigzag order.
static const uint8_t rows_from_zigzag[8][8][16] = {
    {
        [0] = { 0, 1, 2, 3, 10, 11, 12, 13, NO, NO, NO, NO, NO, NO, NO, NO },
        [1] = { NO, NO, NO, NO, NO, NO, NO, NO, 12, 13, 14, 15, NO, NO, NO, NO },
        [3] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 6, 7, 8, 9 },
    },
    {
        [0] = { 4, 5, 8, 9, 14, 15, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
        [1] = { NO, NO, NO, NO, NO, NO, 10, 11, NO, NO, NO, NO, NO, NO, NO, NO },
        [2] = { NO, NO, NO, NO, NO, NO, NO, NO, 0, 1, NO, NO, NO, NO, NO, NO },
        [3] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 4, 5, 10, 11, NO, NO },
        [5] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 4, 5 },
    },
    {
        [0] = { 6, 7, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
        [1] = { NO, NO, 0, 1, 8, 9, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
        [2] = { NO, NO, NO, NO, NO, NO, 2, 3, NO, NO, NO, NO, NO, NO, NO, NO },
        [3] = { NO, NO, NO, NO, NO, NO, NO, NO, 2, 3, 12, 13, NO, NO, NO, NO },
        [5] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 2, 3, 6, 7 },
    },
    {
        [1] = { 2, 3, 6, 7, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
        [2] = { NO, NO, NO, NO, 4, 5, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
        [3] = { NO, NO, NO, NO, NO, NO, 0, 1, 14, 15, NO, NO, NO, NO, NO, NO },
        [5] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 0, 1, 8, 9, NO, NO },
        [6] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 10, 11 },
    },
    {
        [1] = { 4, 5, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
        [2] = { NO, NO, 6, 7, 14, 15, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
        [4] = { NO, NO, NO, NO, NO, NO, 0, 1, 14, 15, NO, NO, NO, NO, NO, NO },
        [5] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 10, 11, NO, NO, NO, NO },
        [6] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 8, 9, 12, 13 },
    },
    {
        [2] = { 8, 9, 12, 13, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
        [4] = { NO, NO, NO, NO, 2, 3, 12, 13, NO, NO, NO, NO, NO, NO, NO, NO },
        [5] = { NO, NO, NO, NO, NO, NO, NO, NO, 12, 13, NO, NO, NO, NO, NO, NO },
        [6] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 6, 7, 14, 15, NO, NO },
        [7] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 8, 9 },
    },
    {
        [2] = { 10, 11, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
        [4] = { NO, NO, 4, 5, 10, 11, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
        [5] = { NO, NO, NO, NO, NO, NO, 14, 15, NO, NO, NO, NO, NO, NO, NO, NO },
        [6] = { NO, NO, NO, NO, NO, NO, NO, NO, 4, 5, NO, NO, NO, NO, NO, NO },
        [7] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 0, 1, 6, 7, 10, 11 },
    },
    {
        [4] = { 6, 7, 8, 9, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
        [6] = { NO, NO, NO, NO, 0, 1, 2, 3, NO, NO, NO, NO, NO, NO, NO, NO },
        [7] = { NO, NO, NO, NO, NO, NO, NO, NO, 2, 3, 4, 5, 12, 13, 14, 15 },
    },
};

// Vectors of coefficients in zigzag order from rows.
static const uint8_t zigzag_from_rows[8][8][16] = {
    {
        [0] = { 0, 1, 2, 3, NO, NO, NO, NO, NO, NO, 4, 5, 6, 7, NO, NO },
        [1] = { NO, NO, NO, NO, 0, 1, NO, NO, 2, 3, NO, NO, NO, NO, 4, 5 },
        [2] = { NO, NO, NO, NO, NO, NO, 0, 1, NO, NO, NO, NO, NO, NO, NO, NO },
    },
    {
        [0] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 8, 9, 10, 11 },
        [1] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 6, 7, NO, NO, NO, NO },
        [2] = { 2, 3, NO, NO, NO, NO, NO, NO, 4, 5, NO, NO, NO, NO, NO, NO },
        [3] = { NO, NO, 0, 1, NO, NO, 2, 3, NO, NO, NO, NO, NO, NO, NO, NO },
        [4] = { NO, NO, NO, NO, 0, 1, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
    },
    {
        [1] = { 8, 9, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
        [2] = { NO, NO, 6, 7, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
        [3] = { NO, NO, NO, NO, 4, 5, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
        [4] = { NO, NO, NO, NO, NO, NO, 2, 3, NO, NO, NO, NO, NO, NO, 4, 5 },
        [5] = { NO, NO, NO, NO, NO, NO, NO, NO, 0, 1, NO, NO, 2, 3, NO, NO },
        [6] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 0, 1, NO, NO, NO, NO },
    },
    {
        [0] = { NO, NO, NO, NO, NO, NO, 12, 13, 14, 15, NO, NO, NO, NO, NO, NO },
        [1] = { NO, NO, NO, NO, 10, 11, NO, NO, NO, NO, 12, 13, NO, NO, NO, NO },
        [2] = { NO, NO, 8, 9, NO, NO, NO, NO, NO, NO, NO, NO, 10, 11, NO, NO },
        [3] = { 6, 7, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 8, 9 },
    },
    {
        [4] = { 6, 7, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 8, 9 },
        [5] = { NO, NO, 4, 5, NO, NO, NO, NO, NO, NO, NO, NO, 6, 7, NO, NO },
        [6] = { NO, NO, NO, NO, 2, 3, NO, NO, NO, NO, 4, 5, NO, NO, NO, NO },
        [7] = { NO, NO, NO, NO, NO, NO, 0, 1, 2, 3, NO, NO, NO, NO, NO, NO },
    },
    {
        [1] = { NO, NO, NO, NO, 14, 15, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
        [2] = { NO, NO, 12, 13, NO, NO, 14, 15, NO, NO, NO, NO, NO, NO, NO, NO },
        [3] = { 10, 11, NO, NO, NO, NO, NO, NO, 12, 13, NO, NO, NO, NO, NO, NO },
        [4] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 10, 11, NO, NO, NO, NO },
        [5] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 8, 9, NO, NO },
        [6] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 6, 7 },
    },
    {
        [3] = { NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 14, 15, NO, NO, NO, NO },
        [4] = { NO, NO, NO, NO, NO, NO, NO, NO, 12, 13, NO, NO, 14, 15, NO, NO },
        [5] = { NO, NO, NO, NO, NO, NO, 10, 11, NO, NO, NO, NO, NO, NO, 12, 13 },
        [6] = { NO, NO, NO, NO, 8, 9, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
        [7] = { 4, 5, 6, 7, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO },
    },
    {
        [5] = { NO, NO, NO, NO, NO, NO, NO, NO, 14, 15, NO, NO, NO, NO, NO, NO },
        [6] = { 10, 11, NO, NO, NO, NO, 12, 13, NO, NO, 14, 15, NO, NO, NO, NO },
        [7] = { NO, NO, 8, 9, 10, 11, NO, NO, NO, NO, NO, NO, 12, 13, 14, 15 },
    },
};

// Bit n says whether vector n is needed.
static const uint8_t zigzag_sources_of_rows[8] = { 0xb, 0x2f, 0x2f, 0x6e, 0x76, 0xf4, 0xf4, 0xd0 };
static const uint8_t row_sources_of_zigzag[8] = { 0x7, 0x1f, 0x7e, 0xf, 0xf0, 0x7e, 0xf8, 0xe0 };

#endif
