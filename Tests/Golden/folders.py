"""Golden runs of several commands in one folder, and the names of outputs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from command_lines import Case, Run, apply


def take_own(folder: Path) -> None:
    """Copies the photos, so that they may be changed."""
    shutil.copytree(folder / "photos", folder / "own")


def cut_output(folder: Path) -> None:
    """Cuts off an output, and removes another."""
    output = folder / "out/grey.jpg"
    output.write_bytes(output.read_bytes()[:200])
    (folder / "out/rgb-8.png").unlink()


def change_photo(folder: Path) -> None:
    """Changes a photo, and damages another."""
    shutil.copy(folder / "photos/grey.jpg", folder / "own/metadata.jpg")
    (folder / "own/rgb-8.png").write_bytes((folder / "photos/rgb-8.png").read_bytes()[:300])


def mend_photo(folder: Path) -> None:
    """Gives the damaged photo back."""
    shutil.copy(folder / "photos/rgb-8.png", folder / "own")


def remove_journal(folder: Path) -> None:
    """Removes what the tool knows of the outputs."""
    shutil.rmtree(folder / "out/.tintype")


def reruns() -> Iterator[Case]:
    """Several runs into one folder."""
    run = apply("--json", "-v", "-f", "sepia")
    own, own_noir = apply("-v", "-f", "sepia", photos="own"), apply("-v", "-f", "noir", photos="own")
    look = [Run(["journal", "out"]), Run(["journal", "out", "--json"]), Run(["journal", "out", "--failed"])]
    plain = apply("-v", "-f", "sepia", "--no-journal")
    several = apply("--json", "-v", "--recipe", "files/five.json")
    yield Case("runs, again", [run, run, *look])
    yield Case("runs, again with a recipe", [several, several, *look])
    yield Case(
        "runs, dry", [apply("-f", "sepia", "--dry-run"), run, apply("-f", "sepia", "--dry-run")], "few"
    )
    yield Case("runs, dry with a recipe", [apply("--recipe", "files/five.json", "--dry-run")])
    yield Case("runs, outputs lost", [run, cut_output, apply("-f", "sepia", "--dry-run"), run, *look], "few")
    yield Case("runs, outputs of a recipe lost", [several, several, *look], "few")
    yield Case("runs, photos changed", [take_own, own, change_photo, own, mend_photo, own, *look], "few")
    yield Case(
        "runs, failures again",
        [
            take_own,
            change_photo,
            own,
            mend_photo,
            apply("-v", "-f", "sepia", "--retry-failed", photos=""),
            *look,
        ],
        "few",
    )
    yield Case(
        "runs, other recipe",
        [take_own, own, own_noir, apply("-v", "-f", "noir", "--overwrite"), *look],
        "few",
    )
    yield Case("runs, overwrite", [run, apply("--json", "-f", "noir", "--overwrite"), *look])
    yield Case(
        "runs, skip existing", [plain, plain, apply("-v", "-f", "noir", "--no-journal", "--skip-existing")]
    )
    yield Case(
        "runs, overwrite without journal", [plain, apply("-v", "-f", "noir", "--no-journal", "--overwrite")]
    )
    yield Case("runs, journal removed", [run, remove_journal, run, *look], "few")
    yield Case(
        "runs, one job, very verbose",
        [Run(["apply", "-d", "cpu", "-vv", "-j", "1", "-f", "sepia", "photos"])],
    )
    yield Case("runs, very verbose", [apply("-vv", "-f", "sepia"), apply("-vv", "-f", "sepia")])
    yield Case("runs, quiet", [apply("-q", "-f", "sepia")])
    yield Case("runs, keep times", [apply("--keep-times", "-f", "sepia")], "few")
    yield Case("runs, no photos", [apply("-f", "sepia", "--include", "*.gif")])
    yield Case("journal of nothing", [Run(["journal", "nowhere"]), Run(["journal", "photos"])], "few")
    yield Case("conversions without a reason", [apply(), apply("--no-strip")], "few")


def shards() -> Iterator[Case]:
    """Manifests."""
    plan = ["plan", "photos", "-o", "out", "-m", "m.jsonl"]
    parts = [
        Run(["apply", "-d", "cpu", "-j", "1", "-m", "m.jsonl", "--shard", f"{part}/3", "--json"])
        for part in (1, 2, 3)
    ]
    look = [
        Run([word, "-m", "m.jsonl", *flags]) for word in ("status", "verify") for flags in ([], ["--json"])
    ]
    yield Case("plan", [Run([*plan, "-f", "sepia", "--json"])])
    yield Case("plan of damaged photos", [Run([*plan, "-f", "sepia"])], "damaged")
    yield Case("plan of a recipe", [Run([*plan, "--recipe", "files/five.json"])])
    yield Case("plan twice", [Run([*plan, "-f", "sepia"]), Run([*plan, "-f", "noir"])], "few")
    rest = [
        Run(["verify", "-m", "m.jsonl", "--missing-to", "rest.jsonl"]),
        Run(["verify", "-m", "m.jsonl", "--no-hash"]),
    ]
    rest.append(Run(["apply", "-d", "cpu", "-m", "rest.jsonl", "--overwrite"]))
    merge = [Run(["journal", "out"]), Run(["journal", "out", "--merge"]), Run(["journal", "out", "--json"])]
    for recipe in (["-f", "sepia"], ["--recipe", "files/five.json"]):
        yield Case(
            f"shards, {recipe[1]}",
            [Run([*plan, *recipe]), *look, parts[0], *look, *parts, *look, *merge],
            "few",
        )
    yield Case(
        "shards, lost", [Run([*plan, "-f", "fade"]), *parts, cut_output, *look, *rest, *look, *merge], "few"
    )
    yield Case("shards, all fixtures", [Run([*plan, "-f", "fade"]), *parts, *look])


def names() -> Iterator[Case]:
    """Where photos are found, and how outputs are called."""
    for template in (
        "{stem}-{chain}.{ext}",
        "{dir}/{name}",
        "{dir}/{id}-{stem}.{ext}",
        "a.jpg",
        "{nosuch}.jpg",
    ):
        yield Case(f"names, {template}", [apply("-v", "-f", "sepia+blur", out=f"out/{template}")], "few")
    template = "out/{output}/{dir}/{stem}-{recipe}.{ext}"
    yield Case("names of a recipe", [apply("-v", "--recipe", "files/five.json", out=template)], "few")
    yield Case(
        "names beside photos", [take_own, *[apply("-v", "-f", "noir", photos="own", out="")] * 2], "few"
    )
    yield Case("names as originals'", [take_own, apply("-v", "-f", "noir", photos="own", out="own")], "few")
    for words in (
        ["--include", "*.png"],
        ["--exclude", "deeper"],
        ["--include", "deeper/*"],
        ["--exclude", "*"],
    ):
        yield Case("names, " + " ".join(words), [apply("-v", "-f", "sepia", *words)], "few")
    yield Case(
        "names, twice", [apply("-v", "-f", "sepia", photos="photos/grey.jpg photos photos/grey.jpg")], "few"
    )
    for photo in ("ycbcr-2x2.jpg", "progressive.jpg", "rgba-16.png", "empty.jpg", "text.txt", "cut-off.jpg"):
        stdin = apply("-f", "sepia", photos="-", out="-", stdin=f"photos/{photo}")
        yield Case(f"standard streams, {photo}", [stdin])
        yield Case(f"standard output, {photo}", [apply("--format", "png", photos=f"photos/{photo}", out="-")])
    yield Case(
        "standard streams, JSON",
        [apply("-f", "sepia", "--json", photos="-", out="-", stdin="photos/grey.jpg")],
    )
    yield Case("standard input", [apply("-f", "sepia", "-v", photos="-", stdin="photos/grey.jpg")])
    yield Case("standard output, two photos", [apply("-f", "sepia", out="-")], "few")
