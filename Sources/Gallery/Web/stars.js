// Stars: the keys and buttons that give them to photos.

import * as api from "./api.js";
import { icon, make } from "./elements.js";
import { announce, tell } from "./messages.js";

const whole = new Intl.NumberFormat("en");
const most = 5;
/** A selection may have more parts than fit into a request. */
const partsAtOnce = 2000;

export const starsText = (stars) => (stars === 0 ? "no stars" : `${stars} ${stars === 1 ? "star" : "stars"}`);

/** The stars that a key gives; undefined for other keys. */
export function starsOfKey({ key, ctrlKey, metaKey, altKey }) {
    return /^[0-5]$/.test(key) && !ctrlKey && !metaKey && !altKey ? Number(key) : undefined;
}

let giving = Promise.resolve();

/** Gives photos stars. `parts` are `[first, count]` as the server numbers them; the last order is the last to be sent. */
export function give(parts, stars) {
    giving = giving.then(async () => {
        let failure;
        for (let first = 0; first < parts.length; first += partsAtOnce) {
            try {
                await api.giveStars(parts.slice(first, first + partsAtOnce), stars);
            } catch (error) {
                failure = error;
            }
        }
        if (failure) return tell(failure.message);
        const count = parts.reduce((sum, part) => sum + part[1], 0);
        if (count === 1) return announce(`${starsText(stars)}.`);
        tell(`${starsText(stars)} for ${whole.format(count)} photos.`);
    });
}

/** Buttons for one star to all of them. The one that is pressed takes all away. */
export class StarButtons {
    /** Called with the stars that were chosen. */
    onchange = () => {};
    #stars = 0;
    #buttons;

    constructor(group) {
        this.#buttons = Array.from({ length: most }, (_, index) => {
            const stars = index + 1;
            const button = make("button", {
                type: "button", className: "icon star", ariaLabel: starsText(stars), title: `${starsText(stars)} (${stars})`,
            }, icon("star"));
            button.addEventListener("click", () => this.onchange(this.#stars === stars ? 0 : stars));
            return button;
        });
        group.append(...this.#buttons);
        this.value = 0;
    }

    set value(stars) {
        this.#stars = stars;
        for (const [index, button] of this.#buttons.entries()) {
            button.setAttribute("aria-pressed", index + 1 === stars);
            button.classList.toggle("given", index < stars);
        }
    }
}
