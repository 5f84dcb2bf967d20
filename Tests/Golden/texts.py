"""Golden runs of lists, settings files, help and mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from command_lines import Case, Run, apply

SUBCOMMANDS = ["apply", "gallery", "filters", "recipes", "devices", "journal", "plan", "status", "verify"]
SUBCOMMANDS += ["config", "bench", "conformance"]
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
