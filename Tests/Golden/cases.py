"""The golden runs: which commands the tool is run with."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

# Chains with every kind of stage, for devices and options.
CHAINS = [
    "sepia",
    "noir",
    "tilt-shift",
    "tilt-shift:transition=mix,radius=6",
    "blur:radius=9",
    "median:size=5",
]
CHAINS += ["resize:long=16", "crop:aspect=1:1+border:size=2", "exposure+vignette+fade", "bloom+sharpen"]
OPTIONS = {
    "jpeg": ["--format", "jpeg"],
    "png": ["--format", "png"],
    "quality": ["--quality", "55"],
    "strip": ["--strip"],
    "to-srgb": ["--to-srgb"],
    "auto-orient": ["--auto-orient"],
    "scale": ["--scale", "0.5"],
    "optimize": ["--optimize"],
    "lenient": ["--lenient"],
    "libjpeg": ["--jpeg-codec", "libjpeg"],
    "jpeg, all": [
        "--strip",
        "--to-srgb",
        "--auto-orient",
        "--scale",
        "0.5",
        "--optimize",
        "--format",
        "jpeg",
    ],
    "png, all": ["--to-srgb", "--auto-orient", "--format", "png"],
}
# Instruction sets of the CPU: of the codec, and of the kernels.
LEVELS = {
    "baseline": ["--simd-level", "baseline", "-d", "cpu.baseline"],
    "v3": ["--simd-level", "v3", "-d", "cpu.x86-64-v3"],
    "v4": ["--simd-level", "v4", "-d", "cpu.x86-64-v4"],
}
SUBCOMMANDS = ["apply", "gallery", "filters", "recipes", "devices", "journal", "plan", "status", "verify"]
SUBCOMMANDS += ["config", "bench", "conformance"]
# Lengths are at most as many pixels: at the true maxima of `border` and `resize`, every photo would become
# one of 400 megapixels.
LONGEST = 64
VALUES = {"colour": ["#336699"], "curve": ["0/0.1_0.5/0.7_1/0.9"]}
FILES = {
    "lut": ["colours.cube", "curve.cube", "hald.png", "broken.cube"],
    "watermark": ["mark.png", "hald.png"],
}
TOGETHER = [
    "resize:width=40,height=20,fit=fill,enlarge=yes",
    "resize:width=40,height=20,fit=stretch,enlarge=yes",
    "resize:width=9,height=9,fit=stretch,kernel=box",
    "resize:long=64,enlarge=yes,kernel=catmull-rom",
    "resize:scale=50%,kernel=box+resize:scale=2,enlarge=yes",
    "crop:width=9,height=7,x=0,y=1",
    "crop:aspect=2:1,x=1+border:aspect=1:1,colour=#ff000080",
    "levels:black=0.2,white=0.7,gamma=2,output-black=0.1",
    "curves:master=0/1_1/0,red=0/0.2_1/1,blue=0/0_0.3/0.6_1/1",
    "tilt-shift:focus=0.1,band=0,falloff=1,transition=mix",
    "blur+blur:radius=3+sharpen:amount=2",
    "median+median:size=5+bloom",
    "exposure+contrast+saturate+hue-rotate+invert+gamma+vibrance+white-balance",
    "tintype+resize:long=20+grain+vignette",
    "auto-orient",
]

MISTAKES = """\
aply
apply
apply -f sepai photos
apply -f sepia:intensity=7 photos
verify
plan photos
apply -d cpu -f sepia nowhere
apply --quality 0 photos
journal
status -m nowhere
apply -f sepia -o out -d nosuch photos
apply -f sepia:nosuch=1 photos
apply -d cpu -f sepia: photos
apply -f sepia:intensity=x photos
apply -f resize:fit=x photos
apply -f lut photos
apply -f lut:file=files/broken.cube photos
apply -f watermark:file=nowhere.png photos
apply -f sepia --format gif photos
apply -f sepia --scale 2 photos
apply -f sepia -j 0 photos
apply -f sepia --memory x photos
apply -f sepia --overwrite --skip-existing photos
apply -f sepia --shard 1/2 photos
apply -f sepia -m nowhere.jsonl
apply --nosuch photos
apply --recipe nosuch photos
apply --recipe web -f sepia photos
apply --kernel nowhere.cl photos
apply -f sepia --files-from nowhere.txt
apply -f sepia --endpoint x photos
gallery -f nosuch
apply -f sepia -d 7 photos
apply -f sepia -d 7 --fallback cpu -o out photos
apply -q -f x photos
apply -f sepia --retry-failed -o out
apply -f sepia --watch -o - photos
bench -f nosuch
apply --recipe files/no-json.json -o out photos
apply --recipe files/unknown-key.json -o out photos
apply --recipe files/no-outputs.json -o out photos
apply --recipe files/bad-name.json -o out photos
conformance -d nosuch
apply -f curves:red=1 photos
apply -f lut:file=files/colours.cube,intensity=2 photos
"""


@dataclass(frozen=True)
class Run:
    """A command of the tool, or of a script that takes the tool."""

    arguments: list[str]
    stdin: str | None = None
    script: str | None = None


@dataclass(frozen=True)
class Case:
    """Commands, and changes between them, in an empty folder that has links to `photos` and `files`.

    `needs` names a level of the processor, or OpenCL; where it is missing, the case is left out.
    """

    name: str
    steps: list[Run | Callable[[Path], None]]
    photos: str = "small"
    needs: str = ""


def apply(*arguments: str, photos: str = "photos", out: str = "out", stdin: str | None = None) -> Run:
    """Filters photos into a folder. Lines of progress depend on the time, and are left out."""
    common = ["apply", "--progress", "none"]
    jobs = [] if "-j" in arguments else ["-j", "2"]
    # A driver that compiles while the machine is busy is slow.
    device = ["--device-timeout", "300"] if "0.0" in arguments else [] if "-d" in arguments else ["-d", "cpu"]
    output = ["-o", out] if out else []
    return Run([*common, *jobs, *device, *output, *arguments, *photos.split()], stdin)


def applied(name: str, *arguments: str, photos: str = "small", needs: str = "") -> Case:
    """A case of one command."""
    return Case(name, [apply("--json", "-v", *arguments)], photos, needs)


def settings(tool: Path) -> Iterator[str]:
    """Every filter with its defaults, and with each setting at its ends and between them."""
    described = subprocess.run([tool, "filters", "--json"], check=True, stdout=subprocess.PIPE)
    for described_filter in json.loads(described.stdout):
        name, parameters = described_filter["name"], described_filter["parameters"]
        file = f"file=files/{FILES[name][0]}" if name in FILES else ""
        yield f"{name}:{file}".rstrip(":")
        for other in FILES.get(name, [])[1:]:
            yield f"{name}:file=files/{other}"
        for parameter in parameters:
            for value in values(parameter):
                yield f"{name}:" + ",".join(filter(None, [file, f"{parameter['name']}={value}"]))
    yield from TOGETHER


def values(parameter: dict) -> list[str]:
    """The values that a setting is tried with."""
    if parameter["kind"] != "number":
        return parameter.get("choices") or VALUES.get(parameter["kind"], [])
    least, most = parameter["minimum"], parameter["maximum"]
    is_length = parameter["unit"].startswith("px")
    if is_length:
        most = min(most, LONGEST)
    between = least + (most - least) * 3 / 8
    if parameter["unit"] != "fraction":
        between = round(between)
    return [f"{value:g}" for value in (least, between, most)] + ["4%"] * parameter["unit"].endswith("%")


def cases(tool: Path) -> Iterator[Case]:
    """All runs."""
    chains = list(settings(tool))
    for text in chains:
        yield applied(f"filter {text}", "-f", text)
    for text in [text for text in chains if ":" not in text or text in CHAINS or "file=" in text]:
        yield applied(f"opencl, few, {text}", "-f", text, "-d", "0.0", photos="few", needs="opencl")
    for option, flags in OPTIONS.items():
        yield applied(f"option {option}", *flags)
        for text in dict.fromkeys([*CHAINS, *(text for text in chains if ":" not in text)]):
            yield applied(f"option {option}, {text}", *flags, "-f", text)
    for text in CHAINS:
        for level, flags in LEVELS.items():
            yield applied(f"level {level}, {text}", *flags, "-f", text, needs=level)
        yield applied(f"real, {text}", "-f", text, photos="real")
    for text in CHAINS[:5]:
        yield applied(f"opencl, {text}", "-f", text, "-d", "0.0", needs="opencl")
    yield applied("opencl, checked", "-f", "noir", "-d", "0.0", "--device-check", "100", needs="opencl")
    yield applied("opencl, in this process", "-f", "noir", "-d", "0.0", "--no-driver-process", needs="opencl")
    for option in ("scale", "jpeg, all"):
        yield applied(f"real, option {option}", *OPTIONS[option], photos="real")
    for name in ("web", "print", "looks", "files/five.json", "files/one.json"):
        for photos in ("small", "few", "damaged"):
            yield applied(f"recipe {name}, {photos}", "--recipe", name, photos=photos)
    yield applied("recipe web, real", "--recipe", "web", photos="real")
    yield applied(
        "recipe with OpenCL", "--recipe", "files/five.json", "-d", "0.0", photos="few", needs="opencl"
    )
    yield applied("recipe without journal", "--recipe", "files/five.json", "--no-journal")
    yield applied("kernel", "--kernel", "files/glow.cl", "-f", "glow:amount=0.7", photos="few")
    yield from damages()
    yield from reruns()
    yield from shards()
    yield from names()
    yield from lists()
    yield from texts()


def damages() -> Iterator[Case]:
    """Damaged photos, and limits."""
    yield applied("damaged", "-f", "sepia", photos="damaged")
    for option in ("lenient", "png", "jpeg, all", "libjpeg"):
        yield applied(f"damaged, {option}", *OPTIONS[option], "-f", "fade", photos="damaged")
    yield applied("damaged, libjpeg, lenient", "--jpeg-codec", "libjpeg", "--lenient", photos="damaged")
    yield applied("limit of pixels", "--max-pixels", "500", "-f", "blur")
    yield applied("limit of pixels, turned", "--max-pixels", "900", "--auto-orient")
    yield applied("limit of scans", "--max-scans", "1", "-f", "blur")
    for limit in ("--max-photo-memory", "--memory"):
        yield applied(f"limit {limit}", limit, "16M", "--auto-orient", "-f", "blur:radius=90", photos="real")
        yield applied(f"limit {limit} too low", limit, "1M", "-f", "blur", photos="few")


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


def settings_file(text: str) -> Callable[[Path], None]:
    """Writes a settings file."""
    return writer(".config/tintype/config.json", text)


def writer(name: str, text: str | bytes) -> Callable[[Path], None]:
    """A step that writes a file."""

    def write(folder: Path) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    return write


PLIST = """<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>first</key><string>photos/grey.jpg</string>
<key>b/second</key><string>photos/rgb-8.png</string></dict></plist>
"""
LISTS = {
    "a.txt": "# a comment\nphotos/grey.jpg\n\nphotos/rgb-8.png\r\nphotos/nowhere.jpg\n",
    "zero.txt": "photos/grey.jpg\0photos/rgb-8.png\0",
    "a.csv": 'name,url,more\nfirst,photos/grey.jpg,1\n"b/c",photos/rgb-8.png,2\n../d,photos/metadata.jpg,\n',
    "semicolons.csv": "url;name\nphotos/grey.jpg;same\nphotos/rgb-8.png;same\n",
    "no-header.csv": "photos/grey.jpg,first\n",
    "dictionary.json": '{"first": "photos/grey.jpg", "b/c": "photos/rgb-8.png", "d": "photos/nowhere.png"}',
    "array.json": '["photos/grey.jpg", "photos/rgb-8.png"]',
    "objects.json": '[{"url": "photos/grey.jpg", "name": "first"}, {"url": "photos/rgb-8.png"}]',
    "lines.jsonl": '{"url": "photos/grey.jpg", "name": "first"}\n{"url": "photos/rgb-8.png"}\n',
    "a.plist": PLIST,
    "broken.json": '{"first": ',
    "broken.plist": PLIST[:90],
    "empty.txt": "",
}


def lists() -> Iterator[Case]:
    """Lists of photos, and settings files."""
    for name, text in LISTS.items():
        run = apply("-v", "-f", "sepia", "--files-from", name, photos="")
        yield Case(f"list {name}", [writer(name, text), run, run], "few")
    both = apply("-v", "-f", "sepia", "--files-from", "a.txt", photos="photos/deeper")
    yield Case("list and folder", [writer("a.txt", LISTS["a.txt"]), both], "few")
    read = apply("-v", "-f", "sepia", "--files-from", "-", photos="", stdin="a.csv")
    yield Case("list from standard input", [writer("a.csv", LISTS["a.csv"]), read], "few")
    recipe = apply("-v", "--recipe", "-", stdin="files/five.json")
    yield Case("recipe from standard input", [recipe], "few")
    texts = [
        '{"quality": 50, "strip": true, "exclude": ["*.png"]}',
        '{"qualty": 50}',
        '{"quality": 500}',
        "{",
    ]
    for number, text in enumerate(texts, 1):
        runs = [
            Run(["config"]),
            apply("-v", "-f", "sepia"),
            apply("-f", "sepia", "--dry-run", "--quality", "60"),
        ]
        runs.append(apply("-v", "-f", "fade", "--no-config", out="plain"))
        yield Case(f"settings file {number}", [settings_file(text), *runs], "few")


def texts() -> Iterator[Case]:
    """What the tool prints of itself, and for mistakes."""
    yield Case("text --help", [Run(["--help"])])
    for name in SUBCOMMANDS:
        yield Case(
            f"text help {name}", [Run(["help", name]), Run([name, "--help"]), Run([name, "--help-hidden"])]
        )
    for shell in ("bash", "zsh", "fish"):
        yield Case(f"text completions of {shell}", [Run(["--generate-completion-script", shell])])
    yield Case("text man page", [Run([], script="packaging/man_page.py")])
    yield Case("text of the help's parts", [Run(["--experimental-dump-help"])])
    yield Case("text devices", [Run(["devices"]), Run(["devices", "--json"])], needs="opencl")
    for words in (
        "",
        "--version",
        "filters",
        "filters --json",
        "recipes",
        "recipes web",
        "recipes print",
        "config",
    ):
        yield Case(f"text {words}".strip(), [Run(words.split())])
    yield Case(
        "text recipes of JSON",
        [Run(["recipes", "looks"]), Run(["recipes", "nosuch"]), Run(["recipes", "--json"])],
    )
    for words in MISTAKES.splitlines():
        needs = "opencl" if "-d nosuch" in words or "-d 7" in words else ""
        yield Case(f"mistake: {words}", [Run(words.split())], "few", needs)
