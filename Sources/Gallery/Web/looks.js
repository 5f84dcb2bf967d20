// Looks: pictures with filters that are still being set. The server makes them of smaller copies, in milliseconds.

import * as api from "./api.js";
import { placeOf } from "./order.js";

const headBytes = 20;
const decoder = new TextDecoder();

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
            const words = [0, 4, 8, 12, 16].map((place) => view.getUint32(start + place));
            const [item, width, height, nameBytes, count] = words;
            const names = start + headBytes;
            const end = names + nameBytes + count;
            if (end > bytes.length) break;
            const text = decoder.decode(bytes.subarray(names, names + nameBytes));
            const rough = text === "" ? [] : text.split(",");
            pictures.push({ index: placeOf(item), width, height, rough, blob: new Blob([bytes.subarray(names + nameBytes, end)]) });
            start = end;
        }
        this.#rest = bytes.subarray(start);
        return pictures;
    }
}

/**
 * Loads looks of photos, with `longSide` pixels. Calls `onpicture` with a photo's index, an image that is decoded, the `width`
 * and `height` of the whole photo, and the names of filters that are shown roughly.
 */
export async function load(chain, longSide, photos, signal, onpicture) {
    const frames = new Frames();
    const shown = [];
    for await (const piece of api.looks(chain, longSide, photos, signal)) {
        shown.push(...frames.add(piece).map(async ({ index, blob, ...facts }) => {
            const address = URL.createObjectURL(blob);
            const image = Object.assign(document.createElement("img"), { alt: "", draggable: false, src: address });
            try {
                await image.decode();
                if (!signal.aborted) onpicture(index, image, facts);
            } finally {
                // What is decoded stays.
                URL.revokeObjectURL(address);
            }
        }));
    }
    await Promise.allSettled(shown);
}

export class Looks {
    /** Called with a photo's index, an image that is decoded, and facts: see `load`. */
    onpicture = () => {};
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
            } catch {
                // The recipe is sent as well, and its answer says what is wrong.
            }
        }
        this.#isAsking = false;
    }
}
