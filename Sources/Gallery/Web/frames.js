// Spreads work on cells over frames, so that a burst of changes does not hold up the page.

/**
 * So many cells are drawn in a frame, from a measurement: drawing one takes up to half a millisecond with its
 * layout.
 */
export const cellsPerFrame = 16;

const tasks = new Map();
let frame = 0;

/** Runs a task in one of the next frames. A later task with the same key replaces it. */
export function spread(key, task) {
    tasks.set(key, task);
    frame ||= requestAnimationFrame(run);
}

function run() {
    frame = 0;
    for (const [key, task] of [...tasks].slice(0, cellsPerFrame)) {
        tasks.delete(key);
        task();
    }
    if (tasks.size > 0) frame ||= requestAnimationFrame(run);
}
