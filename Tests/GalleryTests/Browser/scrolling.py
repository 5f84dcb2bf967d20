"""Only what is near the view is in the page, and what is in view comes first."""

import time

from gallery import Gallery, until


def cells(gallery: Gallery) -> int:
    return gallery.page.locator(".cell").count()


def test_the_end_of_the_list_is_filtered_after_a_jump(gallery: Gallery) -> None:
    gallery.reset()
    window = len(gallery.visible())
    count = gallery.get("/api/gallery")["count"]
    gallery.cell(gallery.visible()[0]).focus()
    start = time.monotonic()
    gallery.page.keyboard.press("End")
    gallery.cell(count - 1).wait_for()
    gallery.page.locator(".cell[data-state=filtered]").first.wait_for()
    print(f"  first photo filtered {time.monotonic() - start:.2f} s after the jump")
    gallery.wait_until_done(gallery.visible())
    assert count - 1 in gallery.visible()
    assert cells(gallery) < 4 * window
    until(lambda: gallery.status()["state"] == "idle", "the end of the work")
    status = gallery.status()
    done = status["downloaded"] + status["filtered"] + status["failed"]
    assert done <= 3 * window, f"{done} photos were worked on, and {window} fit into the view."

    gallery.page.keyboard.press("Home")
    gallery.wait_until_done(gallery.visible())
    assert 0 in gallery.visible()
    assert cells(gallery) < 4 * window


def test_the_last_row_ends_in_view(gallery: Gallery) -> None:
    grid = gallery.page.locator("#grid")
    count = gallery.get("/api/gallery")["count"]
    grid.evaluate("(grid) => { grid.scrollTop = grid.scrollHeight }")
    gallery.cell(count - 1).wait_for()
    below = gallery.cell(count - 1).evaluate(
        "(cell) => grid.getBoundingClientRect().bottom - cell.getBoundingClientRect().bottom"
    )
    assert 0 <= below < 20, f"The last photo ends {below} pixels above the end."


def test_photos_that_come_back_are_not_downloaded_again(gallery: Gallery) -> None:
    gallery.reset()
    first = gallery.visible()
    gallery.wait_until_done(first)
    versions = {index: gallery.photo(index)["version"] for index in first}
    gallery.cell(first[0]).focus()
    gallery.page.keyboard.press("End")
    gallery.wait_until_done(gallery.visible())
    gallery.page.keyboard.press("Home")
    gallery.wait_until_done(first)
    assert versions == {index: gallery.photo(index)["version"] for index in first}


def test_fast_scrolling_suspends_the_session_until_it_rests(gallery: Gallery) -> None:
    gallery.reset()
    gallery.button("start").click()
    gallery.page.locator("body[data-session=running]").wait_for()
    gallery.posts.clear()
    gallery.page.locator("#grid").evaluate("""async (grid) => {
        for (let step = 0; step < 30; step += 1) {
            grid.scrollTop += 0.9 * grid.clientHeight;
            await new Promise(requestAnimationFrame);
        }
    }""")
    gallery.wait_until_done(gallery.visible())
    posts = [body.get("action", path) for path, body in gallery.posts]
    assert "suspend" in posts and "resume" in posts, posts
    # The new range goes first, so that work goes on there.
    end = posts.index("resume")
    assert posts[end - 1] == "visible", posts
    assert "visible" not in posts[posts.index("suspend") : end - 1], posts
    gallery.act("cancel")
