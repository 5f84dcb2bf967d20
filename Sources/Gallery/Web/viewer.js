// The full-size view: a dialog with one photo, before and after its filters.

import * as api from "./api.js";
import { describe } from "./cell.js";
import { Divider } from "./divider.js";
import { make, title } from "./elements.js";
import { tell } from "./messages.js";
import { StarButtons, starsOfKey } from "./stars.js";
import { control, Zoom } from "./zoom.js";

const element = (id) => document.getElementById(id);
const whole = new Intl.NumberFormat("en");
const zoomStep = 1.25;

async function loaded(address) {
    const image = make("img", { alt: "", src: address, draggable: false });
    await image.decode();
    return image;
}

export class Viewer {
    onopen = () => {};
    /** Called with the photo that is shown now. */
    onshow = () => {};
    /** Called with the picture that is shown, of the photo after its filters if it is there. */
    onpicture = () => {};
    /** Called with the photo shown last, when the view closes. */
    onclose = () => {};
    /** Called with the open photo's index and the stars that it gets. */
    onrate = () => {};
    #dialog = element("viewer");
    #stage = element("stage");
    #picture = element("picture");
    #photos;
    #index = -1;
    #shown = "";
    /** Whether a picture could not be loaded. */
    #isIncomplete = false;
    #zoom = new Zoom();
    #divider;
    #comparing = true;
    /** Whether only the photo before its filters is shown. */
    #isHeld = false;
    /** Whether the first picture is the photo before its filters. */
    #hasOriginal = false;
    /** The look that is shown, and the size of its photo. */
    #look;
    #whole;
    #opening = Promise.resolve();
    #stars = new StarButtons(element("viewer-stars"));

    constructor(photos) {
        this.#photos = photos;
        this.#divider = new Divider(element("divider"), this.#stage, () => this.#span);
        this.#divider.onchange = () => this.#place();
        this.#zoom.onchange = () => this.#place();
        control(this.#stage, this.#zoom);
        new ResizeObserver(() => this.#resize()).observe(this.#stage);
        this.#dialog.addEventListener("keydown", (event) => this.#key(event));
        this.#dialog.addEventListener("keyup", (event) => {
            if (event.key.toLowerCase() === "b") this.#showBefore(false);
        });
        addEventListener("blur", () => this.#showBefore(false));
        this.#dialog.addEventListener("close", () => this.#closed());
        element("close-viewer").addEventListener("click", () => this.#dialog.close());
        element("previous").addEventListener("click", () => this.#go(-1));
        element("next").addEventListener("click", () => this.#go(1));
        element("zoom-fit").addEventListener("click", () => this.#zoom.fit());
        element("zoom-full").addEventListener("click", () => this.#zoom.zoom(this.#zoom.full));
        element("compare").addEventListener("click", () => this.#compare());
        element("viewer-retry").addEventListener("click", () => this.#retry());
        this.#stars.onchange = (stars) => this.onrate(this.#index, stars);
    }

    /** The photo that is open, or -1. */
    get index() {
        return this.#index;
    }

    /** The longer side of the picture where it is fitted into the stage, in pixels of the page. */
    get longSide() {
        const { clientWidth: width, clientHeight: height } = this.#stage;
        const image = this.#picture.lastElementChild;
        const [across, down] = image ? [image.naturalWidth, image.naturalHeight] : [width, height];
        return Math.max(across, down) * Math.min(width / across, height / down);
    }

    open(index) {
        this.onopen();
        this.#zoom.fit();
        this.#dialog.showModal();
        this.#stage.focus();
        this.#show(index);
    }

    /** Draws the photo again after it changed. */
    update() {
        const photo = this.#photos.get(this.#index);
        if (this.#index < 0 || !photo) return;
        element("viewer-name").textContent = photo.name;
        element("viewer-place").textContent
            = `${whole.format(this.#index + 1)} of ${whole.format(this.#photos.count)}, ${describe(photo)}`;
        this.#stars.value = photo.stars;
        this.#notify(photo);
        const wanted = `${this.#index} ${photo.version} ${photo.state}`;
        // A look stays until the photo is filtered.
        const keepsLook = photo.state === "downloaded" && this.#picture.contains(this.#look);
        if (wanted === this.#shown || keepsLook) return;
        this.#shown = wanted;
        if (photo.version > 0 && photo.state !== "failed") this.#load(photo, wanted);
    }

    /**
     * Shows a look in place of the filtered photo, until that is there. The facts have the size of the whole photo, and the
     * filters that are shown roughly.
     */
    look(index, image, { rough, ...whole }) {
        if (index !== this.#index || !this.#picture.hasChildNodes()) return;
        const before = this.#hasOriginal ? [this.#picture.firstElementChild] : [];
        this.#picture.replaceChildren(...before, image);
        this.#look = image;
        element("rough").textContent = rough.length > 0 ? `${rough.map(title).join(", ")}: exact at rest` : "";
        this.#resize(whole);
        this.onpicture(image);
    }

    /** Loads again what could not be loaded, for instance without a connection. */
    recover() {
        if (this.#isIncomplete) this.#shown = "";
        this.update();
    }

    #show(index) {
        this.#index = index;
        this.#shown = "";
        this.#hasOriginal = false;
        element("rough").textContent = "";
        this.#picture.replaceChildren();
        element("viewer-name").textContent = "";
        element("viewer-place").textContent = "";
        element("zoom-level").textContent = "";
        this.#stars.value = 0;
        element("divider").hidden = true;
        element("previous").setAttribute("aria-disabled", index === 0);
        element("next").setAttribute("aria-disabled", index === this.#photos.count - 1);
        this.#notify();
        this.#photos.need(index, index + 1);
        // One request after the other: the server takes the last for the photo that is open.
        this.#opening = this.#opening
            .then(() => (this.#index === index ? api.open(index) : undefined))
            .catch((error) => tell(error.message));
        this.update();
        this.onshow(index);
    }

    #go(by) {
        const next = this.#index + by;
        if (next >= 0 && next < this.#photos.count) this.#show(next);
    }

    /** Loads the small image, then the full ones; each is shown as soon as it is there. */
    async #load(photo, wanted) {
        const index = this.#index;
        const address = (image) => api.imageAddress(index, image, photo.version);
        const isWanted = () => this.#shown === wanted && this.#index === index;
        this.#isIncomplete = false;
        if (this.#picture.childElementCount === 0) {
            loaded(address("thumbnail")).then((image) => {
                if (isWanted() && this.#picture.childElementCount === 0) this.#replace([image], false);
            }, () => {});
        }
        const images = ["before", ...(photo.state === "filtered" ? ["after"] : [])];
        const results = await Promise.allSettled(images.map((image) => loaded(address(image))));
        const pictures = results.filter(({ value }) => value).map(({ value }) => value);
        if (!isWanted()) return;
        this.#isIncomplete = pictures.length < images.length;
        // The original may have been released. Without any picture, the photo changed meanwhile, and its next
        // version is on its way; or there is no connection.
        if (pictures.length > 0) this.#replace(pictures, results[0].value !== undefined);
    }

    #replace(images, hasOriginal) {
        this.#hasOriginal = hasOriginal;
        element("rough").textContent = "";
        this.#picture.replaceChildren(...images);
        this.#resize();
        this.onpicture(images.at(-1));
        this.#notify(this.#photos.get(this.#index));
    }

    /** Says that the photo is loading, or why it cannot be shown. */
    #notify(photo) {
        const failed = photo?.state === "failed";
        const notice = element("viewer-notice");
        notice.hidden = !failed && this.#picture.childElementCount > 0;
        notice.querySelector("p").textContent = failed ? photo.error ?? "" : "";
        notice.querySelector(".spinner").hidden = failed;
        element("viewer-retry").hidden = !photo?.canRetry;
    }

    async #retry() {
        try {
            await api.retry(this.#index);
            this.#stage.focus();
        } catch (error) {
            tell(error.message);
        }
    }

    /** `whole` is the size of the photo if its picture is smaller. */
    #resize(whole) {
        const image = this.#picture.lastElementChild;
        if (!image) return;
        this.#whole = whole ?? (this.#picture.contains(this.#look) ? this.#whole : undefined);
        const { clientWidth: width, clientHeight: height } = this.#stage;
        const size = this.#whole ?? { width: image.naturalWidth, height: image.naturalHeight };
        this.#zoom.resize({ width, height }, size);
    }

    get #span() {
        const { x, width } = this.#zoom;
        return [Math.max(0, x), Math.min(this.#stage.clientWidth, x + width)];
    }

    #place() {
        const { x, y, width, height, scale, full, isFitted } = this.#zoom;
        Object.assign(this.#picture.style, {
            width: `${width}px`, height: `${height}px`, transform: `translate(${x}px, ${y}px)`,
        });
        this.#picture.classList.toggle("pixels", scale > 2 * full);
        this.#stage.classList.toggle("movable", !isFitted);
        const percent = `${Math.round(100 * scale / full)}%`;
        element("zoom-level").textContent = this.#picture.hasChildNodes() ? percent : "";
        element("zoom-fit").setAttribute("aria-pressed", isFitted);
        element("zoom-full").setAttribute("aria-pressed", Math.abs(scale / full - 1) < 0.005);
        const [before, after] = this.#picture.children;
        element("divider").hidden = !after || !this.#comparing || this.#isHeld;
        if (!after) return;
        after.hidden = this.#isHeld;
        const [left, right] = this.#span;
        const line = left + this.#divider.share * (right - left);
        const top = Math.max(0, y);
        const visibleHeight = Math.min(this.#stage.clientHeight, y + height) - top;
        Object.assign(element("divider").style, {
            height: `${visibleHeight}px`, transform: `translate(${line}px, ${top}px)`,
        });
        before.style.visibility = this.#comparing || this.#isHeld ? "visible" : "hidden";
        after.style.clipPath = this.#comparing ? `inset(0 0 0 ${Math.max(0, line - x)}px)` : "none";
    }

    /** The photo before its filters, as long as a key is held. */
    #showBefore(isHeld) {
        this.#isHeld = isHeld;
        this.#place();
    }

    #compare() {
        this.#comparing = !this.#comparing;
        element("compare").setAttribute("aria-pressed", this.#comparing);
        this.#place();
    }

    #key(event) {
        // Sliders and fields have keys of their own.
        if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("#filters")) return;
        const actions = {
            ArrowLeft: () => this.#go(-1),
            ArrowRight: () => this.#go(1),
            "+": () => this.#zoom.zoom(this.#zoom.scale * zoomStep),
            "-": () => this.#zoom.zoom(this.#zoom.scale / zoomStep),
            f: () => this.#zoom.fit(),
            z: () => this.#zoom.zoom(this.#zoom.full),
            c: () => this.#compare(),
            b: () => this.#showBefore(true),
            " ": () => this.#go(event.shiftKey ? -1 : 1),
        };
        const isControl = event.target.closest("button, .divider");
        const stars = starsOfKey(event);
        const action = stars === undefined
            ? actions[event.key.toLowerCase()] ?? actions[event.key] : () => this.onrate(this.#index, stars);
        if (!action || (event.key === " " && isControl)) return;
        event.preventDefault();
        action();
    }

    #closed() {
        const index = this.#index;
        this.#index = -1;
        this.#shown = "";
        this.#isHeld = false;
        this.#picture.replaceChildren();
        this.onclose(index);
    }
}
