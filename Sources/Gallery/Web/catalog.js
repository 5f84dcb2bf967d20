// The list of filters to add. It is searched by typing, and shows each filter on the photo under the eye.

import { chainText, configured } from "./chain.js";
import { make, title } from "./elements.js";
import { Entry, group, PreviewList } from "./previews.js";
import { groupTitle } from "./wording.js";

const field = document.getElementById("search-filters");
const list = document.getElementById("catalog");
const matches = document.getElementById("matches");
const nothing = document.getElementById("no-matches");

/** A filter of the list. */
class FilterEntry extends Entry {
    #name;
    #text;

    constructor(filter, number) {
        super();
        this.filter = filter;
        const name = title(filter.name);
        this.#name = name.toLowerCase();
        this.#text = `${filter.name} ${name} ${filter.summary} ${groupTitle(filter.group)}`.toLowerCase();
        this.element = make("button", { type: "button", id: `catalog-${number}`, tabIndex: -1 }, this.preview, make(
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
}

export class Catalog extends PreviewList {
    /** Called with the filter that was chosen. */
    onchoose = () => {};
    /** The chain before the filters. */
    items = () => [];
    #groups = [];
    #active;

    constructor(filters) {
        super(document.getElementById("adding"), list, document.getElementById("add-filter"));
        this.entries = filters.map((filter, number) => new FilterEntry(filter, number));
        const groups = Map.groupBy(this.entries, ({ filter }) => filter.group);
        for (const [name, entries] of groups) {
            this.#groups.push(group(`catalog-${name}`, groupTitle(name), ...entries.map(({ element }) => element)));
        }
        list.append(...this.#groups);
        for (const entry of this.entries) entry.element.addEventListener("click", () => this.#choose(entry));
        field.addEventListener("input", () => this.#search());
        field.addEventListener("keydown", (event) => this.#key(event));
    }

    chainOf(entry) {
        return chainText([...this.items(), configured(entry.filter)]);
    }

    open() {
        super.open();
        field.value = "";
        list.scrollTop = 0;
        this.#search();
        field.focus();
    }

    #choose(entry) {
        this.close();
        this.onchoose(entry.filter);
    }

    get #found() {
        return this.entries.filter(({ element }) => !element.hidden);
    }

    #search() {
        const typed = field.value.trim().toLowerCase();
        const words = typed.split(/\s+/);
        for (const entry of this.entries) entry.search(words);
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
}
