// The filters that only one photo has.

import * as api from "./api.js";
import { chainText } from "./chain.js";
import { History } from "./history.js";
import { Sender } from "./sender.js";

export class OwnFilters {
    /** Called when the server has answered, with what it knows: `{ version, filters }`, without filters if there are none. */
    onaccepted = () => {};
    /** Called with the server's message. */
    onerror = () => {};
    /** Why the server does not know the latest change; empty if it does. */
    error = "";
    /** The photo's number. */
    item;
    /** What the panel shows of it: `{ name, values }` of each filter; undefined if the photo has never had its own on this page. */
    filters;
    #history;
    /** Counts the changes of all photos' own filters. */
    version;
    #isSet;
    #watch;
    /** The text that was sent last. */
    #chain;
    #sender = new Sender(async (chain) => {
        try {
            const { version, filters } = await api.setOwnRecipe(this.item, chain);
            this.version = version;
            this.error = "";
            this.onaccepted(chain === null ? { version } : { version, filters });
        } catch (error) {
            this.error = error.message;
            this.onerror(error.message);
        }
    });

    /** `own` is what the server knows of them. `watch` is called with their history. */
    constructor(item, own, watch) {
        this.item = item;
        this.filters = own?.filters;
        this.version = own?.version ?? 0;
        this.#isSet = Boolean(own?.filters);
        this.#watch = watch;
    }

    /** It begins with the first filters. */
    get history() {
        this.#history ??= this.#watch(new History(this.filters));
        return this.#history;
    }

    /** Whether the server does not know the latest change. */
    get isAhead() {
        return this.#sender.isPending || this.error !== "";
    }

    /** Whether the photo has its own filters, as this page sees it. */
    get isSet() {
        return this.#isSet;
    }

    /** Takes filters that the panel shows. */
    change(filters, items) {
        this.filters = filters;
        this.#isSet = true;
        this.#send(chainText(items));
    }

    /** Gives the photo the filters of all again. Its own ones are remembered. */
    remove() {
        this.#isSet = false;
        this.#send(null);
    }

    /** Takes what the server knows, such as filters of another page. Returns whether it is news. */
    take(own) {
        if (!own || own.version <= this.version) return false;
        this.version = own.version;
        this.#isSet = Boolean(own.filters);
        if (own.filters) {
            this.filters = own.filters;
            this.#history?.record(own.filters);
        }
        return true;
    }

    /**
     * Waits until the server knows all changes.
     * @throws Error that says why it does not.
     */
    async settled() {
        await this.#sender.settled();
        if (!this.error) return;
        // There may have been no connection.
        this.#send(this.#chain);
        await this.#sender.settled();
        if (this.error) throw new Error(this.error);
    }

    /** The recipe of this photo alone, after all changes were sent. */
    async recipe() {
        await this.settled();
        return api.ownRecipe(this.item);
    }

    #send(chain) {
        this.#chain = chain;
        this.#sender.set(chain);
    }
}
