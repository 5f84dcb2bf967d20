// The line between the photo before and after. Its place is a share of the visible part of the photo.

const small = 0.02;
const large = 0.1;

export class Divider {
    onchange = () => {};
    element;
    #share = 0.5;

    /** `span()` gives the visible part of the photo on the stage: `[left, right]`. */
    constructor(element, stage, span) {
        this.element = element;
        element.addEventListener("keydown", (event) => this.#key(event));
        element.addEventListener("pointerdown", (event) => {
            if (event.button !== 0) return;
            event.preventDefault();
            element.focus();
            element.setPointerCapture(event.pointerId);
        });
        element.addEventListener("pointermove", (event) => {
            if (!element.hasPointerCapture(event.pointerId)) return;
            const [left, right] = span();
            const x = event.clientX - stage.getBoundingClientRect().left;
            this.share = (x - left) / Math.max(1, right - left);
        });
    }

    /** 0 shows only the photo after, 1 only that before. */
    get share() {
        return this.#share;
    }

    set share(value) {
        this.#share = Math.max(0, Math.min(value, 1));
        const percent = Math.round(100 * this.#share);
        this.element.setAttribute("aria-valuenow", percent);
        this.element.setAttribute("aria-valuetext", `${percent}% before`);
        this.onchange();
    }

    #key(event) {
        const steps = {
            ArrowLeft: -small, ArrowDown: -small, ArrowRight: small, ArrowUp: small,
            PageDown: -large, PageUp: large, Home: -1, End: 1,
        };
        const step = steps[event.key];
        if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        // Else the arrows would also go to the next photo.
        event.stopPropagation();
        this.share += step;
    }
}
