// Sends what the user is still changing.

/** A value is sent when nothing has changed for this long, in milliseconds. Looks show changes before. */
const delay = 300;

export class Sender {
    #send;
    #value;
    /** Ends when the latest value was sent. */
    #sending;
    #isOutdated = false;
    #lastChange = 0;

    /** `send` takes a value, and handles its errors. */
    constructor(send) {
        this.#send = send;
    }

    /** Whether the server does not know the latest value yet. */
    get isPending() {
        return Boolean(this.#sending);
    }

    /** Sends a value soon, unless another one follows. */
    set(value) {
        this.#value = value;
        this.#isOutdated = true;
        this.#lastChange = performance.now();
        this.#sending ??= this.#work();
    }

    /** Waits until all was sent. */
    async settled() {
        while (this.#sending) await this.#sending;
    }

    async #work() {
        while (this.#isOutdated) {
            for (let left = delay; left > 0; left = this.#lastChange + delay - performance.now()) {
                await new Promise((resolve) => { setTimeout(resolve, left); });
            }
            this.#isOutdated = false;
            await this.#send(this.#value);
        }
        this.#sending = undefined;
    }
}
