// Requests to the server. Every error has a message that a user can act on.

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

export const photos = (first, count) => request(`/api/photos?first=${first}&count=${count}`);
export const visible = (first, count) => post("/api/visible", { page, first, count });
/** `action` is start, suspend, resume, cancel or reset. */
export const session = (action, options) => post("/api/session", { action }, options);
export const retry = (index) => post(`/api/photos/${index}/retry`, {});
export const open = (index) => post(`/api/photos/${index}/open`, { page });
export const prefer = (name, text) => post("/api/preferences", { name, text });
export const currentRecipe = () => request("/api/recipe");
export const recipe = (chain, device) => post("/api/recipe", { chain, device });

export const saveFolders = (wanted) => post("/api/save/folders", wanted);
export const save = (order) => post("/api/save", order);
/** `action` is pause, resume or stop. */
export const saveAction = (action) => post("/api/save/action", { action });

/** A photo as it would be saved. */
export async function file(index, order) {
    const response = await fetched(`/api/photos/${index}/file`, posted(order));
    if (!response.ok) throw new Error((await response.json()).error);
    const name = response.headers.get("Content-Disposition").split("''").at(-1);
    return { name: decodeURIComponent(name), blob: await response.blob() };
}

/** `image` is thumbnail, before or after. */
export const imageAddress = (index, image, version) => (
    `/api/photos/${index}/${image}?run=${run}&version=${version}`);

/** The pieces of the answer, as they come. */
export async function* looks(chain, longSide, photos, signal) {
    const response = await fetched("/api/looks", posted({ chain, longSide, photos }, { signal }));
    if (!response.ok) throw new Error((await response.json()).error);
    const reader = response.body.getReader();
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
    }
}
