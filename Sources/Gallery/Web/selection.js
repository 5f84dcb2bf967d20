// The photos that are selected in the grid.

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
        return this.#selected.has(index);
    }

    toggle(index) {
        this.#anchor = index;
        if (!this.#selected.delete(index)) this.#selected.add(index);
        this.onchange();
    }

    /** Selects what is between the last photo that was toggled and this one. */
    extend(index) {
        const first = Math.min(this.#anchor, index);
        for (let each = first; each <= Math.max(this.#anchor, index); each += 1) this.#selected.add(each);
        this.onchange();
    }

    all(count) {
        for (let index = 0; index < count; index += 1) this.#selected.add(index);
        this.onchange();
    }

    clear() {
        this.#anchor = 0;
        if (this.size === 0) return;
        this.#selected.clear();
        this.onchange();
    }

    /** `[first, count]` of each run of neighbours. */
    get parts() {
        const parts = [];
        for (const index of [...this.#selected].sort((a, b) => a - b)) {
            const last = parts.at(-1);
            if (last && last[0] + last[1] === index) last[1] += 1;
            else parts.push([index, 1]);
        }
        return parts;
    }
}
