// The page's start: makes the parts and joins them.

import * as api from "./api.js";
import { Attention } from "./attention.js";
import { chainText } from "./chain.js";
import { Editor } from "./editor.js";
import { listen } from "./events.js";
import { Finder } from "./find.js";
import { Grid } from "./grid.js";
import { Histogram } from "./histogram.js";
import { control } from "./keyboard.js";
import { tell } from "./messages.js";
import { Motion } from "./motion.js";
import { itemAt, runs, shownItems, shownOf } from "./order.js";
import { Looks } from "./looks.js";
import { Photos } from "./photos.js";
import { prefer, preference, take } from "./preferences.js";
import { SaveBar, SaveDialog } from "./save.js";
import { Selection } from "./selection.js";
import { give } from "./stars.js";
import { StatusBar } from "./status.js";
import { Viewer } from "./viewer.js";
import { StarWriter } from "./xmp.js";

const element = (id) => document.getElementById(id);
const fail = (error) => tell(error.message);

/** What the page consists of, once the server has answered. */
function start(gallery) {
    const photos = new Photos();
    const sizeField = element("size");
    take(gallery.preferences);
    sizeField.value = preference("size", sizeField.value);
    const selection = new Selection();
    /** The number of all photos. */
    let total = 0;
    const grid = new Grid(element("grid"), photos, selection, Number(sizeField.value));
    const attention = new Attention(grid, element("grid"));
    const statusBar = new StatusBar(attention, new SaveBar(), gallery.downloads);
    const motion = new Motion(element("grid"));
    const viewer = new Viewer(photos);
    const looks = new Looks();

    attention.onerror = fail;
    grid.onrowadded = (row) => attention.observe(row);
    grid.onrowremoved = (row) => attention.ignore(row);
    grid.onrows = () => { if (!motion.isFast) photos.need(...grid.near); };
    photos.onchange = (changed) => {
        grid.redraw(changed);
        if (!motion.isFast && grid.layout) photos.need(...grid.near);
        if (viewer.index >= 0) {
            photos.need(viewer.index, viewer.index + 1);
            viewer.update();
            editor.show(viewer.index);
        }
        panel.renew();
    };
    motion.onfast = () => {
        grid.loadsImages = false;
        if (statusBar.status.state === "running") attention.suspend();
    };
    motion.onrest = () => {
        grid.loadsImages = true;
        grid.settle();
        grid.followView();
        grid.redraw(null);
        photos.need(...grid.near);
        if (attention.isSuspending) attention.resume();
        else attention.report();
    };
    const filters = element("filters");
    const histogram = new Histogram(element("histogram"));
    viewer.onpicture = (image) => {
        histogram.image = image;
        panel.renew();
    };
    const workspace = document.querySelector(".workspace");
    viewer.onshow = (index) => editor.show(index);
    viewer.onopen = () => {
        looks.end();
        // The grid keeps its size while the panel is elsewhere.
        workspace.style.paddingRight = `${workspace.clientWidth - element("grid").offsetWidth}px`;
        document.querySelector("#viewer .body").append(filters);
        element("histogram").hidden = false;
    };
    viewer.onclose = (index) => {
        looks.end();
        workspace.append(filters);
        workspace.style.paddingRight = "";
        element("histogram").hidden = true;
        editor.show(-1);
        grid.select(index);
        panel.renew();
    };
    selection.onchange = () => {
        grid.markSelected();
        statusBar.selectedCount = selection.size;
    };
    control(element("grid"), grid, selection, {
        open: (index) => viewer.open(index),
        retry: (index) => api.retry(index).catch(fail),
        rate: (index, stars) => give(selection.has(index) ? selection.parts : [[itemAt(index), 1]], stars),
    });
    viewer.onrate = (index, stars) => give([[itemAt(index), 1]], stars);
    new StarWriter();
    sizeField.addEventListener("input", () => { grid.size = Number(sizeField.value); });
    sizeField.addEventListener("change", () => prefer("size", Number(sizeField.value)));
    /** The versions of the photos that looks were asked for. */
    let asked = new Map();
    looks.onpicture = (index, image, facts) => {
        const photo = photos.get(index);
        // The photo may be filtered by now.
        if (photo?.state === "filtered" && photo.version !== asked.get(index)) return;
        if (viewer.index >= 0) viewer.look(index, image, facts);
        else grid.look(index, image);
    };
    const inView = () => {
        const [first, end] = attention.view;
        return Array.from({ length: end - first }, (_, offset) => first + offset);
    };
    /** What is under the eye: the open photo, or those in view. */
    const wanted = () => {
        const isOpen = viewer.index >= 0;
        // What is set in the grid is for all photos, apart from those that have their own filters.
        const indices = isOpen ? [viewer.index] : inView().filter((index) => !photos.get(index)?.own?.filters);
        asked = new Map(indices.map((index) => [index, photos.get(index)?.version]));
        const side = isOpen ? viewer.longSide : grid.layout.cell;
        return { photos: indices, longSide: Math.round(side * devicePixelRatio) };
    };
    const editor = new Editor(gallery, photos);
    const { panel } = editor;
    editor.onchange = (items) => looks.show(chainText(items), wanted);
    editor.onend = () => looks.end();
    editor.onaccepted = () => { statusBar.hasChain = editor.chain !== ""; };
    editor.onaccepted();
    controlPanel(filters);
    /** The open photo or the current one; another one in view if that has not arrived. */
    panel.photo = () => {
        const hasArrived = (index) => ["downloaded", "filtered"].includes(photos.get(index)?.state);
        return (viewer.index >= 0 ? [viewer.index] : [grid.current, ...inView()]).find(hasArrived);
    };
    new SaveDialog(gallery, () => {
        const current = viewer.index >= 0 ? viewer.index : grid.current;
        return {
            chain: editor.chain, settled: () => editor.settled(), current: photos.get(current) ? current : -1,
            name: photos.get(current)?.name, selected: { count: selection.size, parts: selection.parts },
            // Those that are shown, where others are left out.
            all: { count: photos.count, parts: photos.count < total ? runs(shownItems()) : null },
        };
    });

    const finder = new Finder();
    finder.onerror = fail;
    finder.selected = () => selection.parts;
    /** Each place may show another photo now. */
    finder.onchange = () => {
        photos.forget();
        grid.current = 0;
        setCount(total);
        grid.markSelected();
    };

    /** Takes the number of photos; all of them may be others than before. */
    const setCount = (count) => {
        if (count < total) selection.clear();
        // Not under the eye: the open photo would be another one.
        if (count !== total && finder.isActive && viewer.index < 0) finder.find();
        total = count;
        const shown = shownOf(count);
        const isSame = shown === photos.count && grid.layout;
        photos.count = shown;
        const whole = new Intl.NumberFormat("en");
        element("count").textContent = shown === count
            ? `${whole.format(count)} photos` : `${whole.format(shown)} of ${whole.format(count)} photos`;
        element("empty").hidden = count > 0;
        element("nothing-found").hidden = count === 0 || shown > 0;
        element("grid").hidden = shown === 0;
        photos.invalidate();
        looks.end();
        if (!isSame) grid.arrange();
        attention.repeat();
    };
    /** Does again what has failed while there was no connection. */
    const recover = () => {
        attention.repeat();
        grid.redraw(null);
        viewer.recover();
    };
    element("title").textContent = gallery.title;
    document.title = `${gallery.title} – Tintype`;
    setCount(gallery.count);
    statusBar.show(gallery.status);
    return { photos, statusBar, setCount, recover, editor };
}

/** The buttons that show and hide the panel. */
function controlPanel(panel) {
    const toggles = [element("toggle-filters"), element("viewer-filters")];
    const open = (visible) => {
        panel.hidden = !visible;
        for (const toggle of toggles) toggle.setAttribute("aria-expanded", visible);
    };
    for (const toggle of toggles) toggle.addEventListener("click", () => open(panel.hidden));
    element("close-filters").addEventListener("click", () => {
        open(false);
        toggles.find((toggle) => toggle.checkVisibility())?.focus();
    });
    open(matchMedia("(min-width: 60rem)").matches);
}

/** Set when the server has answered for the first time. */
let parts;
/** The latest status, as events may come before the answer. */
let status;

async function begin() {
    let gallery;
    try {
        gallery = await api.gallery();
    } catch (error) {
        tell(error.message);
        setTimeout(begin, 2000);
        return;
    }
    parts = start(gallery);
    if (status) parts.statusBar.show(status);
}

async function catchUp() {
    const gallery = await api.gallery();
    parts.setCount(gallery.count);
    parts.statusBar.show(gallery.status);
}

// The events come first, so that no change is missed between the answer and them.
let isBeginning = false;
listen({
    opened: async (mayHaveMissed) => {
        if (!parts) {
            if (!isBeginning) begin();
            isBeginning = true;
            return;
        }
        parts.statusBar.connected = true;
        parts.recover();
        if (mayHaveMissed) await catchUp().catch(fail);
    },
    lost: () => { if (parts) parts.statusBar.connected = false; },
    photos: ({ changes }) => parts?.photos.apply(changes),
    all: ({ count }) => parts?.setCount(count),
    status: (latest) => {
        // Another gallery has this address now.
        if (status && latest.run !== status.run) location.reload();
        status = latest;
        parts?.statusBar.show(status);
        if (parts) parts.editor.ownCount = status.own;
        parts?.editor.follow(status.recipeVersion).catch(fail);
    },
});
