// The recipe: what the panel shows, sent to the server, copied, saved and opened.

import * as api from "./api.js";
import { chainText } from "./chain.js";
import { make } from "./elements.js";
import { tell } from "./messages.js";
import { Sender } from "./sender.js";
import { namesUpload } from "./upload.js";

/** Bytes of the largest file that is read as a recipe. */
const mostBytes = 1_000_000;

const uploadAdvice = "names a file that only the gallery has: put in the path where you have it.";

const exports = document.querySelectorAll("[data-export]");

/**
 * The chain's text in a recipe's file.
 * @throws Error that says why the file is none.
 */
export async function chainIn(file) {
    const wrong = (why) => new Error(`“${file.name}” is no recipe: ${why}`);
    if (file.size > mostBytes) throw wrong("it is too large.");
    let recipe;
    try {
        recipe = JSON.parse(await file.text());
    } catch {
        throw wrong("it is not JSON.");
    }
    if (recipe?.outputs) throw new Error(`“${file.name}” has several outputs. Open a recipe of one.`);
    const filters = [recipe?.filters].flat();
    if (!filters.every((each) => typeof each === "string")) throw wrong("it has no “filters”.");
    return filters.join("+");
}

export class Recipe {
    /** Called with the server's message, or an empty text when all is right. */
    onerror = () => {};
    onaccepted = () => {};
    /** What is copied and saved in place of this recipe, as a promise; undefined is this one. */
    other = () => undefined;
    /** Photos that have filters of their own. */
    ownCount = 0;
    #accepted;
    #chain;
    #device;
    #sender = new Sender(async ({ chain, device }) => {
        try {
            this.#accepted = await api.recipe(chain, device);
            this.onerror("");
            this.onaccepted();
        } catch (error) {
            this.onerror(error.message);
        }
    });

    constructor(recipe) {
        this.#accepted = recipe;
        this.#chain = recipe.chain;
        this.#device = recipe.device;
        for (const button of exports) {
            const isCommand = button.dataset.export === "command";
            button.addEventListener("click", () => {
                if (button.getAttribute("aria-disabled") === "true") return;
                if (isCommand) this.copy();
                else this.save();
            });
        }
    }

    /** Whether there are no filters, so that a command would have nothing to do. */
    set isEmpty(value) {
        for (const button of exports) button.setAttribute("aria-disabled", value);
    }

    /** The version of the recipe that the server accepted last. */
    get version() {
        return this.#accepted.version;
    }

    /** Whether the server does not know this page's latest changes yet. */
    get isPending() {
        return this.#sender.isPending;
    }

    /** Takes a recipe that another page has set. */
    take(recipe) {
        this.#accepted = recipe;
        this.#chain = recipe.chain;
        this.#device = recipe.device;
    }

    set items(items) {
        this.#chain = chainText(items);
        this.#send();
    }

    set device(identifier) {
        this.#device = identifier;
        this.#send();
    }

    async copy() {
        const other = this.other();
        const { command, chain } = await this.#exported(other);
        if (!command) return;
        const files = namesUpload(chain) ? ` It ${uploadAdvice}` : "";
        const rest = other || this.ownCount === 0 ? ""
            : ` It has the filters of all photos, not those that only ${this.ownCount} of them have.`;
        try {
            await navigator.clipboard.writeText(command);
            tell(`The command is on the clipboard.${rest}${files}`);
        } catch {
            tell(`The browser did not allow to copy: ${command}`);
        }
    }

    async save() {
        const { chain } = await this.#exported(this.other());
        if (chain === undefined) return;
        if (namesUpload(chain)) tell(`The recipe ${uploadAdvice}`);
        const text = `${JSON.stringify({ filters: chain }, null, 2)}\n`;
        const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
        make("a", { href: address, download: "recipe.json" }).click();
        setTimeout(() => URL.revokeObjectURL(address), 10_000);
    }

    /** What is copied and saved; empty, and the user is told why, if it is not known. */
    async #exported(other) {
        try {
            return await (other ?? this.#settled());
        } catch (error) {
            tell(error.message);
            return {};
        }
    }

    /** The recipe that the server accepted last, after all changes were sent. */
    async #settled() {
        await this.#sender.settled();
        return this.#accepted;
    }

    #send() {
        this.#sender.set({ chain: this.#chain, device: this.#device });
    }
}
