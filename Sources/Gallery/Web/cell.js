// One cell of the grid. It is used again for other photos while the user scrolls.

import { imageAddress } from "./api.js";
import { spread } from "./frames.js";
import { setBusy } from "./spinners.js";
import { starsText } from "./stars.js";

const template = document.getElementById("cell-template");
const stillness = matchMedia("(prefers-reduced-motion: reduce)");
const fadeDuration = 350;
/** Each fade is a layer of its own, which costs time in every frame; further images appear at once. */
const mostFades = 12;
let fades = 0;

const descriptions = {
    new: "waiting",
    downloaded: "not filtered",
    filtered: "filtered",
};

/** Sets a text, unless it is there already: even an equal one would be laid out anew. */
function write(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

/** What a screen reader says about a photo's state and its stars. */
export function describe(photo) {
    const own = photo.own?.filters ? ", with its own filters" : "";
    const stars = photo.stars > 0 ? `, ${starsText(photo.stars)}` : "";
    if (photo.state === "failed") return `failed: ${photo.error ?? ""}${own}${stars}`;
    return `${photo.state === "new" && photo.busy ? "loading" : descriptions[photo.state]}${own}${stars}`;
}

export class Cell {
    element = template.content.firstElementChild.cloneNode(true);
    index = -1;
    #photo;
    #images = this.element.querySelector(".images");
    #name = this.element.querySelector(".name");
    #stars = this.element.querySelector(".stars");
    #failure = this.element.querySelector(".failure");
    #reason = this.element.querySelector(".failure p");
    #retry = this.element.querySelector(".retry");
    /** The image that is loading. */
    #incoming;
    #wanted = 0;
    #isCurrent = false;

    /** Shows a photo; `photo` is undefined while it is not known, `count` is the number of all photos. */
    show(index, photo, count) {
        if (index !== this.index) this.#begin(index, count);
        if (photo === this.#photo) return;
        this.#photo = photo;
        const { dataset } = this.element;
        dataset.state = photo?.state ?? "unknown";
        dataset.version = photo?.version ?? 0;
        dataset.busy = photo?.busy ?? false;
        dataset.own = Boolean(photo?.own?.filters);
        setBusy(this.element, photo?.busy ?? false);
        write(this.#name, photo?.name ?? "");
        this.#name.title = photo?.name ?? "";
        write(this.#stars, "★".repeat(photo?.stars ?? 0));
        const place = `photo ${index + 1} of ${count}`;
        const label = photo ? `${photo.name}, ${place}, ${describe(photo)}` : place;
        this.element.setAttribute("aria-label", label);
        // The reason comes a moment after the failure, and both are shown at once.
        const failed = photo?.state === "failed" && photo.error !== undefined;
        this.#failure.hidden = !failed;
        write(this.#reason, failed ? photo.error : "");
        this.#reason.title = this.#reason.textContent;
        this.#retry.setAttribute("aria-label", failed ? `Retry ${photo.name}` : "Retry");
        this.#retry.hidden = !photo?.canRetry;
        if (photo && photo.version === 0) this.#clear();
    }

    /** Loads the photo's image, if another one is shown. Not called while photos fly past. */
    load() {
        const version = this.#photo?.version ?? 0;
        if (version === 0 || version === this.#wanted) return;
        // A look stays until the photo is filtered: it is nearer to that than the photo before its filters.
        if ("look" in this.element.dataset && this.#photo.state === "downloaded") return;
        this.#wanted = version;
        this.#cancelLoading();
        const image = document.createElement("img");
        image.alt = "";
        image.draggable = false;
        image.src = imageAddress(this.index, "thumbnail", version);
        this.#incoming = image;
        this.element.dataset.loading = version;
        image.decode().then(
            () => spread(image, () => this.#enter(image, version)),
            () => {
                // It was not wanted any more.
                if (this.#incoming !== image) return;
                // The photo changed meanwhile, and its next version is on its way; or there is no connection,
                // and it is tried again when the cell is drawn again.
                this.#wanted = 0;
                this.#cancelLoading();
            });
    }

    /** Shows a look at once, until the photo has a new version. */
    look(image) {
        this.#cancelLoading();
        this.#images.replaceChildren(image);
        this.element.dataset.look = "";
    }

    /** Called when the cell leaves the page. */
    rest() {
        this.index = -1;
        this.#photo = null;
        this.#clear();
        setBusy(this.element, false);
    }

    set isSelected(value) {
        if (this.element.getAttribute("aria-selected") !== String(value)) this.element.setAttribute("aria-selected", value);
    }

    /** Makes this the cell that Tab reaches. */
    set isCurrent(value) {
        if (value === this.#isCurrent) return;
        this.#isCurrent = value;
        this.element.tabIndex = value ? 0 : -1;
        this.#retry.tabIndex = value ? 0 : -1;
    }

    #begin(index, count) {
        this.index = index;
        this.element.hidden = index >= count;
        this.element.dataset.index = index;
        this.#photo = null;
        this.#clear();
    }

    /** Fades the image in over the one that is shown. */
    #enter(image, version) {
        if (this.#incoming !== image) return;
        this.#incoming = undefined;
        const older = [...this.#images.children];
        this.#images.append(image);
        const finish = () => {
            if (!image.isConnected) return;
            older.forEach((old) => old.remove());
            delete this.element.dataset.look;
            this.element.dataset.shown = version;
            if (!this.#incoming) delete this.element.dataset.loading;
        };
        if (stillness.matches || fades >= mostFades) {
            finish();
            return;
        }
        fades += 1;
        const timing = { duration: fadeDuration, easing: "ease-out" };
        const fade = image.animate([{ opacity: 0 }, { opacity: 1 }], timing);
        fade.finished.then(finish, () => {}).finally(() => { fades -= 1; });
    }

    #cancelLoading() {
        this.#incoming?.removeAttribute("src");
        this.#incoming = undefined;
        delete this.element.dataset.loading;
    }

    #clear() {
        this.#cancelLoading();
        this.#wanted = 0;
        this.#images.replaceChildren();
        delete this.element.dataset.look;
        delete this.element.dataset.shown;
    }
}
