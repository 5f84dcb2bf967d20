// The dialog that writes stars to XMP files beside the photos.

import * as api from "./api.js";
import { photos, showProblems } from "./elements.js";

const element = (id) => document.getElementById(id);
const whole = new Intl.NumberFormat("en");

export class StarWriter {
    #dialog = element("xmp-dialog");
    #text = element("xmp-text");
    #problems = element("xmp-problems");
    #write = element("xmp-write");
    #close = element("xmp-close");
    #asking = 0;

    constructor() {
        element("write-stars").addEventListener("click", () => this.#open());
        this.#close.addEventListener("click", () => this.#dialog.close());
        this.#write.addEventListener("click", () => this.#start());
    }

    #open() {
        this.#show("Comparing stars with the photos’ XMP…");
        this.#dialog.showModal();
        this.#answer(api.unwrittenStars, ({ count, folderCount, folder }) => {
            if (count === 0) {
                this.#show("All stars that were given to local photos are in their XMP.");
                return;
            }
            const others = folderCount - 1;
            const more = others === 0 ? "" : ` and ${whole.format(others)} other ${others === 1 ? "folder" : "folders"}`;
            this.#show(`The stars of ${photos(count)} are written to XMP files beside them, in ${folder}${more}. `
                + "The photos stay as they are.");
            this.#write.textContent = `Write ${photos(count)}`;
            this.#write.hidden = false;
            this.#close.textContent = "Cancel";
        });
    }

    #start() {
        this.#show("Writing…");
        this.#answer(api.writeStars, ({ written, failed, problems }) => {
            this.#show(`${photos(written)} written${failed > 0 ? `, ${whole.format(failed)} failed` : ""}.`);
            showProblems(this.#problems, problems, failed);
        });
    }

    /** Shows an answer, unless the dialog has asked again since. */
    async #answer(ask, show) {
        const asking = this.#asking += 1;
        const isOld = () => asking !== this.#asking;
        try {
            const answer = await ask();
            if (!isOld()) show(answer);
        } catch (error) {
            if (!isOld()) this.#show(error.message);
        }
    }

    #show(text) {
        this.#text.textContent = text;
        this.#problems.hidden = true;
        this.#close.textContent = "Close";
        // Hidden, it would leave the focus nowhere.
        if (document.activeElement === this.#write) this.#close.focus();
        this.#write.hidden = true;
    }
}
