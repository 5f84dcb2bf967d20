// The grid: only the rows near the viewport are in the page, and rows that left it are used again.

import { Cell } from "./cell.js";
import { cellsPerFrame, spread } from "./frames.js";
import { Layout, Position } from "./layout.js";

class Row {
    element = document.createElement("div");
    cells = [];
    index = -1;

    constructor(columns) {
        this.element.className = "row";
        this.element.setAttribute("role", "row");
        for (let column = 0; column < columns; column += 1) {
            const cell = new Cell();
            cell.element.setAttribute("aria-colindex", column + 1);
            this.cells.push(cell);
            this.element.append(cell.element);
        }
    }
}

/** Cells smaller than this have no room for the reason of a failure. */
const smallCell = 140;

export class Grid {
    /** Called with a row's element when it enters or leaves the page. */
    onrowadded = () => {};
    onrowremoved = () => {};
    /** Called when the rows in the page changed. */
    onrows = () => {};
    /** The photo that has the focus, or gets it when Tab enters the grid. */
    current = 0;
    /** While false, no image is loaded. */
    loadsImages = true;

    #element;
    #extent;
    #photos;
    #rows = new Map();
    #spare = [];
    #position;
    #layout;
    #size;
    #selection;

    constructor(element, photos, selection, size) {
        this.#element = element;
        this.#extent = element.querySelector(".extent");
        this.#photos = photos;
        this.#size = size;
        this.#selection = selection;
        this.#position = new Position(element);
        new ResizeObserver(() => this.arrange()).observe(element);
        element.addEventListener("scroll", () => {
            this.#position.read();
            this.update();
        }, { passive: true });
    }

    get layout() {
        return this.#layout;
    }

    /** The size that cells have at least, in pixels. */
    set size(value) {
        this.#size = value;
        this.arrange();
    }

    /**
     * Lays everything out anew. The photo at the top, or the current one if it is in view, stays where it is.
     */
    arrange() {
        const { clientWidth: width, clientHeight: height } = this.#element;
        if (width === 0 || height === 0) return;
        const before = this.#layout;
        const position = this.#position.value;
        const layout = new Layout({ count: this.#photos.count, width, height, size: this.#size });
        this.#layout = layout;
        this.#extent.style.height = `${this.#position.fit(layout)}px`;
        this.#element.style.setProperty("--columns", layout.columns);
        this.#element.style.setProperty("--row-height", `${layout.rowHeight}px`);
        this.#element.classList.toggle("small", layout.cell < smallCell);
        this.#element.setAttribute("aria-rowcount", layout.rowCount);
        this.#element.setAttribute("aria-colcount", layout.columns);
        const hadFocus = this.#element.contains(document.activeElement);
        if (before) {
            if (before.columns !== layout.columns || before.count !== layout.count) this.#discard();
            const row = Math.floor(position / before.rowHeight);
            const isInView = this.#isInView(this.current, before, position);
            const anchor = isInView ? this.current : row * before.columns;
            const shift = before.top(Math.floor(anchor / before.columns)) - position;
            this.#position.write(layout.top(Math.floor(anchor / layout.columns)) - shift);
        }
        this.update();
        // The cell that had it may be gone.
        if (hadFocus && document.activeElement === document.body) this.select(this.current);
    }

    /** Puts the rows in view into the page at once, and those around it a few a frame. */
    update() {
        const layout = this.#layout;
        if (!layout || layout.rowCount === 0) return;
        const [first, last] = layout.rows(this.#position.value, this.#margin);
        const currentRow = Math.floor(this.current / layout.columns);
        for (const row of this.#rows.values()) {
            const isNear = row.index >= first && row.index <= last;
            if (!isNear && row.index !== currentRow) this.#free(row);
        }
        const [top, bottom] = layout.rows(this.#position.value);
        const missing = this.#missing(new Set([currentRow, ...range(top, bottom)]));
        const around = this.#missing([...range(bottom + 1, last), ...range(first, top - 1).reverse()]);
        const some = around.splice(0, Math.ceil(cellsPerFrame / layout.columns));
        for (const index of [...missing, ...some]) this.#place(this.#spare.pop() ?? this.#makeRow(), index);
        if (missing.length + some.length > 0) this.#sort();
        for (const row of this.#rows.values()) this.#move(row);
        if (missing.length > 0) this.onrows();
        if (around.length > 0) spread(this, () => this.update());
    }

    /** Draws photos anew, a few a frame, those in the middle of the view first; `null` stands for all. */
    redraw(changed) {
        if (!this.#layout) return;
        const middle = (this.#position.value + this.#layout.viewHeight / 2) / this.#layout.rowHeight;
        const rows = [...this.#rows.values()];
        rows.sort((a, b) => Math.abs(a.index - middle) - Math.abs(b.index - middle));
        for (const cell of rows.flatMap((row) => row.cells)) {
            // The cell may have left the page by then, or show another photo.
            const again = () => { if (cell.index >= 0) this.#draw(cell, cell.index); };
            if (!changed || changed.has(cell.index)) spread(cell, again);
        }
    }

    /** Marks the photos that are selected. */
    markSelected() {
        this.#element.classList.toggle("selecting", this.#selection.size > 0);
        for (const cell of [...this.#rows.values()].flatMap((row) => row.cells)) {
            cell.isSelected = this.#selection.has(cell.index);
        }
    }

    /** Shows a look of a photo, if it is in the page. */
    look(index, image) {
        const cell = this.cell(index);
        if (cell?.index === index) cell.look(image);
    }

    /** Joins scroll bar and content again; called when scrolling came to rest. */
    settle() {
        if (this.#position.settle()) this.update();
    }

    /** The photos whose rows are in the page around the view: first, and the one after the last. */
    get near() {
        const [first, last] = this.#layout.rows(this.#position.value, this.#margin);
        const { columns } = this.#layout;
        return [first * columns, Math.min(this.#photos.count, (last + 1) * columns)];
    }

    /** The index of the row that an element shows. */
    rowIndex(element) {
        return Number(element.dataset.row);
    }

    cell(index) {
        const row = this.#rows.get(Math.floor(index / this.#layout.columns));
        return row?.cells[index % this.#layout.columns];
    }

    /** Makes a photo the current one and scrolls as little as is needed to show it. */
    select(index, { focus = true } = {}) {
        const layout = this.#layout;
        const before = this.current;
        this.current = Math.max(0, Math.min(index, this.#photos.count - 1));
        const top = layout.top(Math.floor(this.current / layout.columns));
        const position = this.#position.value;
        const lowest = top + layout.rowHeight - layout.viewHeight;
        if (top - layout.top(0) < position) this.#position.write(top - layout.top(0));
        else if (lowest > position) this.#position.write(lowest);
        this.update();
        this.#markCurrent(before);
        if (focus) this.cell(this.current)?.element.focus({ preventScroll: true });
    }

    get #margin() {
        return Math.ceil(this.#layout.viewHeight / this.#layout.rowHeight / 2);
    }

    /** Keeps Tab's way into the grid in view, unless the focus is in it. */
    followView() {
        if (this.#element.contains(document.activeElement)) return;
        const position = this.#position.value;
        if (this.#isInView(this.current, this.#layout, position)) return;
        const row = Math.ceil(position / this.#layout.rowHeight);
        const before = this.current;
        this.current = Math.min(row * this.#layout.columns, this.#photos.count - 1);
        this.#markCurrent(before);
        this.update();
    }

    #markCurrent(before) {
        for (const index of [before, this.current]) {
            const cell = this.cell(index);
            if (cell) cell.isCurrent = index === this.current;
        }
    }

    #isInView(index, layout, position) {
        const top = layout.top(Math.floor(index / layout.columns));
        return top + layout.rowHeight > position && top < position + layout.viewHeight;
    }

    #missing(indices) {
        return [...indices].filter((index) => index < this.#layout.rowCount && !this.#rows.has(index));
    }

    #makeRow() {
        const row = new Row(this.#layout.columns);
        this.onrowadded(row.element);
        return row;
    }

    #free(row) {
        this.#rows.delete(row.index);
        row.element.remove();
        for (const cell of row.cells) cell.rest();
        this.#spare.push(row);
    }

    #discard() {
        for (const row of [...this.#rows.values(), ...this.#spare]) {
            this.onrowremoved(row.element);
            row.element.remove();
            for (const cell of row.cells) cell.rest();
        }
        this.#rows.clear();
        this.#spare = [];
    }

    #place(row, index) {
        row.index = index;
        row.element.dataset.row = index;
        row.element.setAttribute("aria-rowindex", index + 1);
        this.#rows.set(index, row);
        row.cells.forEach((cell, column) => this.#draw(cell, index * this.#layout.columns + column));
    }

    #move(row) {
        const top = this.#layout.top(row.index) - this.#position.offset;
        if (row.top !== top) row.element.style.transform = `translateY(${top}px)`;
        row.top = top;
    }

    #draw(cell, index) {
        cell.show(index, this.#photos.get(index), this.#layout.count);
        cell.isCurrent = index === this.current;
        cell.isSelected = this.#selection.has(index);
        if (this.loadsImages) cell.load();
    }

    /**
     * Rows stand in the page in their order, for screen readers. The focused one cannot move: it would lose
     * the focus.
     */
    #sort() {
        const sorted = [...this.#rows.values()].sort((a, b) => b.index - a.index);
        let next = null;
        for (const { element } of sorted) {
            const stands = element.isConnected && element.nextSibling === next;
            if (!stands && !element.contains(document.activeElement)) {
                this.#extent.insertBefore(element, next);
            }
            next = element;
        }
    }
}

/** The numbers from `first` to `last`. */
function range(first, last) {
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
