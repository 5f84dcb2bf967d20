// Moving the items of a list by their grips, with mouse, pen or finger.

/** Calls `onmove(from, to)` when an item was dropped elsewhere. */
export function reorder(list, onmove) {
    list.addEventListener("pointerdown", (event) => {
        const item = event.target.closest(".grip")?.closest("li");
        if (!item || event.button !== 0) return;
        event.preventDefault();
        const before = [...list.children];
        // The list, because an item loses the pointer when it is moved.
        list.setPointerCapture(event.pointerId);
        item.classList.add("dragged");

        const move = ({ clientY }) => {
            const next = before.filter((each) => each !== item).sort(byPlace).find((each) => {
                const { top, height } = each.getBoundingClientRect();
                return clientY < top + height / 2;
            }) ?? null;
            if (item.nextElementSibling !== next) list.insertBefore(item, next);
        };
        const end = ({ type }) => {
            list.removeEventListener("pointermove", move);
            list.removeEventListener("pointerup", end);
            list.removeEventListener("pointercancel", end);
            item.classList.remove("dragged");
            const to = [...list.children].indexOf(item);
            if (type === "pointerup") onmove(before.indexOf(item), to);
            else list.replaceChildren(...before);
        };
        list.addEventListener("pointermove", move);
        list.addEventListener("pointerup", end);
        list.addEventListener("pointercancel", end);
    });
}

function byPlace(a, b) {
    return a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}
