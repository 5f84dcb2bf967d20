// What the page tells the user in passing: for a moment on the screen, and to screen readers.

const message = document.getElementById("message");
const live = document.getElementById("live");
const shownFor = 5000;
const quietFor = 10_000;

let hiding = 0;

/** Shows a sentence for some seconds. */
export function tell(text) {
    // Outside of an open dialog, it would be behind it, and screen readers would not read it.
    (document.querySelector("dialog[open]") ?? document.body).append(message);
    message.textContent = text;
    message.classList.add("shown");
    clearTimeout(hiding);
    hiding = setTimeout(() => message.classList.remove("shown"), shownFor);
}

let progress = "";
let timer = 0;

/** Reads to screen readers what the user has just done, at once. Progress waits until it was read. */
export function announce(text) {
    live.textContent = text;
    if (!timer) return;
    clearTimeout(timer);
    timer = setTimeout(readProgress, quietFor);
}

/** Reads progress to screen readers, the latest at most every 10 s. */
export function announceProgress(text) {
    progress = text;
    timer ||= setTimeout(readProgress, live.textContent ? quietFor : 1000);
}

function readProgress() {
    timer = 0;
    if (live.textContent !== progress) live.textContent = progress;
}
