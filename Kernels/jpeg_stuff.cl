// jpeg_stuff.cl: moves strings of bits to their places, with stuffed zeros and markers. Part of jpeg_encode.cl.

// Groups of a segment that have blocks; only the last segment may have fewer.
FUNCTION uint group_count(__global const jpeg_image *image, uint segment)
{
    const uint start = segment * image->segment_mcus;
    return (min(image->segment_mcus, image->mcu_count - start) + MCUS - 1) / MCUS;
}

// From each group's bits to its place in its segment: of the bits before it, those of an unfinished byte, and the bytes before
// its first whole byte, with stuffed ones.
__kernel __attribute__((reqd_work_group_size(PLACING, 1, 1))) void place_groups(
    __global const jpeg_image *restrict image, __global const uint *restrict bit_counts,
    __global const uint *restrict edges, __global const uint *restrict ones, __global uint2 *restrict places,
    __global uint *restrict sizes)
{
    __local uint cells[PLACING / 16 * 17], rows[PLACING / 16];
    const uint item = (uint)get_local_id(0), segment = (uint)get_group_id(0);
    const uint count = group_count(image, segment), share = (count + PLACING - 1) / PLACING;
    const uint first = segment * image->segment_groups;
    const uint from = min(item * share, count), to = min(from + share, count);

    // Half a gigabyte has more bits than a uint counts.
    ulong bits = 0;
    for (uint n = from; n < to; n++) bits += bit_counts[first + n];
    uint all_bytes, all_bits;
    const uint bytes_before = sum_before(cells, rows, PLACING, item, (uint)(bits >> 3), &all_bytes);
    const uint bits_before = sum_before(cells, rows, PLACING, item, (uint)bits & 7, &all_bits);
    const ulong before = (ulong)bytes_before * 8 + bits_before;

    // The bytes 0xFF that begin in each group.
    uint stuffed = 0, all_stuffed;
    ulong bit = before;
    for (uint n = from; n < to; n++) {
        const uint slot = first + n, length = bit_counts[slot];
        uint added = ones[8 * slot + ((uint)-bit & 7)];
        bit += length;
        const uint shared = (uint)bit & 7; // bits of a byte that ends in the next group
        if (shared > 0 && shared <= length) {
            // The segment is filled up with ones.
            const uint head = n + 1 < count ? edges[2 * slot + 2] >> 24 : 0xFF;
            const uint rest = n + 2 == count && bit_counts[slot + 1] < 8 ? 0xFFU >> bit_counts[slot + 1] : 0;
            const uint byte = (edges[2 * slot + 1] << (8 - shared) & 0xFF) | (head | rest) >> shared;
            if (byte == 0xFF) added++;
        }
        places[slot].y = added;
        stuffed += added;
    }
    uint byte = sum_before(cells, rows, PLACING, item, stuffed, &all_stuffed);
    bit = before;
    for (uint n = from; n < to; n++) {
        const uint slot = first + n, added = places[slot].y;
        places[slot] = (uint2)((uint)bit & 7, (uint)((bit + 7) / 8) + byte);
        bit += bit_counts[slot];
        byte += added;
    }
    if (item == 0) sizes[segment] = all_bytes + (all_bits + 7) / 8 + all_stuffed;
}

// Where each segment begins in the scan's data, with a marker after each; after the last one's place, the size of all.
__kernel __attribute__((reqd_work_group_size(PLACING, 1, 1))) void place_segments(
    __global const jpeg_image *restrict image, __global const uint *restrict sizes,
    __global uint *restrict starts)
{
    __local uint cells[PLACING / 16 * 17], rows[PLACING / 16];
    const uint item = (uint)get_local_id(0);
    const uint count = image->segment_count, share = (count + PLACING - 1) / PLACING;
    const uint from = min(item * share, count), to = min(from + share, count);
    uint bytes = 0, all;
    for (uint n = from; n < to; n++) bytes += sizes[n] + 2;
    uint start = sum_before(cells, rows, PLACING, item, bytes, &all);
    for (uint n = from; n < to; n++) {
        starts[n] = start;
        start += sizes[n] + 2;
    }
    if (item == 0) starts[count] = all;
}

#define ITEM_BYTES 16
#define PIECE (GROUP * ITEM_BYTES) // bytes that a group moves at a time

// The highest bit of each byte that is 0xFF.
FUNCTION uint full_bytes(uint word) { return ((word & 0x7F7F7F7FU) + 0x01010101U) & word & 0x80808080U; }

// Writes each group's bytes, by words but for those that a word shares with a neighbour. Nothing is written if `capacity` is too
// small.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void stuff_groups(
    __global const jpeg_image *restrict image, __global const uint *restrict strings,
    __global const uint *restrict bit_counts, __global const uint *restrict edges,
    __global const uint2 *restrict places, __global const uint *restrict starts,
    __global uint *restrict output, uint capacity)
{
    __local uint stuffed_words[2 * PIECE / 4 + 1];
    __local uint cells[GROUP / 16 * 17], rows[GROUP / 16];
    __local uchar *const stuffed = (__local uchar *)stuffed_words;

    const uint item = (uint)get_local_id(0), slot = slot_of_group();
    const uint segment = slot / image->segment_groups, group = slot - segment * image->segment_groups;
    const uint groups = group_count(image, segment);
    const bool is_written = group < groups && starts[image->segment_count] <= capacity;

    __global const uint *const string = strings + (size_t)slot * SLOT;
    const uint2 place = is_written ? places[slot] : (uint2)(0, 0);
    const uint bit_count = is_written ? bit_counts[slot] : 0;
    const uint skipped = -place.x & 7; // bits of a byte that began in the group before
    const uint byte_count = bit_count > skipped ? (bit_count - skipped + 7) / 8 : 0;
    const uint end_word = bit_count >> 5, end_bits = bit_count & 31;
    const uint head = is_written && group + 1 < groups ? edges[2 * slot + 2] : 0xFFFFFFFFU;
    const uint head_length = is_written && group + 2 == groups ? bit_counts[slot + 1] : 32;
    const uint after = head_length < 32 ? head | 0xFFFFFFFFU >> head_length : head; // filled up with ones

    uint to = starts[segment] + place.y;
    for (uint piece = 0; piece < byte_count; piece += PIECE) {
        const uint first_byte = piece + item * ITEM_BYTES;
        const uint count = first_byte < byte_count ? min(byte_count - first_byte, (uint)ITEM_BYTES) : 0;
        uint words[4] = { 0, 0, 0, 0 };
        uint full_count = 0;
        if (count > 0) {
            const uint first_word = first_byte / 4;
            uint next[5];
            for (uint n = 0; n < 5; n++) {
                const uint w = first_word + n;
                next[n] = w * 32 < bit_count ? string[w] : 0;
                if (w == end_word) next[n] |= after >> end_bits;
                if (w == end_word + 1 && end_bits > 0) next[n] |= after << (32 - end_bits);
            }
            for (uint n = 0; n < 4; n++) {
                uint word = skipped > 0 ? next[n] << skipped | next[n + 1] >> (32 - skipped) : next[n];
                const uint bytes = count > 4 * n ? min(count - 4 * n, 4U) : 0;
                if (bytes < 4) word &= ~(0xFFFFFFFFU >> (8 * bytes)); // no byte 0xFF after the last
                words[n] = word;
                full_count += popcount(full_bytes(word));
            }
        }
        uint all_full;
        const uint full_before = sum_before(cells, rows, GROUP, item, full_count, &all_full);
        const uint size = min(byte_count - piece, (uint)PIECE) + all_full;
        const uint shift = to & 3; // words in local memory are words of the output
        uint at = shift + item * ITEM_BYTES + full_before;
#pragma unroll
        for (uint n = 0; n < ITEM_BYTES; n++) {
            const uint byte = words[n / 4] >> (24 - 8 * (n & 3)) & 0xFF;
            if (n < count) stuffed[at++] = (uchar)byte;
            if (n < count && byte == 0xFF) stuffed[at++] = 0;
        }
        LOCAL_BARRIER;
        __global uint *const out = output + to / 4;
        const uint used = shift + size;
        for (uint n = item; n * 4 < used; n += GROUP) {
            if ((n > 0 || shift == 0) && n * 4 + 4 <= used) {
                out[n] = stuffed_words[n];
            } else {
                __global uchar *const bytes = (__global uchar *)(out + n);
                for (uint b = n == 0 ? shift : 0; b < 4 && n * 4 + b < used; b++)
                    bytes[b] = stuffed[n * 4 + b];
            }
        }
        to += size;
    }
    if (is_written && item == 0 && group + 1 == groups) {
        // RSTn or EOI.
        __global uchar *const marker = (__global uchar *)output + starts[segment + 1] - 2;
        marker[0] = 0xFF;
        marker[1] = segment + 1 < image->segment_count ? 0xD0 + (segment & 7) : 0xD9;
    }
}
