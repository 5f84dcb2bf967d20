// The page's start: makes the parts and joins them.

import * as api from "./api.js";
import { Attention } from "./attention.js";
import { chainText, usable } from "./chain.js";
import { listen } from "./events.js";
import { FilterPanel } from "./filters.js";
import { Finder } from "./find.js";
import { Grid } from "./grid.js";
import { Histogram } from "./histogram.js";
import { control as controlHistory, History } from "./history.js";
import { control } from "./keyboard.js";
import { tell } from "./messages.js";
import { Motion } from "./motion.js";
import { runs, shownItems, shownOf } from "./order.js";
import { make } from "./elements.js";
import { Looks } from "./looks.js";
import { Photos } from "./photos.js";
import { prefer, preference, take } from "./preferences.js";
import { Recipe } from "./recipe.js";
import { SaveBar, SaveDialog } from "./save.js";
import { Selection } from "./selection.js";
import { StatusBar } from "./status.js";
import { Viewer } from "./viewer.js";

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
    });
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
        const indices = isOpen ? [viewer.index] : inView();
        asked = new Map(indices.map((index) => [index, photos.get(index)?.version]));
        const side = isOpen ? viewer.longSide : grid.layout.cell;
        return { photos: indices, longSide: Math.round(side * devicePixelRatio) };
    };
    const { panel, follow } = edit(gallery, statusBar, {
        show: (items) => looks.show(chainText(items), wanted),
        end: () => looks.end(),
    });
    /** The open photo or the current one; another one in view if that has not arrived. */
    panel.photo = () => {
        const hasArrived = (index) => ["downloaded", "filtered"].includes(photos.get(index)?.state);
        return (viewer.index >= 0 ? [viewer.index] : [grid.current, ...inView()]).find(hasArrived);
    };
    new SaveDialog(gallery, () => {
        const current = viewer.index >= 0 ? viewer.index : grid.current;
        return {
            chain: chainText(panel.items), current: photos.get(current) ? current : -1,
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
    return { photos, statusBar, setCount, recover, follow };
}

/** The panel of filters and devices. `show` gets the filters at every change; `end` takes back what was shown. */
function edit(gallery, statusBar, { show, end }) {
    const recipe = new Recipe(gallery.recipe);
    const panel = new FilterPanel(usable(gallery.filters, gallery.files), gallery.recipe.filters);
    const device = element("device");
    const showChain = () => {
        statusBar.hasChain = panel.items.length > 0;
        recipe.isEmpty = panel.items.length === 0;
    };
    showChain();
    recipe.onerror = (text) => { panel.error = text; };
    recipe.onaccepted = showChain;
    const take = (items) => {
        show(items);
        recipe.items = items;
    };
    const history = new History(panel.filters);
    panel.before = () => history.seen;
    const record = (items, setting) => {
        history.record(panel.filters, setting);
        take(items);
    };
    panel.onchange = record;
    history.onrestore = (filters) => {
        panel.onchange = take;
        panel.filters = filters;
        panel.onchange = record;
    };
    controlHistory(history, element("undo"), element("redo"));
    device.append(...gallery.devices.map(({ identifier, name }) => (
        make("option", { value: identifier, textContent: name }))));
    device.value = gallery.recipe.device;
    device.addEventListener("change", () => { recipe.device = device.value; });

    const toggles = [element("toggle-filters"), element("viewer-filters")];
    const open = (visible) => {
        element("filters").hidden = !visible;
        for (const toggle of toggles) toggle.setAttribute("aria-expanded", visible);
    };
    for (const toggle of toggles) toggle.addEventListener("click", () => open(element("filters").hidden));
    element("close-filters").addEventListener("click", () => {
        open(false);
        toggles.find((toggle) => toggle.checkVisibility())?.focus();
    });
    open(matchMedia("(min-width: 60rem)").matches);

    /** Shows filters that another page has set. Undo takes them back. */
    const follow = async (version) => {
        if (recipe.isPending || version <= recipe.version) return;
        const latest = await api.currentRecipe();
        if (recipe.isPending || latest.version <= recipe.version) return;
        recipe.take(latest);
        end();
        panel.show(latest.filters);
        panel.error = "";
        device.value = latest.device;
        history.record(panel.filters);
        showChain();
        tell("The filters were changed on another page. Undo takes that back.");
    };
    return { panel, follow };
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
        parts?.follow(status.recipeVersion).catch(fail);
    },
});
