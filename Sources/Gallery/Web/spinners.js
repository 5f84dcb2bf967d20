// Spinners turn only so many at a time: each that turns is a layer of its own, which costs time in every
// frame.

const most = 12;
const turning = new Set();
const waiting = new Set();

/**
 * Shows that a cell is worked on, or not any more. The first ones turn, and the others follow as they end.
 */
export function setBusy(cell, isBusy) {
    if (isBusy === (turning.has(cell) || waiting.has(cell))) return;
    if (isBusy) {
        waiting.add(cell);
    } else {
        waiting.delete(cell);
        turning.delete(cell);
        delete cell.dataset.turning;
    }
    for (const next of waiting) {
        if (turning.size >= most) break;
        waiting.delete(next);
        turning.add(next);
        next.dataset.turning = true;
    }
}
