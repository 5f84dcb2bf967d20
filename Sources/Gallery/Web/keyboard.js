// The grid by keyboard and pointer.

import { starsOfKey } from "./stars.js";

/**
 * Calls `open(index)` for the photo that is to be seen in full, `retry(index)` for one that failed, and
 * `rate(index, stars)`.
 */
export function control(element, grid, selection, { open, retry, rate }) {
    const indexOf = (target) => Number(target.closest(".cell")?.dataset.index ?? -1);

    element.addEventListener("keydown", (event) => {
        if (event.altKey) return;
        const opens = event.key === "Enter" || event.key === " ";
        if (opens && event.target.closest("button")) return;
        if (selects(event, grid, selection)) {
            event.preventDefault();
            return;
        }
        if (event.metaKey) return;
        const stars = starsOfKey(event);
        if (stars !== undefined) {
            rate(grid.current, stars);
            event.preventDefault();
            return;
        }
        const { columns, rowHeight, viewHeight, count } = grid.layout;
        const page = columns * Math.max(1, Math.floor(viewHeight / rowHeight));
        const targets = {
            ArrowLeft: grid.current - 1,
            ArrowRight: grid.current + 1,
            ArrowUp: grid.current < columns ? grid.current : grid.current - columns,
            ArrowDown: Math.min(grid.current + columns, count - 1),
            PageUp: grid.current - page,
            PageDown: grid.current + page,
            Home: 0,
            End: count - 1,
        };
        if (opens) open(grid.current);
        else if (event.key in targets) {
            if (event.shiftKey && selection.size === 0) selection.toggle(grid.current);
            grid.select(targets[event.key]);
            if (event.shiftKey) selection.extend(grid.current);
        }
        else return;
        event.preventDefault();
    });
    /** The photo that was the current one before the pointer gave another one the focus. */
    let before = 0;
    element.addEventListener("pointerdown", () => { before = grid.current; }, { capture: true });
    element.addEventListener("click", (event) => {
        const index = indexOf(event.target);
        if (index < 0) return;
        if (event.shiftKey && selection.size === 0) selection.toggle(before);
        grid.select(index);
        if (event.target.closest(".retry")) retry(index);
        else if (event.shiftKey) selection.extend(index);
        else if (event.ctrlKey || event.metaKey || event.target.closest(".check")) selection.toggle(index);
        else open(index);
    });
    // Tab, and screen readers, may focus a cell by themselves.
    element.addEventListener("focusin", (event) => {
        const index = indexOf(event.target);
        if (index >= 0 && index !== grid.current) grid.select(index, { focus: false });
    });
}

/** Selects by key: X the current photo, Ctrl-A all, Escape none. Returns whether it was such a key. */
function selects(event, grid, selection) {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
        if (key !== "a") return false;
        selection.all(grid.layout.count);
    } else if (key === "x") {
        selection.toggle(grid.current);
    } else if (key === "escape" && selection.size > 0) {
        selection.clear();
    } else {
        return false;
    }
    return true;
}
