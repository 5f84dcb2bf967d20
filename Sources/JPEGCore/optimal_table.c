#include "JPEGCore.h"
#include <string.h>

// Symbols, and one that keeps the code of ones alone free (T.81, K.2).
enum { SYMBOL_COUNT = 257, RESERVED_SYMBOL = 256, MOST_CODE_BITS = 16 };

typedef struct code_tree {
    uint64_t frequencies[SYMBOL_COUNT]; // of each branch, at its first symbol; else 0
    int lengths[SYMBOL_COUNT];          // of the symbols' codes so far
    int next[SYMBOL_COUNT];             // symbol of the same branch; -1 for none
} code_tree;

// The branch with the lowest frequency, other than one; -1 if there is none. Of several, the last one.
static int rarest(const code_tree *tree, int other)
{
    int found = -1;
    for (int n = 0; n < SYMBOL_COUNT; n++)
        if (n != other && tree->frequencies[n] > 0
            && (found < 0 || tree->frequencies[n] <= tree->frequencies[found]))
            found = n;
    return found;
}

// Makes all codes of a branch longer by a bit. Returns its last symbol.
static int lengthen(code_tree *tree, int symbol)
{
    for (;; symbol = tree->next[symbol]) {
        tree->lengths[symbol]++;
        if (tree->next[symbol] < 0) return symbol;
    }
}

// Figure K.1.
static void find_lengths(code_tree *tree)
{
    for (;;) {
        const int first = rarest(tree, -1), second = rarest(tree, first);
        if (second < 0) return;
        tree->frequencies[first] += tree->frequencies[second];
        tree->frequencies[second] = 0;
        tree->next[lengthen(tree, first)] = second;
        lengthen(tree, second);
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
    int counts_of_lengths[SYMBOL_COUNT] = { 0 };
    for (int n = 0; n < SYMBOL_COUNT; n++) tree.next[n] = -1;
    for (int n = 0; n < 256; n++) tree.frequencies[n] = counts[n];
    tree.frequencies[RESERVED_SYMBOL] = 1;
    find_lengths(&tree);
    for (int n = 0; n < SYMBOL_COUNT; n++) counts_of_lengths[tree.lengths[n]]++;
    counts_of_lengths[0] = 0; // no symbol
    limit_lengths(counts_of_lengths);
    int longest = MOST_CODE_BITS;
    while (longest > 0 && counts_of_lengths[longest] == 0) longest--;
    counts_of_lengths[longest]--; // the reserved symbol's

    // Figure K.4. A limited length changes no order.
    jpegcore_huffman_table table = { 0 };
    for (int length = 1; length <= MOST_CODE_BITS; length++)
        table.counts[length] = (uint8_t)counts_of_lengths[length];
    int index = 0;
    for (int length = 1; length < SYMBOL_COUNT; length++)
        for (int n = 0; n < 256; n++)
            if (tree.lengths[n] == length) table.symbols[index++] = (uint8_t)n;
    return table;
}
