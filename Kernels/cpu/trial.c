// A trial of a filter's point function from a user's file, over made-up pixels.
#include "Kernels.h"

enum { trial_columns = 256, trial_rows = 4 };

// A value in 0...1 for each pixel and channel: the ends of the range, and many between them.
static float trial_value(int index) { return (float)(index * 37 % (trial_columns + 1)) / trial_columns; }

static void fill(float *values, int first)
{
    for (int i = 0; i < trial_columns; i++) values[i] = trial_value(first + i);
}

void kernels_try(void *context)
{
    const kernels_trial *const trial = context;
    float channels[4][trial_columns];
    const kernels_rows rows = { channels[0], channels[1], channels[2], channels[3] };
    const kernels_view view = {
        .x_by_column = 1, .y_by_row = 1, .width = trial_columns, .height = trial_rows
    };
    for (size_t set = 0; set < trial->set_count; set++) {
        for (int row = 0; row < trial_rows; row++) {
            for (int channel = 0; channel < 4; channel++) fill(channels[channel], row + 11 * channel);
            const float *const arguments = trial->arguments + set * trial->argument_count;
            trial->point->run_unlimited(rows, trial_columns, arguments, &view, 0, row);
            trial->point->run(rows, trial_columns, arguments, &view, 0, row);
        }
    }
}
