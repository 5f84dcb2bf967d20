// Undo and redo of what the panel shows.

/** Changes of the same setting within this time, in milliseconds, are one. */
const pause = 600;
const most = 200;
/** A state that was shown for longer than this, in milliseconds, may be looked for again. */
const glance = 1000;
const mostSeen = 20;

const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export class History {
    /** Called with a state that is shown again. */
    onrestore = () => {};
    /** Called when what can be undone or redone may have changed. */
    onchange = () => {};
    #states;
    #current = 0;
    #lastKey;
    #lastTime = -Infinity;
    /** States that were shown for more than a glance, newest first, each once. */
    #seen = [];
    #shownSince = performance.now();

    constructor(state) {
        this.#states = [structuredClone(state)];
    }

    /** The states that were shown for more than a glance, newest first, without the one that is shown. */
    get seen() {
        return structuredClone(this.#seen.filter((state) => !isSame(state, this.#states[this.#current])));
    }

    get canUndo() {
        return this.#current > 0;
    }

    get canRedo() {
        return this.#current < this.#states.length - 1;
    }

    /** `key` names what was changed: a slider's way is one change. */
    record(state, key) {
        const now = performance.now();
        const isOneWay = key !== undefined && key === this.#lastKey && now - this.#lastTime < pause;
        this.#lastKey = key;
        this.#lastTime = now;
        this.#leave();
        this.#states.length = this.#current + 1;
        if (!isOneWay || this.#current === 0) this.#current += 1;
        this.#states[this.#current] = structuredClone(state);
        if (this.#states.length > most) {
            this.#states.shift();
            this.#current -= 1;
        }
        this.onchange();
    }

    undo() {
        if (this.canUndo) this.#restore(this.#current - 1);
    }

    redo() {
        if (this.canRedo) this.#restore(this.#current + 1);
    }

    #leave() {
        const now = performance.now();
        const left = this.#states[this.#current];
        if (now - this.#shownSince > glance) {
            this.#seen = [left, ...this.#seen.filter((state) => !isSame(state, left))].slice(0, mostSeen);
        }
        this.#shownSince = now;
    }

    #restore(index) {
        this.#leave();
        this.#current = index;
        this.#lastKey = undefined;
        this.onrestore(structuredClone(this.#states[index]));
        this.onchange();
    }
}

/** Whether an element has its own undo, as a field with text has. */
const hasOwn = (target) => target.matches?.("input[type=text], input[type=number]");

/**
 * Undo and redo by the keys of all systems, and by buttons, of the history that `current` gives. Returns what shows its state, to
 * be called when that changes.
 */
export function control(current, undo, redo) {
    const show = () => {
        undo.setAttribute("aria-disabled", !current().canUndo);
        redo.setAttribute("aria-disabled", !current().canRedo);
    };
    undo.addEventListener("click", () => current().undo());
    redo.addEventListener("click", () => current().redo());
    addEventListener("keydown", (event) => {
        if (!(event.ctrlKey || event.metaKey) || event.altKey || hasOwn(event.target)) return;
        // What is saved is what was chosen when the dialog opened.
        if (event.target.closest("#save-dialog, #xmp-dialog")) return;
        const key = event.key.toLowerCase();
        if (key === "z" && !event.shiftKey) current().undo();
        else if (key === "y" || key === "z") current().redo();
        else return;
        event.preventDefault();
    });
    show();
    return show;
}
