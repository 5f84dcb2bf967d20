#include "JPEGCore.h"

// Symbols, and one that keeps the code of ones alone free (T.81, K.2).
enum { SYMBOL_COUNT = 257, RESERVED_SYMBOL = 256, MOST_CODE_BITS = 16 };

// A branch of the tree of codes: its frequency, and below it how far its first symbol is from the last one. So the
// lowest of several equal frequencies is the last symbol's, as Figure K.1 wants it.
typedef uint64_t branch;

enum { POSITION_BITS = 9 };

static branch make_branch(uint64_t frequency, int symbol)
{
    return frequency << POSITION_BITS | (branch)(RESERVED_SYMBOL - symbol);
}

static int first_symbol(branch of) { return RESERVED_SYMBOL - (int)(of & ((1 << POSITION_BITS) - 1)); }

static uint64_t frequency_of(branch of) { return of >> POSITION_BITS; }

// The branches that are not joined yet, as a heap: none comes before the one at half of its index.
typedef struct branches {
    branch heap[1 + SYMBOL_COUNT]; // from 1 on
    int count;
} branches;

// Moves a branch from the root down to its place.
static void sift_down(branches *from, branch moved)
{
    int at = 1;
    for (int child = 2; child <= from->count; at = child, child = 2 * at) {
        if (child < from->count && from->heap[child + 1] < from->heap[child]) child++;
        if (moved <= from->heap[child]) break;
        from->heap[at] = from->heap[child];
    }
    from->heap[at] = moved;
}

static void insert(branches *into, branch new)
{
    int at = ++into->count;
    for (; at > 1 && new < into->heap[at / 2]; at /= 2) into->heap[at] = into->heap[at / 2];
    into->heap[at] = new;
}

static branch take_rarest(branches *from)
{
    const branch rarest = from->heap[1];
    sift_down(from, from->heap[from->count--]);
    return rarest;
}

typedef struct code_tree {
    int lengths[SYMBOL_COUNT]; // of the symbols' codes so far
    int next[SYMBOL_COUNT];    // symbol of the same branch; -1 for none
} code_tree;

// Makes all codes of a branch longer by a bit. Returns its last symbol.
static int lengthen(code_tree *tree, int symbol)
{
    for (;; symbol = tree->next[symbol]) {
        tree->lengths[symbol]++;
        if (tree->next[symbol] < 0) return symbol;
    }
}

// Figure K.1.
static void find_lengths(code_tree *tree, branches *left)
{
    while (left->count > 1) {
        const branch first = take_rarest(left), second = take_rarest(left);
        const int symbol = first_symbol(first), joined = first_symbol(second);
        tree->next[lengthen(tree, symbol)] = joined;
        lengthen(tree, joined);
        insert(left, make_branch(frequency_of(first) + frequency_of(second), symbol));
    }
}

// Figure K.3: a pair of codes that are too long becomes one code a bit shorter, and another one makes place for two.
static void limit_lengths(int counts[SYMBOL_COUNT])
{
    for (int length = SYMBOL_COUNT - 1; length > MOST_CODE_BITS; length--) {
        while (counts[length] > 0) {
            int shorter = length - 2;
            while (counts[shorter] == 0) shorter--;
            counts[length] -= 2;
            counts[length - 1]++;
            counts[shorter + 1] += 2;
            counts[shorter]--;
        }
    }
}

jpegcore_huffman_table jpegcore_optimal_table(const uint32_t counts[256])
{
    code_tree tree = { 0 };
    branches left = { .count = 0 };
    int counts_of_lengths[SYMBOL_COUNT] = { 0 };
    for (int n = 0; n < SYMBOL_COUNT; n++) tree.next[n] = -1;
    for (int n = 0; n < 256; n++)
        if (counts[n] > 0) insert(&left, make_branch(counts[n], n));
    insert(&left, make_branch(1, RESERVED_SYMBOL));
    find_lengths(&tree, &left);
    for (int n = 0; n < SYMBOL_COUNT; n++) counts_of_lengths[tree.lengths[n]]++;
    counts_of_lengths[0] = 0;         // no symbol
    int places[SYMBOL_COUNT] = { 0 }; // of each length's next symbol
    for (int length = 1; length < SYMBOL_COUNT; length++)
        places[length] = places[length - 1] + counts_of_lengths[length - 1];
    limit_lengths(counts_of_lengths);
    int longest = MOST_CODE_BITS;
    while (longest > 0 && counts_of_lengths[longest] == 0) longest--;
    counts_of_lengths[longest]--; // the reserved symbol's

    // Figure K.4. A limited length changes no order, and the reserved symbol is the last one of the longest.
    jpegcore_huffman_table table = { 0 };
    for (int length = 1; length <= MOST_CODE_BITS; length++)
        table.counts[length] = (uint8_t)counts_of_lengths[length];
    for (int n = 0; n < 256; n++)
        if (tree.lengths[n] > 0) table.symbols[places[tree.lengths[n]]++] = (uint8_t)n;
    return table;
}
