// Tells the server which photos are in view, so that they come first, and suspends the session while photos
// fly past. Each page has a view of its own; a hidden one tells nothing.

import * as api from "./api.js";

/** Two reports are at least this far apart, in milliseconds. */
const interval = 120;

export class Attention {
    onerror = () => {};
    /** True while the session is suspended because of fast scrolling, and not by the user. */
    isSuspending = false;

    #grid;
    #rows = new Set();
    #observer;
    #reported = "";
    #lastReport = 0;
    #timer = 0;
    #requests = Promise.resolve();

    constructor(grid, root) {
        this.#grid = grid;
        this.#observer = new IntersectionObserver((entries) => {
            for (const { target, isIntersecting } of entries) {
                if (isIntersecting) this.#rows.add(target);
                else this.#rows.delete(target);
            }
            this.report();
        }, { root });
        // Else the server would stay suspended when the page is closed while it scrolls.
        addEventListener("pagehide", () => {
            if (this.isSuspending) api.session("resume", { keepalive: true }).catch(() => {});
        });
        // All photos may have begun anew meanwhile.
        document.addEventListener("visibilitychange", () => {
            if (!document.hidden) this.repeat();
        });
    }

    observe(row) {
        this.#observer.observe(row);
    }

    ignore(row) {
        this.#observer.unobserve(row);
        this.#rows.delete(row);
    }

    /** Reports the range in view, unless it was reported, photos fly past or the page is hidden. */
    report() {
        if (this.isSuspending || this.#timer) return;
        const wait = Math.max(0, this.#lastReport + interval - performance.now());
        this.#timer = setTimeout(() => {
            this.#timer = 0;
            if (!this.isSuspending) this.#send();
        }, wait);
    }

    /** Reports again even if the range is the same, for instance after the server forgot it. */
    repeat() {
        this.#reported = "";
        this.report();
    }

    suspend() {
        this.isSuspending = true;
        this.#post(() => api.session("suspend"));
    }

    /** Ends the suspension by scrolling: first the new range, so that work goes on there. */
    resume() {
        this.isSuspending = false;
        this.#send();
        this.#post(() => api.session("resume"));
    }

    /** The photos in view: the first, and the one after the last. */
    get view() {
        const { layout } = this.#grid;
        const indices = [...this.#rows].map((row) => this.#grid.rowIndex(row));
        if (indices.length === 0) return [0, 0];
        const first = Math.min(...indices) * layout.columns;
        return [first, Math.min(layout.count, (Math.max(...indices) + 1) * layout.columns)];
    }

    #send() {
        if (document.hidden) return;
        const [first, end] = this.view;
        if (first === end) return;
        const range = `${first}-${end}`;
        if (range === this.#reported) return;
        this.#reported = range;
        this.#lastReport = performance.now();
        this.#post(async () => {
            try {
                await api.visible(first, end - first);
            } catch (error) {
                if (this.#reported === range) this.#reported = "";
                throw error;
            }
        });
    }

    /** One request after the other, so that the last one counts. */
    #post(send) {
        this.#requests = this.#requests.then(send).catch((error) => this.onerror(error));
    }
}
