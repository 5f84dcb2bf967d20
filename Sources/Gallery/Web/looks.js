// Looks: pictures with filters that are still being set. The server makes them of smaller copies, in milliseconds.

import * as api from "./api.js";

const headBytes = 16;

/** Takes pieces of a response apart: see Routes.swift. */
class Frames {
    #rest = new Uint8Array();

    /** Adds a piece, and returns the pictures that are complete. */
    add(piece) {
        const bytes = new Uint8Array(this.#rest.length + piece.length);
        bytes.set(this.#rest);
        bytes.set(piece, this.#rest.length);
        const view = new DataView(bytes.buffer);
        const pictures = [];
        let start = 0;
        while (bytes.length - start >= headBytes) {
            const [index, width, height, count] = [0, 4, 8, 12].map((place) => view.getUint32(start + place));
            const end = start + headBytes + count;
            if (end > bytes.length) break;
            pictures.push({ index, width, height, blob: new Blob([bytes.subarray(start + headBytes, end)]) });
            start = end;
        }
        this.#rest = bytes.subarray(start);
        return pictures;
    }
}

/**
 * Loads looks of photos, with `longSide` pixels. Calls `onpicture` with a photo's index, an image that is decoded, and the
 * size of the whole photo.
 */
export async function load(chain, longSide, photos, signal, onpicture) {
    const frames = new Frames();
    const shown = [];
    for await (const piece of api.looks(chain, longSide, photos, signal)) {
        shown.push(...frames.add(piece).map(async ({ index, width, height, blob }) => {
            const address = URL.createObjectURL(blob);
            const image = Object.assign(document.createElement("img"), { alt: "", draggable: false, src: address });
            try {
                await image.decode();
                if (!signal.aborted) onpicture(index, image, { width, height });
            } finally {
                // What is decoded stays.
                URL.revokeObjectURL(address);
            }
        }));
    }
    await Promise.allSettled(shown);
}

export class Looks {
    /** Called with a photo's index, an image that is decoded, and the size of the whole photo. */
    onpicture = () => {};
    /** Called with the server's message, or an empty text when all is right. */
    onerror = () => {};
    /** What to ask for next, `{ chain, wanted }`; a newer one replaces it. */
    #next;
    #isAsking = false;
    #stop = new AbortController();

    /**
     * Shows photos with a chain's text as soon as the looks before are there. `wanted` is called when they are, and gives
     * `{ photos, longSide }`: their indices, and the pixels of a picture's longer side.
     */
    show(chain, wanted) {
        this.#next = { chain, wanted };
        if (!this.#isAsking) this.#ask();
    }

    /** Shows no looks that were asked for before. */
    end() {
        this.#next = undefined;
        this.#stop.abort();
        this.#stop = new AbortController();
    }

    async #ask() {
        this.#isAsking = true;
        while (this.#next) {
            const { chain, wanted } = this.#next;
            const { signal } = this.#stop;
            this.#next = undefined;
            try {
                const { photos, longSide } = wanted();
                if (photos.length > 0) {
                    await load(chain, longSide, photos, signal, (...picture) => this.onpicture(...picture));
                }
                this.onerror("");
            } catch (error) {
                if (error.name !== "AbortError") this.onerror(error.message);
            }
        }
        this.#isAsking = false;
    }
}
