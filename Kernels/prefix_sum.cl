// prefix_sum.cl: sums over the work-items of a group, for the JPEG codec's kernels.

#define LOCAL_BARRIER barrier(CLK_LOCAL_MEM_FENCE)

// Of values that each of `count` work-items has one of, the sum of those before `index`. All work-items of
// the group call it; `count` is a multiple of 16. `cells` has 17 for each 16 values, so that banks differ,
// and `rows` one.
FUNCTION uint
sum_before(__local uint *cells, __local uint *rows, const uint count, uint index, uint value, uint *total)
{
    const uint item = (uint)get_local_id(0), row = index >> 4, cell = row * 17 + (index & 15);
    LOCAL_BARRIER; // of an earlier call
    cells[cell] = value;
    LOCAL_BARRIER;
    if (item < count / 16) {
        uint sum = 0;
        for (uint n = 0; n < 16; n++) {
            const uint next = cells[item * 17 + n];
            cells[item * 17 + n] = sum;
            sum += next;
        }
        rows[item] = sum;
    }
    LOCAL_BARRIER;
    uint before = cells[cell], all = 0;
    for (uint n = 0; n < count / 16; n++) {
        before += n < row ? rows[n] : 0;
        all += rows[n];
    }
    *total = all;
    return before;
}
