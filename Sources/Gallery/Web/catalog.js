// The list of filters to add. It is searched by typing, and shows each filter on the photo under the eye.

import { chainText, configured } from "./chain.js";
import { make, title } from "./elements.js";
import { load } from "./looks.js";
import { groupTitle } from "./wording.js";

const button = document.getElementById("add-filter");
const panel = document.querySelector("#filters .panel");
const part = document.getElementById("adding");
const field = document.getElementById("search-filters");
const list = document.getElementById("catalog");
const matches = document.getElementById("matches");
const nothing = document.getElementById("no-matches");

/** Pixels of a preview's longer side. */
const previewSide = 160;

/** A filter of the list. */
class Entry {
    element;
    /** The photo and the filters that its preview shows, or failed to. */
    previewed = "";
    #preview = make("span", { className: "preview" });
    #name;
    #text;

    constructor(filter, number) {
        this.filter = filter;
        const name = title(filter.name);
        this.#name = name.toLowerCase();
        this.#text = `${filter.name} ${name} ${filter.summary} ${groupTitle(filter.group)}`.toLowerCase();
        this.element = make("button", { type: "button", id: `catalog-${number}`, tabIndex: -1 }, this.#preview, make(
            "span", {}, make("b", { textContent: name }),
            make("span", { className: "secondary", textContent: filter.summary })));
        this.element.setAttribute("role", "option");
        this.element.setAttribute("aria-selected", false);
    }

    /** Hides the entry unless it has all of the words. */
    search(words) {
        this.element.hidden = !words.every((word) => this.#text.includes(word));
    }

    /** How well the name fits what was typed. */
    rank(typed) {
        if (this.#name.startsWith(typed)) return 2;
        return this.#name.includes(typed) ? 1 : 0;
    }

    show(...images) {
        this.#preview.replaceChildren(...images);
    }
}

export class Catalog {
    /** Called with the filter that was chosen. */
    onchoose = () => {};
    /** The photo to preview filters on, if one has arrived, and the chain before them. */
    subject = () => ({ photo: undefined, items: [] });
    #entries;
    #groups = [];
    #active;
    /** Entries in view. */
    #visible = new Set();
    #isLoading = false;
    #stop = new AbortController();

    constructor(filters) {
        this.#entries = filters.map((filter, number) => new Entry(filter, number));
        const groups = Map.groupBy(this.#entries, ({ filter }) => filter.group);
        for (const [group, entries] of groups) this.#groups.push(this.#group(group, entries));
        list.append(...this.#groups);
        this.#observe();
        button.addEventListener("click", () => this.#open());
        field.addEventListener("input", () => this.#search());
        field.addEventListener("keydown", (event) => this.#key(event));
        part.addEventListener("keydown", (event) => {
            if (event.key !== "Escape") return;
            // Else the large view would close, too.
            event.preventDefault();
            this.#cancel();
        });
        document.getElementById("close-adding").addEventListener("click", () => this.#cancel());
    }

    /** Makes the previews that are in view and not there yet, one after the other. */
    renew() {
        if (!part.hidden && !this.#isLoading) this.#load();
    }

    #show(isVisible) {
        part.hidden = !isVisible;
        panel.inert = isVisible;
        button.setAttribute("aria-expanded", isVisible);
    }

    #open() {
        this.#show(true);
        field.value = "";
        list.scrollTop = 0;
        this.#search();
        field.focus();
    }

    #close() {
        this.#show(false);
        this.#stop.abort();
        this.#stop = new AbortController();
        for (const entry of this.#entries) {
            entry.show();
            entry.previewed = "";
        }
    }

    #cancel() {
        this.#close();
        button.focus();
    }

    #choose(entry) {
        this.#close();
        this.onchoose(entry.filter);
    }

    #group(group, entries) {
        const heading = make("p", { id: `catalog-${group}`, textContent: groupTitle(group) });
        heading.setAttribute("role", "presentation");
        const element = make("div", {}, heading, ...entries.map((entry) => entry.element));
        element.setAttribute("role", "group");
        element.setAttribute("aria-labelledby", heading.id);
        for (const entry of entries) entry.element.addEventListener("click", () => this.#choose(entry));
        return element;
    }

    #observe() {
        const entries = new Map(this.#entries.map((entry) => [entry.element, entry]));
        const observer = new IntersectionObserver((changes) => {
            for (const { target, isIntersecting } of changes) {
                if (isIntersecting) this.#visible.add(entries.get(target));
                else this.#visible.delete(entries.get(target));
            }
            this.renew();
        }, { root: list });
        for (const element of entries.keys()) observer.observe(element);
    }

    get #found() {
        return this.#entries.filter(({ element }) => !element.hidden);
    }

    #search() {
        const typed = field.value.trim().toLowerCase();
        const words = typed.split(/\s+/);
        for (const entry of this.#entries) entry.search(words);
        for (const group of this.#groups) group.hidden = !group.querySelector("button:not([hidden])");
        const found = this.#found;
        list.hidden = found.length === 0;
        nothing.hidden = found.length > 0;
        field.setAttribute("aria-expanded", found.length > 0);
        matches.textContent = found.length === 1 ? "1 filter" : `${found.length} filters`;
        const best = found.toSorted((a, b) => b.rank(typed) - a.rank(typed))[0];
        this.#activate(typed ? best : undefined);
    }

    /** Marks the entry that Enter chooses. The focus stays in the field. */
    #activate(entry) {
        this.#active?.element.setAttribute("aria-selected", false);
        this.#active = entry;
        entry?.element.setAttribute("aria-selected", true);
        if (entry) field.setAttribute("aria-activedescendant", entry.element.id);
        else field.removeAttribute("aria-activedescendant");
        entry?.element.scrollIntoView({ block: "nearest" });
    }

    #key(event) {
        const found = this.#found;
        const current = found.indexOf(this.#active);
        const targets = {
            ArrowDown: Math.min(current + 1, found.length - 1),
            ArrowUp: Math.max(current - 1, 0),
        };
        if (event.key in targets) this.#activate(found[targets[event.key]]);
        else if (event.key !== "Enter") return;
        else if (this.#active) this.#choose(this.#active);
        event.preventDefault();
    }

    async #load() {
        this.#isLoading = true;
        while (!part.hidden) {
            const { signal } = this.#stop;
            const { photo, items } = this.subject();
            if (photo === undefined) break;
            const key = `${photo} ${chainText(items)}`;
            const entry = this.#found.find((each) => this.#visible.has(each) && each.previewed !== key);
            if (!entry) break;
            entry.previewed = key;
            const chain = chainText([...items, configured(entry.filter)]);
            // An entry that the server refuses, for instance because of an error in the chain, has no preview.
            await load(chain, Math.round(previewSide * devicePixelRatio), [photo], signal, (_, image) => entry.show(image)).catch(() => entry.show());
        }
        this.#isLoading = false;
    }
}
