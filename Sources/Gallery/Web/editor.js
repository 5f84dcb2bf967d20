// What the panel edits: the filters of all photos, or those that only the open photo has.

import * as api from "./api.js";
import { chainText, offer } from "./chain.js";
import { make } from "./elements.js";
import { FilterPanel } from "./filters.js";
import { control, History } from "./history.js";
import { tell } from "./messages.js";
import { itemAt, placeOf } from "./order.js";
import { OwnFilters } from "./own.js";
import { Recipe } from "./recipe.js";

const element = (id) => document.getElementById(id);
const toggle = element("own");
const device = element("device");

export class Editor {
    /** Called with the panel's filters at every change. */
    onchange = () => {};
    /** Called when what was shown of changes is not wanted any more. */
    onend = () => {};
    /** Called when all photos have other filters. */
    onaccepted = () => {};
    panel;
    #photos;
    #recipe;
    /** The filters of all photos, as the panel has them and as it shows them. */
    #items;
    #filters;
    #history;
    /** Calls what shows what can be undone. */
    #showHistory;
    /** Filters of photos that have had their own, by number. */
    #owns = new Map();
    /** Those that are edited; undefined for those of all photos. */
    #own;
    /** The place of the open photo, or -1. */
    #open = -1;

    constructor(gallery, photos) {
        this.#photos = photos;
        this.#recipe = new Recipe(gallery.recipe);
        offer(gallery.filters, gallery.files);
        this.panel = new FilterPanel(gallery.filters, gallery.recipe.filters);
        this.#items = this.panel.items;
        this.#filters = this.panel.filters;
        this.#history = this.#watched(new History(this.#filters));
        this.#showHistory = control(() => this.#current, element("undo"), element("redo"));
        this.panel.before = () => this.#current.seen;
        this.panel.onchange = (items, setting) => {
            this.#current.record(this.panel.filters, setting);
            this.#take(items);
        };
        this.#recipe.onerror = (text) => {
            if (!this.#own) this.panel.error = text;
            else if (text) tell(text);
        };
        this.#recipe.onaccepted = () => this.onaccepted();
        this.#recipe.other = () => this.#own?.recipe();
        this.#mark();
        device.append(...gallery.devices.map(({ identifier, name }) => (
            make("option", { value: identifier, textContent: name }))));
        device.value = gallery.recipe.device;
        device.addEventListener("change", () => { this.#recipe.device = device.value; });
        toggle.addEventListener("click", () => this.#toggle());
    }

    /** The text of the filters of all photos. */
    get chain() {
        return chainText(this.#items);
    }

    /** How many photos have filters of their own. */
    set ownCount(count) {
        this.#recipe.ownCount = count;
    }

    /**
     * Waits until the server knows the own filters of photos.
     * @throws Error that says why it does not.
     */
    async settled() {
        for (const own of this.#owns.values()) {
            try {
                await own.settled();
            } catch (error) {
                const name = this.#photos.get(placeOf(own.item))?.name ?? "a photo";
                throw new Error(`The own filters of ${name} could not be set: ${error.message}`);
            }
        }
    }

    /** Shows the filters of the photo that is open at a place; -1 if none is. */
    show(index) {
        this.#open = index;
        toggle.hidden = index < 0;
        if (index < 0) return this.#edit(undefined);
        const photo = this.#photos.get(index);
        toggle.setAttribute("aria-disabled", !photo);
        let own = this.#owns.get(itemAt(index));
        if (!own && photo?.own) own = this.#make(itemAt(index), photo.own);
        const isNews = Boolean(own && !own.isAhead && own.take(photo?.own));
        this.#edit(own?.isSet ? own : undefined, isNews);
    }

    /** Shows filters that another page has set for all photos. Undo takes them back. */
    async follow(version) {
        if (this.#recipe.isPending || version <= this.#recipe.version) return;
        const latest = await api.currentRecipe();
        if (this.#recipe.isPending || latest.version <= this.#recipe.version) return;
        this.#recipe.take(latest);
        device.value = latest.device;
        this.#items = this.panel.itemsOf(latest.filters);
        this.#filters = latest.filters;
        this.#history.record(latest.filters);
        this.onaccepted();
        if (this.#own) return tell("The filters of all photos were changed on another page.");
        this.onend();
        this.panel.show(latest.filters);
        this.panel.error = "";
        this.#mark();
        tell("The filters were changed on another page. Undo takes that back.");
    }

    get #current() {
        return this.#own?.history ?? this.#history;
    }

    #watched(history) {
        history.onchange = () => this.#showHistory();
        history.onrestore = (filters) => {
            this.panel.show(filters);
            this.#take(this.panel.items);
            this.panel.renew();
        };
        return history;
    }

    /** Takes what the panel shows now. */
    #take(items) {
        this.onchange(items);
        if (this.#own) {
            this.#own.change(this.panel.filters, items);
        } else {
            this.#items = items;
            this.#filters = this.panel.filters;
            this.#recipe.items = items;
        }
        this.#mark();
    }

    #make(item, known) {
        const own = new OwnFilters(item, known, (history) => this.#watched(history));
        own.onerror = (text) => {
            if (this.#own === own) this.panel.error = text;
            else tell(text);
        };
        own.onaccepted = (accepted) => {
            if (this.#own === own) this.panel.error = "";
            this.#photos.setOwn(item, accepted);
        };
        this.#owns.set(item, own);
        return own;
    }

    /** Edits the own filters of a photo, or those of all. */
    #edit(own, isNews = false) {
        if (own === this.#own && !(own && isNews)) return;
        // They are of other filters.
        this.onend();
        this.#own = own;
        this.panel.show(own?.filters ?? this.#filters);
        this.panel.error = own?.error ?? "";
        this.panel.renew();
        toggle.setAttribute("aria-pressed", Boolean(own));
        this.#mark();
        this.#showHistory();
    }

    /** Gives the open photo its own filters, or those of all. */
    #toggle() {
        if (toggle.getAttribute("aria-disabled") === "true") return;
        if (this.#own) {
            const left = this.#own;
            this.#edit(undefined);
            left.remove();
            this.onchange(this.panel.items);
            tell("This photo has the filters of all photos again. “Only this photo” brings its own back.");
        } else {
            const item = itemAt(this.#open);
            const own = this.#owns.get(item) ?? this.#make(item);
            own.filters ??= this.#filters;
            this.#edit(own);
            this.#take(this.panel.items);
        }
    }

    #mark() {
        this.#recipe.isEmpty = this.panel.items.length === 0;
    }
}
