// How many of a picture's pixels have which value, and whether some are as bright or dark as can be.

import { announce } from "./messages.js";

const bins = 64;
/** Pixels of the longer side of what is counted: enough for shares of a thousandth. */
const longSide = 240;
const colours = ["#e5484d", "#46a758", "#3e7bfa"];
/** Shares of pixels that are worth a warning. */
const worthwhile = 0.002;
const percent = new Intl.NumberFormat("en", { style: "percent", maximumSignificantDigits: 2 });

function counted(image) {
    const scale = longSide / Math.max(image.naturalWidth, image.naturalHeight);
    const width = Math.max(1, Math.round(scale * image.naturalWidth));
    const height = Math.max(1, Math.round(scale * image.naturalHeight));
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0, width, height);
    const { data } = context.getImageData(0, 0, width, height);
    const counts = colours.map(() => new Uint32Array(bins));
    let white = 0;
    let black = 0;
    for (let index = 0; index < data.length; index += 4) {
        for (let channel = 0; channel < 3; channel += 1) counts[channel][data[index + channel] * bins >> 8] += 1;
        const brightest = Math.max(data[index], data[index + 1], data[index + 2]);
        if (brightest >= 255) white += 1;
        if (brightest <= 0) black += 1;
    }
    const total = data.length / 4;
    return { counts, white: white / total, black: black / total };
}

export class Histogram {
    #canvas;
    #warnings;
    #image;
    #frame = 0;

    constructor(element) {
        this.#canvas = element.querySelector("canvas");
        this.#warnings = element.querySelectorAll("p");
    }

    /** Counts an image that is decoded, at most once a frame. */
    set image(image) {
        this.#image = image;
        this.#frame ||= requestAnimationFrame(() => {
            this.#frame = 0;
            this.#draw(counted(this.#image));
        });
    }

    #draw({ counts, white, black }) {
        const { width: across, height } = this.#canvas;
        const context = this.#canvas.getContext("2d");
        context.clearRect(0, 0, across, height);
        context.globalCompositeOperation = "lighter";
        // The ends may be far higher than what is between.
        const most = Math.max(1, ...counts.flatMap((count) => [...count.subarray(1, bins - 1)]));
        counts.forEach((count, channel) => {
            context.fillStyle = colours[channel];
            context.globalAlpha = 0.75;
            count.forEach((value, bin) => {
                const size = Math.min(height, height * Math.sqrt(value / most));
                context.fillRect(bin * across / bins, height - size, across / bins, size);
            });
        });
        this.#warn(this.#warnings[0], black, "black");
        this.#warn(this.#warnings[1], white, "at the brightest value");
    }

    #warn(element, share, what) {
        const text = share >= worthwhile ? `${percent.format(share)} ${what}` : "";
        if (element.textContent === text) return;
        if (text !== "" && element.textContent === "") announce(`${text}.`);
        element.textContent = text;
    }
}
