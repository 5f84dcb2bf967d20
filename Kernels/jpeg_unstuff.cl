// jpeg_unstuff.cl: removes stuffed zeros, and finds restart markers and the end. Part of jpeg_decode.cl.

// A bit for each byte of a word that is 0.
FUNCTION uint zero_bytes(uint word)
{
    const uint highest = ~(((word & 0x7F7F7F7Fu) + 0x7F7F7F7Fu) | word | 0x7F7F7F7Fu);
    return (highest >> 7) * 0x10204080u >> 28;
}

FUNCTION uint equal_bytes(uint4 bytes, uint mask, uint value)
{
    const uint4 rest = (bytes & mask) ^ value;
    return zero_bytes(rest.x) | zero_bytes(rest.y) << 4 | zero_bytes(rest.z) << 8 | zero_bytes(rest.w) << 12;
}

// What 16 bytes of a scan are, a bit each: those that stay, and the second bytes of restart markers and of
// others.
typedef struct kinds {
    uint keep, restart, end;
} kinds;

FUNCTION kinds kinds_at(__global const uchar *in, uint at, uint end, bool has_restarts, uint4 *bytes)
{
    kinds made = { 0, 0, 0 };
    *bytes = (uint4)(0);
    if (at < end) {
        *bytes = *(__global const uint4 *)(in + at);
        const uint full = equal_bytes(*bytes, 0xFFFFFFFFu, 0xFFFFFFFFu);
        const uint zero = equal_bytes(*bytes, 0xFFFFFFFFu, 0);
        const uint valid = end - at >= 16 ? 0xFFFF : (1u << (end - at)) - 1;
        const uint after = full << 1 | (uint)(at > 0 && in[at - 1] == 0xFF);
        uint dropped = after & zero;
        made.end = valid & after & ~zero;
        if (has_restarts) {
            uint restart = equal_bytes(*bytes, 0xF8F8F8F8u, 0xD0D0D0D0u);
            if (at + 16 < end) restart |= (uint)((in[at + 16] & 0xF8) == 0xD0) << 16;
            restart &= after;
            dropped |= restart | restart >> 1;
            made.restart = restart & valid;
            made.end &= ~restart;
        }
        made.keep = valid & ~dropped;
    }
    return made;
}

// Counts of 16 bytes or of a chunk: those that stay, and restart markers in the higher bits.
FUNCTION uint counts_of(kinds of) { return popcount(of.keep) | popcount(of.restart) << 16; }

// The bits below the lowest one.
FUNCTION uint zeros_below(uint bits) { return popcount((bits & -bits) - 1); }

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void unstuff_count(
    __global const jpeg_scan *scan, __global const uchar *in, __global uint2 *chunks, __global uint *states)
{
    SUMS_OF_256
    const uint item = (uint)get_local_id(0), chunk = (uint)get_group_id(0), at = chunk * CHUNK + item * 16;
    uint4 bytes;
    uint total;
    const kinds here = kinds_at(in, at, scan->in_bytes, scan->restart_interval > 0, &bytes);
    if (here.end != 0) atomic_min(states + END, at + zeros_below(here.end) - 1);
    sum_before(cells, rows, 256, item, counts_of(here), &total);
    if (item == 0) chunks[chunk].x = total;
}

// The place of each chunk's bytes, and the number of its first restart marker. One work-group.
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void unstuff_scan(
    __global const jpeg_scan *scan, __global const uchar *in, __global uint2 *chunks, __global uchar *words,
    __global uint *states)
{
    SUMS_OF_256
    const uint item = (uint)get_local_id(0), end = states[END];
    // The chunk with the end is counted anew.
    const uint whole = end / CHUNK;
    uint kept = 0, restarts = 0, total = 0;
    for (uint first = 0; first < whole; first += 256) {
        const uint chunk = first + item, counts = chunk < whole ? chunks[chunk].x : 0;
        const uint kept_before = kept + sum_before(cells, rows, 256, item, counts & 0xFFFF, &total);
        kept += total;
        const uint restarts_before = restarts + sum_before(cells, rows, 256, item, counts >> 16, &total);
        restarts += total;
        if (chunk < whole) chunks[chunk] = (uint2)(kept_before, restarts_before);
    }
    uint4 bytes;
    const kinds here = kinds_at(in, whole * CHUNK + item * 16, end, scan->restart_interval > 0, &bytes);
    sum_before(cells, rows, 256, item, counts_of(here), &total);
    // There are no counts for an empty last chunk.
    if (item == 0 && whole * CHUNK < end) chunks[whole] = (uint2)(kept, restarts);
    kept += total & 0xFFFF;
    restarts += total >> 16;
    if (item == 0) {
        states[TOTAL] = kept;
        states[RESTARTS] = restarts;
    }
    // Zeros after the end: readers are ahead of their position.
    if (item < 64) words[(kept + item) ^ 3] = 0;
}

// Words are big-endian. `segments` gets where each segment but the first begins.
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void unstuff_scatter(
    __global const jpeg_scan *scan, __global const uchar *in, __global const uint2 *chunks,
    __global uint *words, __global uint *segments, __global uint *states)
{
    SUMS_OF_256
    __local uchar kept[CHUNK];
    const uint item = (uint)get_local_id(0), chunk = (uint)get_group_id(0), end = states[END];
    if (chunk * CHUNK >= end) return;
    const uint first_byte = chunk * CHUNK + item * 16;
    uint4 bytes;
    uint total;
    const kinds here = kinds_at(in, first_byte, end, scan->restart_interval > 0, &bytes);
    const uint before = sum_before(cells, rows, 256, item, counts_of(here), &total);
    const uint2 place = chunks[chunk];
    const uint begin = place.x, stop = begin + (total & 0xFFFF);
    const uint parts[4] = { bytes.x, bytes.y, bytes.z, bytes.w };
    uint to = before & 0xFFFF;
#pragma unroll
    for (uint n = 0; n < 16; n++)
        if ((here.keep >> n & 1) != 0) kept[to++] = (uchar)(parts[n >> 2] >> (8 * (n & 3)));
    uint number = place.y + (before >> 16);
    for (uint rest = here.restart; rest != 0; rest &= rest - 1) {
        const uint n = zeros_below(rest);
        // They count from 0 to 7, again and again.
        if ((in[first_byte + n] & 7) != (number & 7)) atomic_or(states + STATUS, INVALID);
        number++;
        if (number < scan->segment_count)
            segments[number] = begin + (before & 0xFFFF) + popcount(here.keep & ((1u << n) - 1));
    }
    LOCAL_BARRIER;
    // Words at the chunk's ends belong to other groups too, and are written in bytes.
    for (uint word = begin / 4 + item; word * 4 < stop; word += 256) {
        const uint first = word * 4;
        if (first >= begin && first + 4 <= stop) {
            __local const uchar *from = kept + (first - begin);
            words[word] = (uint)from[0] << 24 | (uint)from[1] << 16 | (uint)from[2] << 8 | from[3];
        } else {
            for (uint n = max(first, begin); n < min(first + 4, stop); n++)
                ((__global uchar *)words)[n ^ 3] = kept[n - begin];
        }
    }
}
