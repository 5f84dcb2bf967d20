// Tells when the user scrolls so fast that photos cannot be seen, and when scrolling comes to rest.

const window = 150;
const restAfter = 120;
/** More than this many views within the window is fast. */
const fastViews = 1.5;

export class Motion {
    isFast = false;
    onfast = () => {};
    onrest = () => {};
    #steps = [];
    #timer = 0;
    #last;

    /** @param element the element that scrolls */
    constructor(element) {
        this.#last = element.scrollTop;
        element.addEventListener("scroll", () => this.#moved(element), { passive: true });
    }

    #moved(element) {
        const now = performance.now();
        const distance = Math.abs(element.scrollTop - this.#last);
        this.#last = element.scrollTop;
        this.#steps = this.#steps.filter((step) => now - step.time < window);
        this.#steps.push({ time: now, distance });
        const total = this.#steps.reduce((sum, step) => sum + step.distance, 0);
        // One step is a jump, which ends where it is wanted.
        if (!this.isFast && this.#steps.length > 1 && total > fastViews * element.clientHeight) {
            this.isFast = true;
            this.onfast();
        }
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#rest(), restAfter);
    }

    #rest() {
        this.isFast = false;
        this.#steps = [];
        this.onrest();
    }
}
