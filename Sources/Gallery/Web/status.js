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
    #saveBar;

    /** `downloads` says whether photos may come from elsewhere. */
    constructor(attention, saveBar, downloads) {
        this.#attention = attention;
        this.#saveBar = saveBar;
        for (const button of document.querySelectorAll("[data-action]")) {
            button.addEventListener("click", () => this.#act(button));
        }
        if (!downloads) document.querySelector("#counters [data-state=downloaded] span").textContent = "not filtered";
    }

    set selectedCount(count) {
        const counter = document.querySelector("#counters [data-state=selected]");
        counter.hidden = count === 0;
        counter.firstElementChild.textContent = whole.format(count);
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
        for (const counter of document.querySelectorAll("#counters [data-state]:not([data-state=selected])")) {
            const count = status[counter.dataset.state];
            counter.firstElementChild.textContent = whole.format(count);
            counter.classList.toggle("none", count === 0);
        }
        this.#saveBar.show(status.save);
        const total = status.new + status.downloaded + status.filtered + status.failed;
        // The counters keep their places while they count.
        element("counters").style.setProperty("--digits", whole.format(total).length);
        const left = status.new + (this.hasChain ? status.downloaded : 0);
        element("progress").value = total === 0 ? 0 : 1 - left / total;
        element("activity-text").textContent = this.#activity(status, state);
        element("activity").dataset.active = this.#connected && status.downloads > 0;
        element("throughput").firstElementChild.textContent = speed.format(status.megapixelsPerSecond);
        const isSaving = status.save?.state === "saving";
        const isQuiet = (state === "idle" && !isSaving) || status.megapixelsPerSecond < 0.05;
        element("throughput").style.visibility = isQuiet ? "hidden" : "visible";
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

    #showActions(status, state, left) {
        const suspend = document.querySelector("[data-action=suspend]");
        const enabled = {
            start: state !== "suspended" && left > 0,
            suspend: state !== "idle",
            cancel: state !== "idle",
            reset: true,
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
