// A curve through points that are moved, added and removed.

import { make } from "./elements.js";
import { announce } from "./messages.js";

/** Points are at least this far apart, and lie on multiples of it when they are dragged. */
const grain = 0.005;
const small = 0.01;
const large = 0.1;
/** An end that is dragged stays at the edge within this distance. */
const edge = 0.03;
const mostPoints = 32;
/** Straight pieces that the curve is drawn with. */
const pieces = 128;

const rounded = (value) => Number(value.toFixed(3));
const limited = (value, least, most) => Math.max(least, Math.min(value, most));

/** The points `[value, result]` of a text such as `0/0_0.25/0.2_1/1`, as CurvePoints.swift reads it; or undefined. */
function parse(text) {
    const number = (part) => (part ? Number(part) : NaN);
    const points = text.trim().split(/[_\s]+/).map((point) => point.split("/").map(number));
    const isRight = points.length >= 2 && points.length <= mostPoints && points.every((point, index) => (
        point.length === 2 && point.every((each) => each >= 0 && each <= 1)
            && (index === 0 || points[index - 1][0] < point[0])));
    return isRight ? points : undefined;
}

const write = (points) => points.map((point) => point.join("/")).join("_");

/** The curve as a function: see CurvePoints.swift. */
function through(points) {
    const slopes = slopesOf(points);
    return (x) => {
        const after = points.findIndex(([value]) => value > x);
        if (after < 0) return points.at(-1)[1];
        if (after === 0) return points[0][1];
        const [[x0, y0], [x1, y1]] = points.slice(after - 1, after + 1);
        const width = x1 - x0;
        const t = (x - x0) / width;
        const s = 1 - t;
        return y0 * (1 + 2 * t) * s * s + y1 * (1 + 2 * s) * t * t
            + width * s * t * (slopes[after - 1] * s - slopes[after] * t);
    };
}

function slopesOf(points) {
    const widths = points.slice(1).map(([value], index) => value - points[index][0]);
    const rises = points.slice(1).map(([, result], index) => (result - points[index][1]) / widths[index]);
    if (rises.length === 1) return [rises[0], rises[0]];
    const inner = rises.slice(1).map((after, index) => {
        const before = rises[index];
        if (before * after <= 0) return 0;
        const [first, second] = [widths[index] + 2 * widths[index + 1], 2 * widths[index] + widths[index + 1]];
        return (first + second) / (first / before + second / after);
    });
    return [
        endSlope(widths[0], widths[1], rises[0], rises[1]), ...inner,
        endSlope(widths.at(-1), widths.at(-2), rises.at(-1), rises.at(-2)),
    ];
}

function endSlope(width, nextWidth, rise, nextRise) {
    const slope = ((2 * width + nextWidth) * rise - width * nextRise) / (width + nextWidth);
    if (slope * rise <= 0) return 0;
    return rise * nextRise <= 0 && Math.abs(slope) > Math.abs(3 * rise) ? 3 * rise : slope;
}

export class Curve {
    /** Called with the curve's text while it changes. */
    onchange = () => {};
    element = make("div", { className: "curve" });
    #svg = plot();
    #points;
    /** An element for each point. */
    #handles = [];
    /** The number of the point that is dragged, or -1. */
    #dragged = -1;

    /** `label` names the curve. */
    constructor(text, label) {
        this.#points = parse(text) ?? [[0, 0], [1, 1]];
        this.element.setAttribute("role", "group");
        this.element.setAttribute("aria-label", `${label}: points`);
        this.element.append(this.#svg);
        this.#draw();
        this.element.addEventListener("keydown", (event) => this.#key(event));
        this.element.addEventListener("pointerdown", (event) => this.#press(event));
        this.element.addEventListener("pointermove", (event) => {
            if (this.#dragged >= 0) this.#drag(this.#place(event));
        });
        for (const end of ["pointerup", "pointercancel"]) {
            this.element.addEventListener(end, () => { this.#dragged = -1; });
        }
        this.element.addEventListener("dblclick", (event) => this.#remove(this.#handles.indexOf(event.target)));
    }

    /** Shows another curve. A text that is none changes nothing. */
    set text(text) {
        this.#points = parse(text) ?? this.#points;
        this.#draw();
    }

    #draw() {
        const curve = through(this.#points);
        const line = Array.from({ length: pieces + 1 }, (_, index) => (
            `${(index / pieces).toFixed(4)} ${(1 - curve(index / pieces)).toFixed(4)}`));
        this.#svg.lastElementChild.setAttribute("d", `M${line.join("L")}`);
        const count = this.#points.length;
        while (this.#handles.length > count) this.#handles.pop().remove();
        while (this.#handles.length < count) this.#handles.push(this.element.appendChild(handle()));
        this.#points.forEach(([value, result], index) => {
            const element = this.#handles[index];
            Object.assign(element.style, { left: `${100 * value}%`, bottom: `${100 * result}%` });
            element.setAttribute("aria-label", `Point ${index + 1} of ${count}: ${value} becomes ${result}`);
            element.setAttribute("aria-valuenow", result);
            element.setAttribute("aria-valuetext", `${value} becomes ${result}`);
        });
    }

    /** Where the pointer is, as a value and its result. */
    #place({ clientX, clientY }) {
        const { left, bottom, width, height } = this.#svg.getBoundingClientRect();
        const share = (value) => rounded(limited(Math.round(value / grain) * grain, 0, 1));
        return [share((clientX - left) / width), share((bottom - clientY) / height)];
    }

    #press(event) {
        if (event.button !== 0) return;
        event.preventDefault();
        const place = this.#place(event);
        const pressed = this.#handles.indexOf(event.target);
        this.#dragged = pressed >= 0 ? pressed : this.#add(place);
        if (this.#dragged < 0) return;
        this.#handles[this.#dragged].setPointerCapture(event.pointerId);
        this.#handles[this.#dragged].focus();
    }

    /** Adds a point. Returns its number, or that of a point that has this value already. */
    #add([value, result]) {
        const same = this.#points.findIndex((point) => Math.abs(point[0] - value) < small);
        if (same >= 0) {
            this.#drag([value, result], same);
            return same;
        }
        if (this.#points.length === mostPoints) return -1;
        const after = this.#points.findIndex((point) => point[0] > value);
        const index = after < 0 ? this.#points.length : after;
        this.#set(this.#points.toSpliced(index, 0, [value, result]));
        return index;
    }

    #remove(index) {
        if (index < 0) return;
        if (index === 0 || index === this.#points.length - 1) {
            announce("The first and the last point stay.");
            return;
        }
        this.#set(this.#points.toSpliced(index, 1));
        this.#handles[index].focus();
        announce("Point removed.");
    }

    #drag([value, result], index = this.#dragged) {
        const last = this.#points.length - 1;
        const atEdge = (index === 0 && value < edge) || (index === last && value > 1 - edge);
        this.#move(index, atEdge ? Math.round(value) : value, result);
    }

    /** Moves a point, but not past its neighbours. */
    #move(index, value, result) {
        const least = index === 0 ? 0 : this.#points[index - 1][0] + grain;
        const most = index === this.#points.length - 1 ? 1 : this.#points[index + 1][0] - grain;
        // Points that were typed may be closer.
        const place = least <= most ? rounded(limited(value, least, most)) : this.#points[index][0];
        this.#set(this.#points.with(index, [place, rounded(limited(result, 0, 1))]));
    }

    #key(event) {
        const index = this.#handles.indexOf(event.target);
        if (index < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
        const step = event.shiftKey ? large : small;
        const [value, result] = this.#points[index];
        const moves = {
            ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step],
            PageUp: [0, large], PageDown: [0, -large], Home: [0, -1], End: [0, 1],
        };
        if (event.key in moves) {
            const [across, up] = moves[event.key];
            this.#move(index, value + across, result + up);
        } else if (event.key === "Delete" || event.key === "Backspace") this.#remove(index);
        else return;
        event.preventDefault();
    }

    #set(points) {
        const before = write(this.#points);
        this.#points = points;
        this.#draw();
        if (write(points) !== before) this.onchange(write(points));
    }
}

/** A drawing of the quarters, the straight line, and the curve, which comes last. */
function plot() {
    const namespace = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(namespace, "svg");
    svg.setAttribute("viewBox", "0 0 1 1");
    svg.setAttribute("aria-hidden", "true");
    for (const line of ["M.25 0V1M.5 0V1M.75 0V1M0 .25H1M0 .5H1M0 .75H1M0 1L1 0", ""]) {
        const path = document.createElementNS(namespace, "path");
        path.setAttribute("d", line);
        svg.append(path);
    }
    return svg;
}

function handle() {
    const element = make("span", { className: "point", tabIndex: 0 });
    element.setAttribute("role", "slider");
    element.setAttribute("aria-valuemin", 0);
    element.setAttribute("aria-valuemax", 1);
    return element;
}
