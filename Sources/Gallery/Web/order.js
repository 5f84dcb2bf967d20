// Which photos are shown, and in which order. The page counts places of what it shows; the server numbers all photos.

/** The numbers of the photos by place; null for all photos in their own order. */
let items = null;
let places = new Map();

/** The number of the photo at a place. */
export const itemAt = (place) => (items ? items[place] : place);

/** The place of a photo; -1 if it is not shown. */
export const placeOf = (item) => (items ? places.get(item) ?? -1 : item);

/** How many of `count` photos are shown. */
export const shownOf = (count) => (items ? items.length : count);

/** The numbers of the photos that are shown; null if all are. */
export const shownItems = () => items;

/** `[first, count]` of each run of neighbours among numbers. */
export function runs(numbers) {
    const found = [];
    for (const number of [...numbers].sort((a, b) => a - b)) {
        const last = found.at(-1);
        if (last && last[0] + last[1] === number) last[1] += 1;
        else found.push([number, 1]);
    }
    return found;
}

/** Shows these photos; null shows all. */
export function order(numbers) {
    items = numbers;
    places = new Map(numbers?.map((item, place) => [item, place]));
}
