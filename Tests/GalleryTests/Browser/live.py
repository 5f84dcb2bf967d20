"""How long a slider's effect takes until it is painted, in the grid and in the large view."""

from __future__ import annotations

import statistics

from gallery import Gallery

FLAGS: list[str] = []
PHOTO_COUNT = 24

# Sets the slider some times, and waits each time until as many looks were painted as are wanted.
DRAG = """async ([root, wanted]) => {
    const slider = document.querySelector("#chain input[type=range]");
    const times = [];
    for (let step = 0; step < 12; step += 1) {
        const start = performance.now();
        const seen = new Set();
        const painted = new Promise((resolve) => {
            const observer = new MutationObserver((changes) => {
                const images = changes.flatMap(({ addedNodes }) => [...addedNodes])
                    .filter((node) => node.src?.startsWith("blob:"));
                for (const image of images) seen.add(image.closest(".cell") ?? image);
                if (seen.size < wanted) return;
                observer.disconnect();
                // A task after the next frame's painting.
                requestAnimationFrame(() => {
                    const channel = new MessageChannel();
                    channel.port1.onmessage = resolve;
                    channel.port2.postMessage(0);
                });
            });
            observer.observe(document.querySelector(root), { childList: true, subtree: true });
        });
        slider.value = 20 + (step * 37) % 160;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await painted;
        times.push(performance.now() - start);
        await new Promise((resolve) => { setTimeout(resolve, 100); });
    }
    return times;
}"""


def report(gallery: Gallery, what: str, root: str, wanted: int) -> None:
    # The first one decodes the photos.
    times = gallery.page.evaluate(DRAG, [root, wanted])[1:]
    print(f"  {what}: median {statistics.median(times):.0f} ms, longest {max(times):.0f} ms")


def test_a_slider_is_followed(gallery: Gallery) -> None:
    gallery.set_chain("Sepia")
    visible = gallery.visible()
    gallery.wait_until_done(visible)
    arrived = [index for index in visible if gallery.photo(index)["state"] == "filtered"]
    report(gallery, f"{len(arrived)} photos in the grid", "#grid", len(arrived))
    gallery.wait_until_done(visible)
    gallery.cell(arrived[0]).click()
    gallery.page.locator("#picture img[src*='/after?']").wait_for()
    report(gallery, "the large view", "#picture", 1)


test_a_slider_is_followed.options = {"viewport": {"width": 1700, "height": 1000}}
