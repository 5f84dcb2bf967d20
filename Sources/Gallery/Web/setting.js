// The field of one setting of a filter: a slider with a number, a choice, a colour, a curve, or text.

import { isDefault, isStraight, number, scaleOf, scales, share, shown, stored, tidy } from "./chain.js";
import { Curve } from "./curve.js";
import { icon, make } from "./elements.js";

/** The slider has this many steps. */
const steps = 200;
/** Up to this many choices are buttons side by side. */
const mostButtons = 4;
/** The height of a photo that turns pixels into a percentage and back, when the user switches the unit. */
const typicalHeight = 3000;

/** Whether curves are shown, by the names of their settings. */
const shownCurves = new Map();

let fields = 0;

export class Setting {
    /** Called with the new value, which is in range. */
    onchange = () => {};
    element = make("div", { className: "setting" });
    #id = `setting-${fields += 1}`;
    #parameter;
    #wording;
    #value;
    /** Lets the user choose a file: see `choose` in upload.js. */
    #upload;
    #error = make("p", { className: "error", id: `${this.#id}-error` });
    #restore = make("button", { type: "button", className: "icon restore" }, icon("reset"));

    constructor(parameter, value, wording, upload) {
        this.#upload = upload;
        this.#parameter = parameter;
        this.#wording = wording;
        this.#value = value;
        this.#restore.title = "Back to the default";
        this.#restore.setAttribute("aria-label", `${wording.label}: back to the default`);
        this.#restore.addEventListener("click", () => {
            this.value = tidy(parameter, parameter.default);
            this.onchange(this.#value);
            this.focus();
        });
        this.#build();
    }

    /** Names this field among all of the page. */
    get name() {
        return this.#id;
    }

    get value() {
        return this.#value;
    }

    set value(value) {
        this.#value = value;
        this.#build();
    }

    /** Says what is wrong with the value; an empty text says that nothing is. */
    set error(text) {
        this.#error.textContent = text;
        for (const input of this.element.querySelectorAll("input[type=number], input[type=text], select")) {
            input.setAttribute("aria-invalid", text !== "");
        }
    }

    focus() {
        this.element.querySelector("input, select")?.focus();
    }

    #build() {
        const parameter = this.#parameter;
        this.element.title = parameter.summary ?? "";
        this.element.replaceChildren(...this.#body(), this.#error);
        this.error = "";
        this.#showDefault();
    }

    #body() {
        switch (this.#parameter.kind) {
            case "number": return this.#number();
            case "choice": return this.#choice();
            case "colour": return [this.#heading([]), this.#input("color")];
            case "curve": return this.#curve();
            case "file": return this.#file();
            default: return [this.#heading([]), this.#input("text")];
        }
    }

    #showDefault() {
        this.#restore.hidden = isDefault(this.#parameter, this.#value);
    }

    #change(value) {
        this.error = "";
        if (value === this.#value) return;
        this.#value = value;
        this.#showDefault();
        this.onchange(value);
    }

    #number() {
        const parameter = this.#parameter;
        const scale = scaleOf(parameter, this.#value);
        const text = shown(scale, this.#value);
        const slider = make("input", { type: "range", id: this.#id, min: 0, max: steps, step: 1 });
        const { minimum, maximum, unit } = scale;
        const field = make("input", { type: "number", step: "any", value: text, min: minimum, max: maximum });
        const range = `${minimum} to ${maximum}${unit && ` ${unit}`}`;
        slider.value = steps * share(scale, Number(text));
        field.setAttribute("aria-label", `${this.#wording.label}${scale.unit && `, ${scale.unit}`}`);
        field.setAttribute("aria-describedby", this.#error.id);
        field.title = range;
        const effect = make("span", { className: "effect" });
        const label = () => {
            effect.textContent = this.#wording.effect(Number(field.value));
            const text = `${field.value} ${scale.unit}`.trim();
            slider.setAttribute("aria-valuetext", effect.textContent ? `${text}, ${effect.textContent}` : text);
        };
        label();

        slider.addEventListener("input", () => {
            field.value = shown({ factor: 1 }, String(number(scale, slider.value / steps)));
            label();
            this.#change(stored(scale, Number(field.value)));
        });
        field.addEventListener("input", () => {
            const typed = field.valueAsNumber;
            if (!(typed >= scale.minimum && typed <= scale.maximum)) {
                this.error = `Enter a number from ${range}.`;
                return;
            }
            slider.value = steps * share(scale, typed);
            label();
            this.#change(stored(scale, typed));
        });
        return [this.#heading([field, this.#unit(scale)], "label", effect), slider];
    }

    #unit(scale) {
        const all = scales(this.#parameter);
        if (all.length === 1) return make("span", { className: "unit", textContent: scale.unit });
        const select = make("select", { className: "unit" });
        select.setAttribute("aria-label", `${this.#wording.label}: unit`);
        select.append(...all.map(({ unit }) => make("option", { value: unit, textContent: unit })));
        select.value = scale.unit;
        select.addEventListener("change", () => {
            const next = all.find(({ unit }) => unit === select.value);
            const factor = next.unit === "%" ? 100 / typicalHeight : typicalHeight / 100;
            const amount = Number(this.#value.replace("%", "")) * factor;
            const value = stored(next, Number(Math.min(next.maximum, amount).toPrecision(2)));
            this.value = value;
            this.onchange(value);
            this.element.querySelector("select.unit").focus();
        });
        return select;
    }

    #choice() {
        const { choices } = this.#parameter;
        if (choices.length > mostButtons) {
            const select = make("select", { id: this.#id });
            select.append(...choices.map((each) => (
                make("option", { value: each, textContent: this.#wording.choice(each) }))));
            select.value = this.#value;
            select.addEventListener("change", () => this.#change(select.value));
            return [this.#heading([]), select];
        }
        const group = make("div", { className: "segments" });
        group.setAttribute("role", "radiogroup");
        group.setAttribute("aria-label", this.#wording.label);
        for (const each of choices) {
            const checked = each === this.#value;
            const radio = make("input", { type: "radio", name: this.#id, value: each, checked });
            radio.addEventListener("change", () => this.#change(each));
            group.append(make("label", {}, radio, make("span", { textContent: this.#wording.choice(each) })));
        }
        return [this.#heading([], "span"), group];
    }

    #file() {
        // The server may have added the hash of the contents.
        const path = this.#value.split("#")[0];
        const paths = [...new Set([path, ...this.#parameter.files])].filter((each) => each !== "");
        const select = make("select", { id: this.#id });
        select.append(...paths.map((each) => make("option", { value: each, textContent: each.split("/").at(-1), title: each })));
        select.value = path;
        select.addEventListener("change", () => this.#change(select.value));
        const button = make("button", { type: "button", className: "icon", title: "Take a file of yours" }, icon("folder"));
        button.setAttribute("aria-label", `${this.#wording.label}: take a file of yours`);
        button.addEventListener("click", async () => {
            const chosen = await this.#upload();
            if (!chosen) return;
            this.value = chosen;
            this.onchange(chosen);
            this.focus();
        });
        return [this.#heading([button]), select];
    }

    /** A text is sent when it is complete, not with every letter. */
    #input(type) {
        const input = make("input", { type, id: this.#id, value: this.#value, spellcheck: false });
        input.setAttribute("aria-describedby", this.#error.id);
        input.addEventListener(type === "text" ? "change" : "input", () => this.#change(input.value.trim()));
        return input;
    }

    /** The text beneath has the exact values. A straight line takes no room until it is to be bent. */
    #curve() {
        const { name } = this.#parameter;
        const { label } = this.#wording;
        const input = this.#input("text");
        const curve = new Curve(this.#value, label);
        const toggle = make("button", { type: "button", className: "icon bend", title: "Curve" }, icon("curve"));
        toggle.setAttribute("aria-label", `${label}: curve`);
        const show = (isShown) => {
            shownCurves.set(name, isShown);
            curve.element.hidden = !isShown;
            toggle.setAttribute("aria-expanded", isShown);
        };
        curve.onchange = (text) => {
            input.value = text;
            this.#change(text);
        };
        input.addEventListener("change", () => { curve.text = input.value; });
        toggle.addEventListener("click", () => show(curve.element.hidden));
        show(shownCurves.get(name) || !isStraight(this.#value));
        return [this.#heading([toggle]), curve.element, input];
    }

    #heading(controls, kind = "label", effect = "") {
        const label = make(kind, { className: "label", textContent: this.#wording.label });
        if (kind === "label") label.htmlFor = this.#id;
        return make("div", { className: "heading" }, label, effect, this.#restore, ...controls);
    }
}
