// What the page knows of the photos. Only the parts of the list that were near the viewport are kept.

import * as api from "./api.js";
import { placeOf } from "./order.js";

const chunkSize = 200;
const keptChunks = 100;
const retryDelay = 2000;

/** A photo as the server describes it, but with its own filters as they were set since it did. */
const newest = (photo, before) => (
    (before?.own?.version ?? 0) > (photo.own?.version ?? 0) ? { ...photo, own: before.own } : photo);

export class Photos {
    count = 0;
    /**
     * Called at most once a frame with the indices that changed, or with `null` if any may have. It calls `need`
     * for the photos that are near, as changes make some of what is known untrue.
     */
    onchange = () => {};
    #chunks = new Map();
    #changed = new Set();
    #frame = 0;

    /** The photo as the server describes it; `undefined` until it is known. */
    get(index) {
        return this.#chunks.get(Math.floor(index / chunkSize))?.photos[index % chunkSize];
    }

    /** Loads what is not known, or no longer true, of the photos from `first` to before `end`. */
    need(first, end) {
        const last = Math.min(end, this.count) - 1;
        for (let number = Math.floor(first / chunkSize); number * chunkSize <= last; number += 1) {
            const chunk = this.#chunk(number);
            if (!chunk.fresh && !chunk.loading) this.#load(number, chunk);
        }
    }

    /** Takes the changes of an event: `[index, state, version, busy, stars, version of its own filters]` each. */
    apply(changes) {
        for (const [item, ...rest] of changes) {
            const change = [placeOf(item), ...rest];
            const chunk = this.#chunks.get(Math.floor(change[0] / chunkSize));
            if (!chunk) continue;
            if (chunk.loading) chunk.changes.push(change);
            this.#set(chunk, change);
        }
        this.#schedule();
    }

    /** Takes the own filters of a photo: `{ version, filters }`, without filters since it has none any more. */
    setOwn(item, own) {
        const index = placeOf(item);
        const chunk = this.#chunks.get(Math.floor(index / chunkSize));
        const photo = chunk?.photos[index % chunkSize];
        if (!photo || own.version < (photo.own?.version ?? 0)) return;
        chunk.photos[index % chunkSize] = { ...photo, own };
        this.#changed?.add(index);
        this.#schedule();
    }

    /** Other photos are shown. */
    forget() {
        this.#chunks.clear();
        this.invalidate();
    }

    /** Every photo may have changed. What is shown stays until the new state is there. */
    invalidate() {
        for (const chunk of this.#chunks.values()) {
            chunk.fresh = false;
            chunk.outdated = chunk.loading;
        }
        this.#changed = null;
        this.#schedule();
    }

    #chunk(number) {
        const chunk = this.#chunks.get(number)
            ?? { photos: [], fresh: false, loading: false, outdated: false, changes: [] };
        // Moves it to the end, so that the first chunks are those that were not needed for longest.
        this.#chunks.delete(number);
        this.#chunks.set(number, chunk);
        if (this.#chunks.size > keptChunks) this.#chunks.delete(this.#chunks.keys().next().value);
        return chunk;
    }

    async #load(number, chunk) {
        const first = number * chunkSize;
        chunk.loading = true;
        chunk.outdated = false;
        chunk.changes = [];
        try {
            const answer = await api.photos(first, Math.min(chunkSize, this.count - first));
            const before = chunk.photos;
            chunk.photos = answer.photos.map((photo, place) => newest(photo, before[place]));
            chunk.fresh = !chunk.outdated;
            // The answer may be older than the events that came while it was under way.
            for (const change of chunk.changes) this.#set(chunk, change);
        } catch {
            setTimeout(() => this.#schedule(), retryDelay);
            return;
        } finally {
            chunk.loading = false;
        }
        for (let index = first; index < first + chunk.photos.length; index += 1) this.#changed?.add(index);
        this.#schedule();
    }

    #set(chunk, [index, state, version, busy, stars, own]) {
        const photo = chunk.photos[index % chunkSize];
        if (!photo) return;
        // Events do not carry the reason of a failure, nor filters, so they are asked for.
        const hasFailed = state === "failed" && photo.state !== "failed";
        if (hasFailed || own > (photo.own?.version ?? 0)) chunk.fresh = false;
        chunk.photos[index % chunkSize] = { ...photo, state, version, busy: Boolean(busy), stars };
        this.#changed?.add(index);
    }

    #schedule() {
        this.#frame ||= requestAnimationFrame(() => {
            const changed = this.#changed;
            this.#frame = 0;
            this.#changed = new Set();
            this.onchange(changed);
        });
    }
}
