// The panel that edits the filter chain. Filters and settings come from the server's catalogue.

import { Catalog } from "./catalog.js";
import { configured, lacksFile } from "./chain.js";
import { title } from "./elements.js";
import { announce } from "./messages.js";
import { Presets } from "./presets.js";
import { reorder } from "./reorder.js";
import { Setting } from "./setting.js";
import { choose } from "./upload.js";
import { Wording } from "./wording.js";

const template = document.getElementById("filter-template");
const list = document.getElementById("chain");
const error = document.getElementById("chain-error");
const addButton = document.getElementById("add-filter");

/** A filter of the chain and what shows it. */
class Card {
    element = template.content.firstElementChild.cloneNode(true);
    settings = [];

    /** `upload` lets the user choose a file for the filter: see `choose`. */
    constructor(item, onchange, upload) {
        this.item = item;
        const { filter, values } = item;
        const name = title(filter.name);
        const find = (selector) => this.element.querySelector(selector);
        find("h3").textContent = name;
        this.element.title = filter.summary ?? "";
        const labels = { restore: "Reset", up: "Move up:", down: "Move down:", remove: "Remove" };
        for (const [button, label] of Object.entries(labels)) {
            find(`.${button}`).setAttribute("aria-label", `${label} ${name}`);
            find(`.${button}`).title = label.replace(":", "");
        }
        this.settings = filter.parameters.map((parameter) => {
            const wording = new Wording(filter, parameter);
            const setting = new Setting(parameter, values[parameter.name], wording, upload);
            setting.onchange = (value) => {
                values[parameter.name] = value;
                onchange(setting);
            };
            this.element.append(setting.element);
            return setting;
        });
        find(".restore").addEventListener("click", () => {
            Object.assign(values, configured(filter).values);
            this.settings.forEach((setting, index) => {
                setting.value = values[filter.parameters[index].name];
            });
            onchange();
        });
    }
}

const controls = ({ element }) => [...element.querySelectorAll("button, input, select")];

export class FilterPanel {
    /** Called with the chain's filters after every change, and with what names the setting that changed, if one did. */
    onchange = () => {};
    /** The photo that filters to add, and looks, are shown on; undefined if none has arrived. */
    photo = () => undefined;
    /** Filters that were shown before, newest first. */
    before = () => [];
    #known;
    #catalog;
    #presets;
    #cards = [];
    /** The setting that changed last; an error of the server is shown there. */
    #changed;

    constructor(known, filters) {
        this.#known = known;
        this.#catalog = new Catalog(known);
        this.#catalog.photo = () => this.photo();
        this.#catalog.items = () => this.items;
        this.#catalog.onchoose = (filter) => this.#add(filter);
        this.#presets = new Presets(known);
        this.#presets.photo = () => this.photo();
        this.#presets.items = () => this.items;
        this.#presets.before = () => this.before();
        this.#presets.onchoose = (filters) => { this.filters = filters; };
        reorder(list, (from, to) => this.#move(from, to));
        this.show(filters);
    }

    get items() {
        return this.#cards.map((card) => card.item);
    }

    /** The items of other filters, `{ name, values }` each. Those that the catalogue does not have are left out. */
    itemsOf(filters) {
        const known = filters.map(({ name, values }) => [this.#known.find((each) => each.name === name), values]);
        return known.filter(([filter]) => filter).map(([filter, values]) => configured(filter, values));
    }

    /** What is shown: `{ name, values }` of each filter. */
    get filters() {
        return this.items.map(({ filter, values }) => ({ name: filter.name, values }));
    }

    set filters(filters) {
        this.show(filters);
        this.#notify();
    }

    /** Looks for the photo anew, as it may be another one. */
    renew() {
        this.#catalog.renew();
        this.#presets.renew();
    }

    /** Shows filters that the server knows already. */
    show(filters) {
        const focus = this.#focus;
        this.#changed = undefined;
        this.#cards = [];
        for (const { name, values } of filters) {
            const filter = this.#known.find((each) => each.name === name);
            if (filter) this.#append(configured(filter, values));
        }
        this.#arrange();
        if (!focus) return;
        const card = this.#cards[focus.card];
        const control = card && controls(card)[focus.control];
        (control ?? addButton).focus();
    }

    /** Which control of which card has the focus; undefined if it is elsewhere. */
    get #focus() {
        const { activeElement } = document;
        const card = this.#cards.findIndex(({ element }) => element.contains(activeElement));
        return card < 0 ? undefined : { card, control: controls(this.#cards[card]).indexOf(activeElement) };
    }

    set error(text) {
        error.textContent = this.#changed ? "" : text;
        if (this.#changed) this.#changed.error = text;
    }

    #append(item) {
        const card = new Card(
            item, (setting) => this.#notify(setting), () => choose(item.filter, this.#known));
        const find = (selector) => card.element.querySelector(selector);
        find(".up").addEventListener("click", () => this.#step(card, -1, ".up"));
        find(".down").addEventListener("click", () => this.#step(card, 1, ".down"));
        find(".remove").addEventListener("click", () => this.#remove(card));
        this.#cards.push(card);
        return card;
    }

    async #add(filter) {
        if (lacksFile(filter)) {
            const path = await choose(filter, this.#known);
            if (lacksFile(filter)) {
                addButton.focus();
                if (path) announce(`${title(filter.name)} cannot have this file.`);
                return;
            }
        }
        const card = this.#append(configured(filter));
        this.#arrange();
        (card.element.querySelector("input, select") ?? card.element.querySelector(".remove")).focus();
        this.#notify();
    }

    #remove(card) {
        const index = this.#cards.indexOf(card);
        this.#cards.splice(index, 1);
        this.#arrange();
        const next = this.#cards[Math.min(index, this.#cards.length - 1)];
        (next?.element.querySelector(".remove") ?? addButton).focus();
        announce(`${title(card.item.filter.name)} removed.`);
        this.#notify();
    }

    #step(card, by, button) {
        const from = this.#cards.indexOf(card);
        const to = from + by;
        if (to < 0 || to >= this.#cards.length) return;
        this.#move(from, to);
        card.element.querySelector(button).focus();
    }

    #move(from, to) {
        if (from === to) return;
        const [card] = this.#cards.splice(from, 1);
        this.#cards.splice(to, 0, card);
        this.#arrange();
        announce(`${title(card.item.filter.name)} is now number ${to + 1} of ${this.#cards.length}.`);
        this.#notify();
    }

    #arrange() {
        list.replaceChildren(...this.#cards.map((card) => card.element));
        const last = this.#cards.length - 1;
        this.#cards.forEach((card, index) => {
            card.element.querySelector(".up").setAttribute("aria-disabled", index === 0);
            card.element.querySelector(".down").setAttribute("aria-disabled", index === last);
        });
        document.getElementById("no-filters").hidden = this.#cards.length > 0;
    }

    #notify(setting) {
        this.#changed = setting;
        this.onchange(this.items, setting?.name);
        this.renew();
    }
}
