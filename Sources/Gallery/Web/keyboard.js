// The grid by keyboard and pointer.

/** Calls `open(index)` for the photo that is to be seen in full, and `retry(index)` for one that failed. */
export function control(element, grid, { open, retry }) {
    const indexOf = (target) => Number(target.closest(".cell")?.dataset.index ?? -1);

    element.addEventListener("keydown", (event) => {
        if (event.altKey || event.metaKey) return;
        const opens = event.key === "Enter" || event.key === " ";
        if (opens && event.target.closest("button")) return;
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
        else if (event.key in targets) grid.select(targets[event.key]);
        else return;
        event.preventDefault();
    });
    element.addEventListener("click", (event) => {
        const index = indexOf(event.target);
        if (index < 0) return;
        grid.select(index);
        if (event.target.closest(".retry")) retry(index);
        else open(index);
    });
    // Tab, and screen readers, may focus a cell by themselves.
    element.addEventListener("focusin", (event) => {
        const index = indexOf(event.target);
        if (index >= 0 && index !== grid.current) grid.select(index, { focus: false });
    });
}
