// A list in place of the chain, whose entries are shown on the photo under the eye.

import { make } from "./elements.js";
import { load } from "./looks.js";

const panel = document.querySelector("#filters .panel");

/** Pixels of a preview's longer side. */
const side = 160;

/** An entry of a list. */
export class Entry {
    element;
    preview = make("span", { className: "preview" });
    /** The photo and the filters that the preview shows, or failed to. */
    previewed = "";

    show(...images) {
        this.preview.replaceChildren(...images);
    }
}

/** A group of a list, with a heading. */
export function group(id, name, ...children) {
    const heading = make("p", { id, textContent: name });
    heading.setAttribute("role", "presentation");
    const element = make("div", {}, heading, ...children);
    element.setAttribute("role", "group");
    element.setAttribute("aria-labelledby", id);
    return element;
}

export class PreviewList {
    /** The photo to show entries on; undefined if none has arrived. */
    photo = () => undefined;
    #part;
    #button;
    #entries = new Map();
    /** Entries in view. */
    #visible = new Set();
    #observer;
    #isLoading = false;
    #stop = new AbortController();

    /** `button` opens `part`, which has `list` and what closes it. */
    constructor(part, list, button) {
        this.#part = part;
        this.#button = button;
        this.#observer = new IntersectionObserver((changes) => this.#see(changes), { root: list });
        button.addEventListener("click", () => this.open());
        part.addEventListener("keydown", (event) => {
            if (event.key !== "Escape") return;
            // Else the large view would close, too.
            event.preventDefault();
            this.dismiss();
        });
        part.querySelector(".close").addEventListener("click", () => this.dismiss());
    }

    get isOpen() {
        return !this.#part.hidden;
    }

    get entries() {
        return [...this.#entries.values()];
    }

    set entries(entries) {
        this.#observer.disconnect();
        this.#visible.clear();
        this.#entries = new Map(entries.map((entry) => [entry.element, entry]));
        for (const element of this.#entries.keys()) this.#observer.observe(element);
    }

    open() {
        this.#show(true);
    }

    close() {
        this.#show(false);
        this.#stop.abort();
        this.#stop = new AbortController();
        for (const entry of this.#entries.values()) {
            entry.show();
            entry.previewed = "";
        }
    }

    /** Closes the list, and goes back to its button. */
    dismiss() {
        this.close();
        this.#button.focus();
    }

    /** Makes the previews that are in view and not there yet, one after the other. */
    renew() {
        if (this.isOpen && !this.#isLoading) this.#load();
    }

    #show(isVisible) {
        this.#part.hidden = !isVisible;
        panel.inert = isVisible;
        this.#button.setAttribute("aria-expanded", isVisible);
    }

    #see(changes) {
        for (const { target, isIntersecting } of changes) {
            const entry = this.#entries.get(target);
            if (isIntersecting && entry) this.#visible.add(entry);
            else this.#visible.delete(entry);
        }
        this.renew();
    }

    async #load() {
        this.#isLoading = true;
        while (this.isOpen) {
            const { signal } = this.#stop;
            const photo = this.photo();
            if (photo === undefined) break;
            const key = (entry) => `${photo} ${this.chainOf(entry)}`;
            const isMissing = (entry) => !entry.element.hidden && entry.previewed !== key(entry);
            const entry = this.entries.find((each) => this.#visible.has(each) && isMissing(each));
            if (!entry) break;
            entry.previewed = key(entry);
            const longSide = Math.round(side * devicePixelRatio);
            // An entry that the server refuses, for instance because of an error in the chain, has no preview.
            await load(this.chainOf(entry), longSide, [photo], signal, (_, image) => entry.show(image))
                .catch(() => entry.show());
        }
        this.#isLoading = false;
    }
}
