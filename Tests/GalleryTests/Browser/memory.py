"""The server's memory does not grow with the requests that it answers, nor with the photos that it shows."""

from pathlib import Path

from gallery import Gallery, until

PHOTO_COUNT = 100_000
FLAGS: list[str] = []
GROWTH = 1.1


def resident(gallery: Gallery) -> int:
    """The memory of the server's process, in KiB."""
    status = Path(f"/proc/{gallery.server.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def look(gallery: Gallery, first: int, requests: int) -> None:
    """Looks at places all over the list, as a page does that is scrolled."""
    gallery.page.evaluate(
        """async ([first, requests]) => {
            const headers = { "Content-Type": "application/json" };
            const { count, status } = await (await fetch("/api/gallery")).json();
            const address = (index, version) => (
                `/api/photos/${index}/thumbnail?run=${status.run}&version=${version}`);
            for (let done = 0, place = first; done < requests; place += 7919) {
                const start = place % (count - 16);
                const body = JSON.stringify({ first: start, count: 16 });
                await fetch("/api/visible", { method: "POST", headers, body });
                const { photos } = await (await fetch(`/api/photos?first=${start}&count=16`)).json();
                const pictures = photos.flatMap((photo, index) => photo.version > 0
                    ? [fetch(address(start + index, photo.version))] : []);
                for (const picture of await Promise.all(pictures)) await picture.arrayBuffer();
                await fetch("/gallery.css");
                done += 3 + pictures.length;
            }
        }""",
        [first, requests],
    )


def test_ten_thousand_requests_take_no_memory(gallery: Gallery) -> None:
    # The caches fill, and every thread has worked.
    for share in (0, 1, 0.5):
        gallery.page.locator("#grid").evaluate(
            "(grid, share) => { grid.scrollTop = share * grid.scrollHeight }", share
        )
        gallery.wait_until_done(gallery.visible())
    before = resident(gallery)
    look(gallery, 0, 10_000)
    until(lambda: gallery.status()["state"] == "idle", "the end of the work")
    after = resident(gallery)
    print(f"  the server's memory: {before >> 10} MiB, after 10,000 requests {after >> 10} MiB")
    assert after <= GROWTH * before
