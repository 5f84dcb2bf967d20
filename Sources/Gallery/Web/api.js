// Requests to the server. Every error has a message that a user can act on.

import { itemAt, shownOf } from "./order.js";

const unreachable = "The gallery does not answer. Is tintype still running?";

async function fetched(path, options) {
    try {
        return await fetch(path, options);
    } catch (error) {
        throw error.name === "AbortError" ? error : new Error(unreachable);
    }
}

async function request(path, options) {
    const response = await fetched(path, options);
    const text = await response.text();
    const isJSON = response.headers.get("Content-Type")?.startsWith("application/json");
    const body = isJSON && text ? JSON.parse(text) : {};
    if (!response.ok) throw new Error(body.error ?? `The gallery answered with status ${response.status}.`);
    return body;
}

const posted = (body, options = {}) => ({
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    ...options,
});

const post = (path, body, options) => request(path, posted(body, options));

/** This page's name: each tab has a view of its own, which ends with its events. */
const page = crypto.randomUUID();
export const eventsAddress = `/api/events?page=${page}`;

/** The server's run: in another one, the same version is another image. */
let run = "";

export async function gallery() {
    const answer = await request("/api/gallery");
    run = answer.status.run;
    return answer;
}

/** Places of the photos that are shown, from `first`, as the server numbers them. */
const itemsFrom = (first, count) => Array.from({ length: count }, (_, offset) => itemAt(first + offset));
const isReordered = () => shownOf(-1) !== -1;

export const photos = (first, count) => (isReordered()
    ? post("/api/photos", { items: itemsFrom(first, count) })
    : request(`/api/photos?first=${first}&count=${count}`));
export const visible = (first, count) => post("/api/visible", isReordered()
    ? { page, items: itemsFrom(first, count) } : { page, first, count });

/** The numbers of the photos that fit. */
export async function find(wanted) {
    const response = await fetched("/api/find", posted(wanted));
    if (!response.ok) throw new Error((await response.json()).error);
    const view = new DataView(await response.arrayBuffer());
    return Array.from({ length: view.byteLength / 4 }, (_, place) => view.getUint32(4 * place));
}

/** `action` is start, suspend, resume, cancel or reset. */
export const session = (action, options) => post("/api/session", { action }, options);
export const retry = (place) => post(`/api/photos/${itemAt(place)}/retry`, {});
export const open = (place) => post(`/api/photos/${itemAt(place)}/open`, { page });
export const prefer = (name, text) => post("/api/preferences", { name, text });
export const currentRecipe = () => request("/api/recipe");
/** The recipe of one photo, by its number. */
export const ownRecipe = (item) => request(`/api/photos/${item}/recipe`);
/** A chain of null gives the photo the filters of all. */
export const setOwnRecipe = (item, chain) => post(`/api/photos/${item}/recipe`, { chain });
export const recipe = (chain, device) => post("/api/recipe", { chain, device });

/** Sends a file for filters. Returns `{ path, isTable }`. */
export const upload = (file) => request(`/api/files?name=${encodeURIComponent(file.name)}`, {
    method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file,
});

export const saveFolders = (wanted) => post("/api/save/folders", wanted);
export const save = (order) => post("/api/save", order);
/** `action` is pause, resume or stop. */
export const saveAction = (action) => post("/api/save/action", { action });

/** `parts` are `[first, count]` as the server numbers photos. */
export const giveStars = (parts, stars) => post("/api/stars", { items: parts, stars });
export const unwrittenStars = () => post("/api/stars/unwritten", {});
export const writeStars = () => post("/api/stars/write", {});

/** A photo as it would be saved. */
export async function file(place, order) {
    const response = await fetched(`/api/photos/${itemAt(place)}/file`, posted(order));
    if (!response.ok) throw new Error((await response.json()).error);
    const name = response.headers.get("Content-Disposition").split("''").at(-1);
    return { name: decodeURIComponent(name), blob: await response.blob() };
}

/** `image` is thumbnail, before or after. */
export const imageAddress = (place, image, version) => (
    `/api/photos/${itemAt(place)}/${image}?run=${run}&version=${version}`);

/** The pieces of the answer, as they come. */
export async function* looks(chain, longSide, photos, signal) {
    const response = await fetched("/api/looks", posted({ chain, longSide, photos: photos.map(itemAt) }, { signal }));
    if (!response.ok) throw new Error((await response.json()).error);
    const reader = response.body.getReader();
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
    }
}
