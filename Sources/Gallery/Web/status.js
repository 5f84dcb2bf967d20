// The bar at the bottom, and the session's buttons.

import * as api from "./api.js";
import { announceProgress, tell } from "./messages.js";

const element = (id) => document.getElementById(id);
const whole = new Intl.NumberFormat("en");
const speed = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export class StatusBar {
    status;
    /** Whether photos are filtered at all; without filters, those downloaded are done. */
    hasChain = true;
    #connected = true;
    #attention;

    constructor(attention, savesPhotos) {
        this.#attention = attention;
        for (const button of document.querySelectorAll("[data-action]")) {
            // With a folder for outputs, all photos that are filtered are saved.
            if (button.dataset.action === "saveAll") button.hidden = !savesPhotos;
            if (button.dataset.action === "start") button.hidden = savesPhotos;
            button.addEventListener("click", () => this.#act(button));
        }
        document.querySelector("#counters [data-state=saved]").hidden = !savesPhotos;
    }

    set connected(value) {
        this.#connected = value;
        if (this.status) this.show(this.status);
    }

    show(status) {
        this.status = status;
        // A pause while the user scrolls is none for the user.
        const state = status.state === "suspended" && this.#attention.isSuspending ? "running" : status.state;
        document.body.dataset.session = state;
        document.body.dataset.connected = this.#connected;
        for (const counter of element("counters").children) {
            const count = status[counter.dataset.state];
            counter.firstElementChild.textContent = whole.format(count);
            counter.classList.toggle("none", count === 0);
        }
        this.#showProblem(status.saveProblem);
        const total = status.new + status.downloaded + status.filtered + status.failed;
        // The counters keep their places while they count.
        element("counters").style.setProperty("--digits", whole.format(total).length);
        const left = status.new + (this.hasChain ? status.downloaded : 0);
        element("progress").value = total === 0 ? 0 : 1 - left / total;
        element("activity-text").textContent = this.#activity(status, state);
        element("activity").dataset.active = this.#connected && status.downloads > 0;
        element("throughput").firstElementChild.textContent = speed.format(status.megapixelsPerSecond);
        element("used-device").textContent = status.device;
        this.#showActions(status, state, left);
        announceProgress(`${whole.format(status.filtered)} of ${whole.format(total)} photos filtered`
            + `${status.failed ? `, ${whole.format(status.failed)} failed` : ""}, ${state}.`);
    }

    #activity(status, state) {
        if (!this.#connected) return "No connection";
        if (state === "suspended") return "Suspended";
        const parts = [];
        if (status.downloads > 0) parts.push(`${whole.format(status.downloads)} downloading`);
        if (status.filtering > 0) parts.push(`${whole.format(status.filtering)} filtering`);
        return parts.join(", ") || (state === "running" ? "Running" : "Idle");
    }

    /** Tells once why photos are not saved, and as long as it lasts at their counter. */
    #showProblem(problem) {
        const counter = document.querySelector("#counters [data-state=saved]");
        if (problem && counter.title !== problem) tell(`Photos are not saved. ${problem}`);
        counter.title = problem ?? "";
        counter.classList.toggle("problem", Boolean(problem));
    }

    #showActions(status, state, left) {
        const suspend = document.querySelector("[data-action=suspend]");
        const enabled = {
            start: state !== "suspended" && left > 0,
            suspend: state !== "idle",
            cancel: state !== "idle",
            reset: true,
            saveAll: state !== "suspended" && (left > 0 || status.saved < status.filtered),
        };
        for (const each of document.querySelectorAll("[data-action]")) {
            // Not `disabled`, which would take the focus away from a button that was just pressed.
            each.setAttribute("aria-disabled", !enabled[each.dataset.action]);
        }
        const suspended = state === "suspended";
        suspend.querySelector("span").textContent = suspended ? "Resume" : "Suspend";
        suspend.querySelector("use").setAttribute("href", suspended ? "#icon-start" : "#icon-suspend");
        suspend.title = suspended ? "Go on" : "Pause all work";
    }

    async #act(button) {
        if (button.getAttribute("aria-disabled") === "true") return;
        let { action } = button.dataset;
        if (action === "suspend" && this.status.state === "suspended") action = "resume";
        try {
            await api.session(action);
        } catch (error) {
            tell(error.message);
        }
    }
}
