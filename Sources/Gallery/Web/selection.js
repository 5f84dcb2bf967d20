// The photos that are selected in the grid. It takes places, and keeps the photos' numbers, as these stay when others are shown.

import { itemAt, runs } from "./order.js";

export class Selection {
    /** Called when other photos are selected. */
    onchange = () => {};
    #selected = new Set();
    /** Where a range begins. */
    #anchor = 0;

    get size() {
        return this.#selected.size;
    }

    has(index) {
        return this.#selected.has(itemAt(index));
    }

    toggle(index) {
        this.#anchor = index;
        const item = itemAt(index);
        if (!this.#selected.delete(item)) this.#selected.add(item);
        this.onchange();
    }

    /** Selects what is between the last photo that was toggled and this one. */
    extend(index) {
        const first = Math.min(this.#anchor, index);
        for (let each = first; each <= Math.max(this.#anchor, index); each += 1) this.#selected.add(itemAt(each));
        this.onchange();
    }

    all(count) {
        for (let index = 0; index < count; index += 1) this.#selected.add(itemAt(index));
        this.onchange();
    }

    clear() {
        this.#anchor = 0;
        if (this.size === 0) return;
        this.#selected.clear();
        this.onchange();
    }

    /** The photos' numbers: see `runs`. */
    get parts() {
        return runs(this.#selected);
    }
}
