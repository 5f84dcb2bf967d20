// Where the rows of the grid are.

/**
 * Browsers limit an element's height, some to 17 million pixels. Up to 8 million, they can place things
 * exactly.
 */
const tallest = 8_000_000;
const gap = 8;
const nameHeight = 22;

/** Rows of square cells that fill a width. All lengths are CSS pixels. */
export class Layout {
    constructor({ count, width, height, size }) {
        this.count = count;
        this.viewHeight = height;
        const most = Math.max(2, Math.floor((width - gap) / (size + gap)));
        this.#arrange(width, most);
        // Few photos are as large as they can be with all of them in view.
        for (let columns = most - 1; columns >= 2 && this.height <= height; columns -= 1) {
            this.#arrange(width, columns);
            if (this.height > height) {
                this.#arrange(width, columns + 1);
                break;
            }
        }
    }

    #arrange(width, columns) {
        this.columns = columns;
        this.cell = Math.max(32, Math.floor((width - gap * (columns + 1)) / columns));
        this.rowHeight = this.cell + nameHeight + gap;
        this.rowCount = Math.ceil(this.count / columns);
        this.height = this.rowCount * this.rowHeight + gap;
    }

    top(row) {
        return gap + row * this.rowHeight;
    }

    /** The first and last row that touch the view at `position`, and `extra` rows on both sides. */
    rows(position, extra = 0) {
        const first = Math.floor(position / this.rowHeight) - extra;
        const last = Math.floor((position + this.viewHeight) / this.rowHeight) + extra;
        return [Math.max(0, first), Math.min(this.rowCount - 1, last)];
    }
}

/**
 * A scroll position in a content that may be taller than an element can be.
 *
 * Small steps scroll by as much as the user asked. Larger ones, with the scroll bar, cover the whole content.
 * In between content and scroll bar drift apart; `settle`, called at rest, joins them again, which is not seen.
 */
export class Position {
    #element;
    #offset = 0;
    #last = 0;
    #value = 0;

    /** @param element the element that scrolls */
    constructor(element) {
        this.#element = element;
    }

    /** Takes a new layout; `height` is what the scrolled element's content must have. */
    fit(layout) {
        this.total = layout.height;
        this.view = layout.viewHeight;
        this.height = Math.min(layout.height, tallest);
        return this.height;
    }

    /** What must be subtracted from a place in the content to get its place in the element. */
    get offset() {
        return this.#offset;
    }

    /** The place in the content that is at the top of the view. */
    get value() {
        return this.#value;
    }

    /** Reads the position after the user scrolled. */
    read() {
        const top = this.#element.scrollTop;
        const end = this.height - this.view;
        const isJump = Math.abs(top - this.#last) > this.view;
        if (isJump || top <= 0 || top >= end - 1) this.#offset = Math.round(top * (this.#ratio - 1));
        this.#last = top;
        this.#value = top + this.#offset;
    }

    /** Scrolls to a place in the content. */
    write(position) {
        const target = Math.max(0, Math.min(position, this.total - this.view));
        const top = Math.round(target / this.#ratio);
        this.#offset = Math.round(target) - top;
        this.#last = top;
        this.#value = Math.round(target);
        this.#element.scrollTop = top;
    }

    /** Puts the scroll bar where it belongs. Returns whether anything moved. */
    settle() {
        const before = this.#offset;
        if (this.#ratio > 1) this.write(this.#value);
        return this.#offset !== before;
    }

    get #ratio() {
        return this.total <= this.height ? 1 : (this.total - this.view) / (this.height - this.view);
    }
}
