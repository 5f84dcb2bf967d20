// The bar that looks for photos by name, state and stars, and sorts them.

import * as api from "./api.js";
import { announce, tell } from "./messages.js";
import { order } from "./order.js";

const bar = document.getElementById("find");
const form = document.getElementById("find-form");
const button = document.getElementById("toggle-find");
const whole = new Intl.NumberFormat("en");
/** Typing is one search when it pauses for this long, in milliseconds. */
const delay = 200;
/** A search that takes longer than this, in milliseconds, says so: stars of many photos may have to be read first. */
const patience = 1000;

export class Finder {
    /** Called when other photos are shown. */
    onchange = () => {};
    /** Called with an error. */
    onerror = () => {};
    /** The selected photos as the server numbers them: `[first, count]` of each part. */
    selected = () => [];
    #timer = 0;
    #asking = 0;

    constructor() {
        button.addEventListener("click", () => this.#show(bar.hidden));
        form.addEventListener("input", () => {
            clearTimeout(this.#timer);
            this.#timer = setTimeout(() => this.find(), delay);
        });
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.find();
        });
        form.addEventListener("reset", () => setTimeout(() => this.find()));
        bar.addEventListener("keydown", (event) => { if (event.key === "Escape") this.#show(false); });
        addEventListener("keydown", (event) => {
            const isText = event.target.matches("input, select, textarea") || document.querySelector("dialog[open]");
            if (event.key !== "/" || event.ctrlKey || event.metaKey || isText) return;
            event.preventDefault();
            this.#show(true);
        });
    }

    /** Whether photos are left out or in another order. */
    get isActive() {
        const { name, state, stars, sort, descending } = form.elements;
        return [name, state, stars].some(({ value }) => value !== "") || sort.value !== "listed" || descending.checked;
    }

    /** Looks again, for instance when there are more photos. */
    async find() {
        const asking = this.#asking += 1;
        if (!this.isActive) return this.#take(null);
        const { name, state, stars, sort, descending } = form.elements;
        const hint = setTimeout(() => tell("Looking through the photos…"), patience);
        try {
            const found = await api.find({
                name: name.value, order: sort.value, isDescending: descending.checked,
                state: ["failed", "fine"].includes(state.value) ? state.value : null,
                stars: stars.value === "" ? null : Number(stars.value),
                among: state.value === "selected" ? this.selected() : null,
            });
            if (asking !== this.#asking) return;
            this.#take(found);
            announce(`${whole.format(found.length)} photos found.`);
        } catch (error) {
            this.onerror(error);
        } finally {
            clearTimeout(hint);
        }
    }

    #take(found) {
        order(found);
        this.onchange();
    }

    #show(isVisible) {
        bar.hidden = !isVisible;
        button.setAttribute("aria-expanded", isVisible);
        if (isVisible) return form.elements.name.focus();
        form.reset();
        button.focus();
    }
}
