// The user's files for filters, such as tables of colours. The server keeps them in memory.

import * as api from "./api.js";
import { offer } from "./chain.js";
import { tell } from "./messages.js";

const input = document.getElementById("filter-file");
/** What the paths of such files begin with: see Uploads.swift. */
const folder = "uploaded/";
/** Mebibytes of the largest file. */
const most = 32;

/** Whether a chain's text names a file that only the gallery has. */
export const namesUpload = (chain) => chain.includes(`file=${folder}`);

async function send(file, filters) {
    if (file.size > most * 2 ** 20) {
        tell(`“${file.name}” is too large: a file has up to ${most} MiB.`);
        return undefined;
    }
    try {
        const sent = await api.upload(file);
        offer(filters, [sent]);
        return sent.path;
    } catch (error) {
        tell(error.message);
        return undefined;
    }
}

/**
 * Lets the user choose a file for a filter, and sends it: then all `filters` may have it. Returns its path; undefined if there is
 * none. Call it from an event of the user's.
 */
export function choose(filter, filters) {
    const pictures = ".png,.webp,.jpg,.jpeg";
    input.accept = filter.name === "lut" ? `.cube,${pictures}` : pictures;
    // The same file may have changed.
    input.value = "";
    return new Promise((resolve) => {
        input.onchange = () => resolve(send(input.files[0], filters));
        input.oncancel = () => resolve(undefined);
        input.click();
    });
}
