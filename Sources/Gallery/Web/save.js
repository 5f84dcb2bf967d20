// The dialog that saves photos, and the bar that tells how far it is.

import * as api from "./api.js";
import { make, photos, showProblems } from "./elements.js";
import { announce, tell } from "./messages.js";
import { itemAt } from "./order.js";
import { prefer, preference } from "./preferences.js";

const element = (id) => document.getElementById(id);
const whole = new Intl.NumberFormat("en");

export class SaveDialog {
    #dialog = element("save-dialog");
    #form = element("save-form");
    #error = element("save-error");
    #formats;
    #source;
    /** What `source` told when the dialog opened. */
    #subject;
    /** The chosen folder as the server knows it, for what the form asks for. */
    #folder;
    #asking = 0;

    /**
     * `source` tells `chain`, the open photo's `current` index and name, `selected` parts and number, and `all` that are shown.
     * Its `settled` waits until the server knows the filters of single photos.
     */
    constructor({ formats, replaces }, source) {
        this.#formats = formats;
        this.#source = source;
        this.#form.elements.format.append(...formats.map(({ identifier, name }) => (
            make("option", { value: identifier, textContent: name }))));
        this.#restore();
        this.#form.elements.existing.value = replaces ? "replace" : "beside";
        for (const button of document.querySelectorAll("[data-save]")) {
            button.addEventListener("click", () => this.open());
        }
        addEventListener("keydown", (event) => {
            if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
            event.preventDefault();
            this.open();
        });
        this.#form.addEventListener("change", () => this.#update());
        this.#form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.#save();
        });
        element("save-cancel").addEventListener("click", () => this.#dialog.close());
        element("save-download").addEventListener("click", () => this.#download());
    }

    open() {
        if (this.#dialog.open) return;
        this.#subject = this.#source();
        const { current, name, selected, all } = this.#subject;
        const choices = { current: current >= 0, selected: selected.count > 0, all: all.count > 0 };
        const label = (choice, text) => {
            const input = this.#form.querySelector(`[name=photos][value=${choice}]`);
            input.disabled = !choices[choice];
            input.nextElementSibling.textContent = text;
        };
        label("current", current >= 0 ? `This photo: ${name}` : "This photo");
        label("selected", `Selected: ${photos(selected.count)}`);
        label("all", `${all.parts ? "All shown" : "All"}: ${photos(all.count)}`);
        const isOpen = document.getElementById("viewer").open;
        this.#form.elements.photos.value = isOpen && choices.current ? "current"
            : choices.selected ? "selected" : "all";
        this.#dialog.showModal();
        this.#update();
    }

    get #recipe() {
        const { format, quality, longSide, strip } = this.#form.elements;
        const number = (field) => (field.value === "" || field.disabled ? null : field.valueAsNumber);
        return {
            chain: this.#subject.chain,
            format: format.value || null,
            quality: number(quality),
            longSide: number(longSide),
            stripsMetadata: strip.checked,
        };
    }

    get #photos() {
        const { current, selected, all } = this.#subject;
        return { current: [[itemAt(current), 1]], selected: selected.parts, all: all.parts }[this.#form.elements.photos.value];
    }

    /** Shows what fits the choices, and what the folders hold. */
    async #update() {
        const { format, quality } = this.#form.elements;
        const known = this.#formats.find(({ identifier }) => identifier === format.value);
        quality.disabled = known !== undefined && !known.hasQuality;
        element("save-download").hidden = this.#form.elements.photos.value !== "current";
        this.#error.textContent = "";
        if (!this.#form.checkValidity()) return;
        const asking = this.#asking += 1;
        try {
            const { folders, count } = await api.saveFolders({ recipe: this.#recipe, photos: this.#photos });
            if (asking !== this.#asking) return;
            this.#show(folders, count);
        } catch (error) {
            if (asking === this.#asking) this.#error.textContent = error.message;
        }
    }

    #show(folders, count) {
        const { folder } = this.#form.elements;
        const chosen = Math.max(0, folder.selectedIndex);
        this.#folder = folders[chosen];
        folder.replaceChildren(...folders.map(({ path }, index) => (
            make("option", { value: index, textContent: path, selected: index === chosen }))));
        const { savedCount, hasOthers, beside, problem } = folders[chosen];
        this.#error.textContent = problem ?? "";
        element("save-existing").hidden = !hasOthers;
        element("save-replace").textContent = `Replace those of the same names (${photos(savedCount)} saved there)`;
        element("save-beside").textContent = `Save beside it, in ${beside}`;
        element("save-known").textContent = !hasOthers && savedCount > 0
            ? `${photos(savedCount)} of this look ${savedCount === 1 ? "is" : "are"} there. What is up to date stays.` : "";
        element("save-start").textContent = `Save ${photos(count)}`;
    }

    async #save() {
        if (!this.#form.reportValidity()) return;
        const before = JSON.stringify(this.#folder);
        await this.#update();
        if (this.#error.textContent !== "") return;
        if (JSON.stringify(this.#folder) !== before) {
            this.#error.textContent = "What the folder holds has changed. Look at the choices again.";
            return;
        }
        const { folder, existing, names } = this.#form.elements;
        const { hasOthers } = this.#folder;
        try {
            await this.#subject.settled();
            await api.save({
                recipe: this.#recipe, photos: this.#photos, folder: folder.selectedIndex, names: names.value,
                isBeside: hasOthers && existing.value === "beside",
                replaces: hasOthers && existing.value === "replace",
            });
        } catch (error) {
            this.#error.textContent = error.message;
            return;
        }
        this.#keep();
        this.#dialog.close();
    }

    async #download() {
        if (!this.#form.reportValidity()) return;
        try {
            await this.#subject.settled();
            const order = { recipe: this.#recipe, names: this.#form.elements.names.value };
            const { name, blob } = await api.file(this.#subject.current, order);
            const address = URL.createObjectURL(blob);
            make("a", { href: address, download: name }).click();
            setTimeout(() => URL.revokeObjectURL(address), 10_000);
            this.#dialog.close();
        } catch (error) {
            this.#error.textContent = error.message;
        }
    }

    #keep() {
        const { format, quality, longSide, names, strip } = this.#form.elements;
        prefer("save", {
            format: format.value, quality: quality.value, longSide: longSide.value, names: names.value,
            strip: strip.checked,
        });
    }

    #restore() {
        const { strip, ...values } = preference("save", {});
        for (const [name, value] of Object.entries(values)) this.#form.elements[name].value = value;
        this.#form.elements.strip.checked = strip ?? false;
        // A format may be gone.
        if (this.#form.elements.format.selectedIndex < 0) this.#form.elements.format.value = "";
    }
}

/** Shows how far the last saving is, as the status has it. */
export class SaveBar {
    #bar = element("saving");
    #problems = element("save-problems");
    #shown = "";
    /** The saving whose bar was closed. */
    #closed;

    constructor() {
        element("save-pause").addEventListener("click", () => this.#act(this.#state === "paused" ? "resume" : "pause"));
        element("save-stop").addEventListener("click", () => this.#act("stop"));
        element("save-close").addEventListener("click", () => {
            this.#closed = this.#shown;
            this.#bar.hidden = true;
        });
    }

    get #state() {
        return this.#bar.dataset.state;
    }

    show(save) {
        const text = JSON.stringify(save ?? null);
        if (text === this.#shown) return;
        this.#shown = text;
        this.#bar.hidden = !save || text === this.#closed;
        if (!save) return;
        const { folder, total, saved, upToDate, failed, state, problems, warning } = save;
        const isOver = state === "ended" || state === "stopped";
        const wasOver = this.#state === "ended" || this.#state === "stopped";
        this.#bar.dataset.state = state;
        element("save-progress").value = total === 0 ? 1 : (saved + upToDate + failed) / total;
        const parts = [`${whole.format(saved)} of ${photos(total)} saved in ${folder}`];
        if (upToDate > 0) parts.push(`${whole.format(upToDate)} up to date`);
        if (failed > 0) parts.push(`${whole.format(failed)} failed`);
        const ends = { paused: ", paused", stopped: ", stopped" };
        const sentence = `${parts.join(", ")}${ends[state] ?? ""}.${warning ? ` ${warning}` : ""}`;
        element("save-text").textContent = sentence;
        if (isOver && !wasOver) announce(sentence);
        element("save-pause").hidden = isOver;
        element("save-stop").hidden = isOver;
        element("save-close").hidden = !isOver;
        element("save-pause").querySelector("span").textContent = state === "paused" ? "Continue" : "Pause";
        showProblems(this.#problems, problems, failed);
    }

    async #act(action) {
        try {
            await api.saveAction(action);
        } catch (error) {
            tell(error.message);
        }
    }
}
