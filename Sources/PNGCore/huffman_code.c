#include "huffman_code.h"

typedef struct leaf {
    uint32_t count;
    uint16_t symbol;
} leaf;

// Shell's sort, by counts; of equal ones, any order gives the same lengths in total, and this one is always the same.
static void sort(leaf *leaves, int count)
{
    static const int gaps[] = { 57, 23, 10, 4, 1 };
    for (size_t n = 0; n < sizeof gaps / sizeof *gaps; n++) {
        const int gap = gaps[n];
        for (int i = gap; i < count; i++) {
            const leaf moved = leaves[i];
            int at = i;
            for (; at >= gap && leaves[at - gap].count > moved.count; at -= gap)
                leaves[at] = leaves[at - gap];
            leaves[at] = moved;
        }
    }
}

// Numbers of codes of each length, from leaves with rising counts. Inner nodes are made with rising counts too, so that
// the two rarest are always the next of either.
static void count_lengths(const leaf *leaves, int count, int limit, int counts[])
{
    uint32_t sums[LITLEN_COUNT];
    int leaf_parents[LITLEN_COUNT], parents[LITLEN_COUNT], depths[LITLEN_COUNT];
    int leaf_at = 0, node_at = 0;
    for (int made = 0; made < count - 1; made++) {
        sums[made] = 0;
        for (int child = 0; child < 2; child++) {
            if (leaf_at < count && (node_at >= made || leaves[leaf_at].count <= sums[node_at])) {
                sums[made] += leaves[leaf_at].count;
                leaf_parents[leaf_at++] = made;
            } else {
                sums[made] += sums[node_at];
                parents[node_at++] = made;
            }
        }
    }
    depths[count - 2] = 0;
    for (int node = count - 3; node >= 0; node--) depths[node] = depths[parents[node]] + 1;
    for (int n = 0; n < count; n++) {
        const int depth = depths[leaf_parents[n]] + 1;
        counts[depth < limit ? depth : limit]++;
    }
}

// Lengths that were cut make more codes than there are. A shorter code then becomes a bit longer, and makes place for
// one of the longest.
static void make_place(int counts[], int limit)
{
    uint32_t taken = 0;
    for (int length = 1; length <= limit; length++) taken += (uint32_t)counts[length] << (limit - length);
    for (; taken > 1U << limit; taken--) {
        int length = limit - 1;
        while (counts[length] == 0) length--;
        counts[length]--;
        counts[length + 1] += 2;
        counts[limit]--;
    }
}

void pngcore_code_lengths(const uint32_t *counts, int count, int limit, uint8_t *lengths)
{
    leaf leaves[LITLEN_COUNT];
    int used = 0;
    for (int symbol = 0; symbol < count; symbol++) {
        lengths[symbol] = 0;
        if (counts[symbol] > 0) leaves[used++] = (leaf) { counts[symbol], (uint16_t)symbol };
    }
    if (used == 1) lengths[leaves[0].symbol] = 1;
    if (used < 2) return;
    sort(leaves, used);
    int counts_of_lengths[MOST_DISTANCE_BITS + 1] = { 0 };
    count_lengths(leaves, used, limit, counts_of_lengths);
    make_place(counts_of_lengths, limit);
    int at = 0;
    for (int length = limit; length > 0; length--)
        for (int n = 0; n < counts_of_lengths[length]; n++) lengths[leaves[at++].symbol] = (uint8_t)length;
}

void pngcore_codes(const uint8_t *lengths, int count, uint16_t *codes)
{
    int counts[MOST_DISTANCE_BITS + 1] = { 0 };
    for (int symbol = 0; symbol < count; symbol++) counts[lengths[symbol]]++;
    counts[0] = 0;
    unsigned next[MOST_DISTANCE_BITS + 1] = { 0 };
    for (int length = 1; length <= MOST_DISTANCE_BITS; length++)
        next[length] = (next[length - 1] + (unsigned)counts[length - 1]) << 1;
    for (int symbol = 0; symbol < count; symbol++) {
        if (lengths[symbol] == 0) continue;
        unsigned code = next[lengths[symbol]]++, reversed = 0;
        for (int bit = 0; bit < lengths[symbol]; bit++, code >>= 1) reversed = reversed << 1 | (code & 1);
        codes[symbol] = (uint16_t)reversed;
    }
}
