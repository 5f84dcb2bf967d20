// The filters that only one photo has.

import * as api from "./api.js";
import { chainText } from "./chain.js";
import { History } from "./history.js";
import { Sender } from "./sender.js";

export class OwnFilters {
    /** Called with the server's message, or an empty text when all is right. */
    onerror = () => {};
    /** Called with what the server knows of the photo's own filters: undefined if it has none. */
    onaccepted = () => {};
    /** The photo's number. */
    item;
    /** What the panel shows of it: `{ name, values }` of each filter. */
    filters;
    history;
    /** Counts the changes; 0 while the photo has the filters of all. */
    version = 0;
    #isSet = false;
    #sender = new Sender(async (chain) => {
        try {
            const { version, filters } = await api.setOwnRecipe(this.item, chain);
            this.version = version;
            this.onerror("");
            this.onaccepted(version > 0 ? { version, filters } : undefined);
        } catch (error) {
            this.onerror(error.message);
        }
    });

    constructor(item, filters) {
        this.item = item;
        this.filters = filters;
        this.history = new History(filters);
    }

    /** Whether the server does not know the latest change yet. */
    get isPending() {
        return this.#sender.isPending;
    }

    /** Whether the photo has its own filters, as this page sees it. */
    get isSet() {
        return this.#isSet;
    }

    /** Takes filters that the panel shows. */
    change(filters, items) {
        this.filters = filters;
        this.#isSet = true;
        this.#sender.set(chainText(items));
    }

    /** Gives the photo the filters of all again. Its own ones are remembered. */
    remove() {
        this.#isSet = false;
        this.#sender.set(null);
    }

    /** Takes what the server says: filters of another page, or none. */
    take(own) {
        this.#isSet = Boolean(own);
        if (!own || own.version === this.version) return;
        this.version = own.version;
        this.filters = own.filters;
        this.history.record(own.filters);
    }

    /** The recipe of this photo alone, after all changes were sent. */
    async recipe() {
        await this.#sender.settled();
        return api.ownRecipe(this.item);
    }
}
