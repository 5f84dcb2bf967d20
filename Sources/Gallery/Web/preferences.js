// What this page remembers for later galleries. The server keeps it: each gallery may have another port, and with it another
// storage of the browser.

import * as api from "./api.js";
import { tell } from "./messages.js";

let texts = {};

/** Takes what the server has. */
export function take(all) {
    texts = all;
}

export function preference(name, otherwise) {
    return name in texts ? JSON.parse(texts[name]) : otherwise;
}

export function prefer(name, value) {
    texts[name] = JSON.stringify(value);
    api.prefer(name, texts[name]).catch((error) => tell(error.message));
}
