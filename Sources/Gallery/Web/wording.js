// Words for what the catalogue names, where its own would say too little.

import { title } from "./elements.js";

const groups = { css: "As in CSS", own: "Your own" };

/** By filter and setting: a label, names of choices, and what a number below or above 0 does. */
const settings = {
    "resize kernel": { choices: { "catmull-rom": "Catmull-Rom" } },
    "sepia keep": { label: "Brightness", choices: { none: "As it comes", luminance: "As in the photo" } },
    "white-balance temperature": { below: "cooler", above: "warmer" },
    "white-balance tint": { below: "more green", above: "more magenta" },
};

export const groupTitle = (group) => groups[group] ?? title(group);

/** The words for one setting of a filter. */
export class Wording {
    label;
    #words;

    constructor(filter, parameter) {
        this.#words = settings[`${filter.name} ${parameter.name}`] ?? {};
        this.label = this.#words.label ?? title(parameter.name);
    }

    choice(name) {
        return this.#words.choices?.[name] ?? title(name);
    }

    /** What a number does; empty if there is no word for it. */
    effect(number) {
        const { below = "", above = "" } = this.#words;
        return number < 0 ? below : number > 0 ? above : "";
    }
}
