// Where a picture is in a stage, and at what size. Lengths are CSS pixels; a scale of 1 shows a pixel of the
// picture as one.

const largest = 8;

export class Zoom {
    /** Called after every change. */
    onchange = () => {};
    /** True while the picture follows the stage's size. */
    isFitted = true;
    scale = 1;
    x = 0;
    y = 0;
    #picture = { width: 1, height: 1 };
    #stage = { width: 1, height: 1 };

    get width() {
        return this.#picture.width * this.scale;
    }

    get height() {
        return this.#picture.height * this.scale;
    }

    /** The scale at which a pixel of the picture is one of the screen. */
    get full() {
        return 1 / devicePixelRatio;
    }

    /** Takes new sizes. A picture of another resolution keeps its place on the stage. */
    resize(stage, picture) {
        const ratio = this.#picture.width / picture.width;
        this.#stage = stage;
        this.#picture = picture;
        if (this.isFitted) {
            this.fit();
        } else {
            this.scale *= ratio;
            this.#place(this.x, this.y);
        }
    }

    fit() {
        this.isFitted = true;
        this.scale = this.#fitted;
        this.#place(0, 0);
    }

    /**
     * Zooms to a scale so that the point `x`, `y` of the stage stays; the stage's centre if none is given.
     */
    zoom(scale, x = this.#stage.width / 2, y = this.#stage.height / 2) {
        const smallest = Math.min(this.#fitted, this.full);
        const next = Math.max(smallest, Math.min(scale, largest * this.full));
        const factor = next / this.scale;
        this.isFitted = next === this.#fitted;
        this.scale = next;
        this.#place(x - (x - this.x) * factor, y - (y - this.y) * factor);
    }

    pan(x, y) {
        this.#place(this.x + x, this.y + y);
    }

    get #fitted() {
        return Math.min(this.#stage.width / this.#picture.width, this.#stage.height / this.#picture.height);
    }

    /** A picture smaller than the stage is centred; a larger one covers it. */
    #place(x, y) {
        const clamp = (place, size, room) => (
            size <= room ? (room - size) / 2 : Math.max(room - size, Math.min(place, 0)));
        this.x = clamp(x, this.width, this.#stage.width);
        this.y = clamp(y, this.height, this.#stage.height);
        this.onchange();
    }
}

/** Lets wheel, pointers and double click zoom and pan; two fingers pinch. */
export function control(stage, zoom) {
    const pointers = new Map();
    const place = (event) => {
        const { left, top } = stage.getBoundingClientRect();
        return [event.clientX - left, event.clientY - top];
    };
    stage.addEventListener("wheel", (event) => {
        event.preventDefault();
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
        // A pinch on a touch pad comes as a wheel with the control key, in smaller steps.
        const speed = event.ctrlKey ? 0.01 : 0.002;
        zoom.zoom(zoom.scale * Math.exp(-event.deltaY * lines * speed), ...place(event));
    }, { passive: false });
    stage.addEventListener("dblclick", (event) => {
        if (event.target.closest("button, .divider")) return;
        if (zoom.isFitted) zoom.zoom(zoom.full, ...place(event));
        else zoom.fit();
    });
    stage.addEventListener("pointerdown", (event) => {
        if (event.button !== 0 || event.target.closest("button, .divider")) return;
        stage.setPointerCapture(event.pointerId);
        pointers.set(event.pointerId, place(event));
    });
    stage.addEventListener("pointermove", (event) => {
        const before = pointers.get(event.pointerId);
        if (!before) return;
        const now = place(event);
        const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
        zoom.pan((now[0] - before[0]) / pointers.size, (now[1] - before[1]) / pointers.size);
        if (other) {
            const distance = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]);
            const middle = [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2];
            zoom.zoom(zoom.scale * distance(now) / Math.max(1, distance(before)), ...middle);
        }
        pointers.set(event.pointerId, now);
    });
    for (const type of ["pointerup", "pointercancel"]) {
        stage.addEventListener(type, (event) => pointers.delete(event.pointerId));
    }
}
