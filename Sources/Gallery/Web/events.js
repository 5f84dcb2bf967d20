// The server's events. An EventSource reconnects by itself, but gives up when the server refuses; then this
// tries anew.

import { eventsAddress } from "./api.js";

const slowestRetry = 15_000;

/**
 * Calls `handlers.photos(changes)`, `.all({count})`, `.status(status)`; `.opened(again)` when the connection
 * stands, where `again` tells that events may have been missed; `.lost()` when it broke.
 */
export function listen(handlers) {
    let delay = 500;
    let openedBefore = false;

    function connect() {
        const source = new EventSource(eventsAddress);
        // A new EventSource sends no Last-Event-ID, so it gets no events from before.
        let first = true;
        source.onopen = () => {
            delay = 500;
            handlers.opened(first && openedBefore);
            first = false;
            openedBefore = true;
        };
        source.onerror = () => {
            handlers.lost();
            if (source.readyState !== EventSource.CLOSED) return;
            setTimeout(connect, delay);
            delay = Math.min(2 * delay, slowestRetry);
        };
        for (const name of ["photos", "all", "status"]) {
            source.addEventListener(name, (event) => handlers[name](JSON.parse(event.data)));
        }
    }
    connect();
}
