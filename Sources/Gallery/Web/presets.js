// Looks to choose from: whole chains, each shown on the photo under the eye.

import { chainText, configured, parsed } from "./chain.js";
import { icon, make, title } from "./elements.js";
import { announce } from "./messages.js";
import { prefer, preference } from "./preferences.js";
import { Entry, group, PreviewList } from "./previews.js";
import { chainIn } from "./recipe.js";

const part = document.getElementById("choosing");
const list = document.getElementById("looks");
const error = document.getElementById("look-error");
const actions = document.getElementById("look-actions");
const keepButton = document.getElementById("keep-look");
const recipeFile = document.getElementById("recipe-file");
const naming = document.getElementById("naming");
const field = naming.elements.look;

const house = Object.entries({
    "Vivid": "vibrance:amount=0.55+curves:master=0/0_0.25/0.21_0.75/0.81_1/1",
    "Soft light": "bloom:amount=0.5,radius=4%,threshold=0.2+vibrance:amount=-0.1",
    "Warm evening": "white-balance:temperature=26,tint=5"
        + "+split-tone:shadows=#5b3f73,highlights=#f2a65a,amount=0.35+vignette:amount=0.3",
    "Cold morning": "white-balance:temperature=-32+fade:amount=0.25+vibrance:amount=-0.25",
    "Matte": "curves:master=0/0.08_0.25/0.26_0.75/0.76_1/0.95+vibrance:amount=-0.15",
    "Faded": "fade:amount=0.7+white-balance:temperature=10+vibrance:amount=-0.3+grain:amount=0.05",
    "Cyan and orange": "split-tone:amount=0.7+vibrance:amount=0.2+curves:master=0/0_0.25/0.22_0.75/0.8_1/1",
    "Cross process": "curves:master=0/0_1/1,red=0/0_0.25/0.18_0.75/0.84_1/1,"
        + "green=0/0_0.25/0.22_0.75/0.81_1/0.98,blue=0/0.12_1/0.86",
    "Miniature": "tilt-shift:radius=1%+saturate:amount=1.3+contrast:amount=1.1",
    "Silver": "grayscale+curves:master=0/0.03_0.25/0.24_0.75/0.79_1/0.98+grain:amount=0.05",
    "Noir": "noir:contrast=7+vignette:amount=0.45",
    "Sepia": "sepia:intensity=1+vignette:amount=0.35",
    "Wet plate": "tintype",
    "Cyanotype": "duotone:shadows=#0b2d52,highlights=#eef3f5",
});

/** The looks that the user kept, `{ name, chain }`. */
const kept = () => preference("looks", []);
const keep = (looks) => prefer("looks", looks);

/** A look of the list. */
class Look extends Entry {
    constructor(name, chain) {
        super();
        this.name = name;
        this.chain = chain;
        const label = make("span", { className: "name", textContent: name });
        this.button = make("button", { type: "button", tabIndex: -1, title: chain }, this.preview, label);
        this.element = make("div", { className: "look" }, this.button);
    }

    /** Adds a button that removes the look. */
    addRemoval(remove) {
        const button = make("button", { type: "button", className: "icon remove", title: "Remove" }, icon("close"));
        button.setAttribute("aria-label", `Remove ${this.name}`);
        button.addEventListener("click", remove);
        this.button.addEventListener("keydown", ({ key }) => { if (key === "Delete") remove(); });
        this.element.append(button);
    }
}

/** The looks of one kind. */
class Shelf {
    looks = [];
    #places = make("div", { className: "looks" });
    #hint;

    /** `hint` is there while there are no looks; without one, the heading is not there either. */
    constructor(id, name, hint) {
        this.#hint = hint && make("p", { className: "secondary hint", textContent: hint });
        this.element = group(`looks-${id}`, name, this.#places, this.#hint ?? "");
    }

    /** Shows looks, `{ name, chain }`. What is there already stays, with its preview; `add` gets what is new. */
    fill(looks, add) {
        this.looks = looks.map(({ name, chain }) => {
            const old = this.looks.find((each) => each.name === name && each.chain === chain);
            if (old) return old;
            const look = new Look(name, chain);
            add(look);
            return look;
        });
        this.#places.replaceChildren(...this.looks.map(({ element }) => element));
        const isEmpty = this.looks.length === 0;
        if (this.#hint) this.#hint.hidden = !isEmpty;
        else this.element.hidden = isEmpty;
    }

    /** The looks as they stand on the screen. */
    get rows() {
        const columns = getComputedStyle(this.#places).gridTemplateColumns.split(" ").length;
        const count = Math.ceil(this.looks.length / columns);
        return Array.from({ length: count }, (_, row) => this.looks.slice(row * columns, (row + 1) * columns));
    }
}

export class Presets extends PreviewList {
    /** Called with the filters of the look that was chosen. */
    onchoose = () => {};
    /** The chain that is shown. */
    items = () => [];
    /** The filters that were shown before, newest first. */
    before = () => [];
    #known;
    #house = new Shelf("house", "House");
    #own = new Shelf("own", "Own", "Looks that you keep are here, also next time.");
    #before = new Shelf("before", "Before");

    constructor(known) {
        super(part, list, document.getElementById("choose-look"));
        this.#known = known;
        list.append(...this.#shelves.map(({ element }) => element));
        list.addEventListener("keydown", (event) => this.#key(event));
        list.addEventListener("focusin", ({ target }) => this.#mark(target));
        keepButton.addEventListener("click", () => this.#ask());
        naming.addEventListener("submit", (event) => {
            event.preventDefault();
            this.#keep(field.value.trim());
        });
        naming.addEventListener("keydown", (event) => {
            if (event.key !== "Escape") return;
            // Else the list would close, too.
            event.stopPropagation();
            event.preventDefault();
            this.#endNaming();
        });
        document.getElementById("keep-none").addEventListener("click", () => this.#endNaming());
        document.getElementById("open-recipe").addEventListener("click", () => recipeFile.click());
        recipeFile.addEventListener("change", () => this.#read(recipeFile.files[0]));
    }

    chainOf(look) {
        return look.chain;
    }

    open() {
        super.open();
        this.#showNaming(false);
        this.#fill();
        this.renew();
        list.scrollTop = 0;
        const present = this.entries.find(({ button }) => button.ariaCurrent) ?? this.entries[0];
        this.#mark(present.button);
        present.button.focus();
    }

    renew() {
        if (this.isOpen) {
            const chain = chainText(this.items());
            for (const look of this.entries) look.button.ariaCurrent = look.chain === chain ? "true" : null;
            keepButton.setAttribute("aria-disabled", chain === "");
        }
        super.renew();
    }

    get #shelves() {
        return [this.#house, this.#own, this.#before];
    }

    #fill() {
        const choose = (look) => look.button.addEventListener("click", () => this.#choose(look.name, look.chain));
        this.#house.fill(house.map(([name, chain]) => ({ name, chain })), choose);
        this.#own.fill(kept(), (look) => {
            choose(look);
            look.addRemoval(() => this.#remove(look));
        });
        this.#before.fill(this.before().map((filters) => ({
            name: filters.map(({ name }) => title(name)).join(", ") || "No filter",
            chain: chainText(filters.map(({ name, values }) => configured(this.#filter(name), values))),
        })), choose);
        this.entries = this.#shelves.flatMap(({ looks }) => looks);
    }

    #filter(name) {
        return this.#known.find((each) => each.name === name);
    }

    /** Chooses a chain's text, or shows what is wrong with it. */
    #choose(name, chain) {
        try {
            const filters = parsed(chain, this.#known);
            this.dismiss();
            this.onchoose(filters);
            announce(`${name} is shown.`);
        } catch ({ message }) {
            error.textContent = `${name}: ${message}`;
        }
    }

    async #read(file) {
        // The same file may be chosen again.
        recipeFile.value = "";
        try {
            this.#choose(file.name, await chainIn(file));
        } catch ({ message }) {
            error.textContent = message;
        }
    }

    #showNaming(isVisible) {
        naming.hidden = !isVisible;
        actions.hidden = isVisible;
        error.textContent = "";
    }

    /** Asks for the name of the look to keep. */
    #ask() {
        if (keepButton.getAttribute("aria-disabled") === "true") return;
        this.#showNaming(true);
        field.value = this.items().map(({ filter }) => title(filter.name)).join(", ").slice(0, field.maxLength);
        field.select();
    }

    #endNaming() {
        this.#showNaming(false);
        keepButton.focus();
    }

    #keep(name) {
        if (name === "") return;
        const looks = kept();
        const same = looks.findIndex((look) => look.name === name);
        looks.splice(same < 0 ? looks.length : same, 1, { name, chain: chainText(this.items()) });
        keep(looks);
        this.#endNaming();
        this.#fill();
        this.renew();
        this.#own.looks.find((look) => look.name === name).button.focus();
        announce(`${name} is kept.`);
    }

    #remove(look) {
        const index = this.#own.looks.indexOf(look);
        keep(kept().filter(({ name }) => name !== look.name));
        this.#fill();
        const next = this.#own.looks[Math.min(index, this.#own.looks.length - 1)];
        (next?.button ?? keepButton).focus();
        announce(`${look.name} removed.`);
    }

    /** Lets Tab lead to one look only. */
    #mark(target) {
        if (!this.entries.some(({ button }) => button === target)) return;
        for (const { button } of this.entries) button.tabIndex = button === target ? 0 : -1;
    }

    #key(event) {
        const { entries } = this;
        const current = entries.findIndex(({ button }) => button === event.target);
        if (current < 0) return;
        const rows = this.#shelves.flatMap((shelf) => shelf.rows);
        const row = rows.findIndex((each) => each.includes(entries[current]));
        const column = rows[row].indexOf(entries[current]);
        const inRow = (number) => rows[number]?.[Math.min(column, rows[number].length - 1)];
        const targets = {
            ArrowLeft: entries[current - 1],
            ArrowRight: entries[current + 1],
            ArrowUp: inRow(row - 1),
            ArrowDown: inRow(row + 1),
            Home: entries[0],
            End: entries.at(-1),
        };
        if (!(event.key in targets)) return;
        targets[event.key]?.button.focus();
        event.preventDefault();
    }
}
