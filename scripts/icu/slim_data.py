#!/usr/bin/python3
"""Makes ICU's data small enough to ship: a tenth of it, in English and for any language that is not known.

usage: slim_data.py static SWIFT OUTPUT.o         of the static Foundation of this command's toolchain
       slim_data.py shared LIBRARY OUTPUT.so      of Debian's libicudata.so.NN, whose name the output has, too

The first one prints the name of the symbol that an object linked with `--wrap=NAME` stands in for.

Foundation brings 34 MB of it, and libxml2 31 MB. Tintype prints English only, sorts by bytes and reads UTF-8.
Where data of a language is missing, ICU takes that of its root, as for a language that it has never known.

The layout is that of ICU's common data (unicode/udata.h, ucmndata.h): a header, the number of items, for each
the offsets of its name and of its data, then names and data.
"""

from __future__ import annotations

import json
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ENGLISH = {"en", "en_001", "en_US", "en_US_POSIX"}
LOCALE = re.compile(r"[a-z]{2,3}(_\w*)?")
# Converters of old encodings, dictionaries of words, and what checks of names and transliteration need.
UNUSED = {".cnv", ".dict", ".spp", ".cfu"}
UNUSED_NAMES = {"unames.icu", "translit"}
ALIGNMENT = 16


class Item(NamedTuple):
    """A file of the data, such as `icudt76l/coll/root.res`."""

    name: bytes
    data: bytes

    @property
    def is_needed(self) -> bool:
        """Whether Tintype can need it."""
        path = Path(self.name.decode())
        if path.suffix in UNUSED or UNUSED_NAMES & set(path.parts):
            return False
        return path.suffix != ".res" or not LOCALE.fullmatch(path.stem) or path.stem in ENGLISH


def run(*command: str | Path) -> str:
    """Runs a tool of binutils or the C compiler, and returns what it prints."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def split(data: bytes) -> tuple[bytes, list[Item]]:
    """Returns the header and the items."""
    if data[12:16] != b"CmnD":
        sys.exit("error: this is not ICU's common data.")
    header = data[: struct.unpack_from("<H", data)[0]]
    body = data[len(header) :]
    count = struct.unpack_from("<I", body)[0]
    entries = list(struct.iter_unpack("<II", body[4 : 4 + 8 * count]))
    ends = [start for _, start in entries[1:]] + [len(body)]
    return header, [
        Item(body[name : body.index(0, name)], body[start:end])
        for (name, start), end in zip(entries, ends, strict=True)
    ]


def joined(header: bytes, items: list[Item]) -> bytes:
    """Returns the data with these items only."""
    names = b"".join(item.name + b"\0" for item in items)
    first_name = 4 + 8 * len(items)
    body = bytearray(struct.pack("<I", len(items))) + bytes(8 * len(items)) + names
    name = first_name
    for index, item in enumerate(items):
        body += bytes(-(len(header) + len(body)) % ALIGNMENT)
        struct.pack_into("<II", body, 4 + 8 * index, name, len(body))
        body += item.data
        name += len(item.name) + 1
    return header + bytes(body)


def symbol_in(file: Path | str, listing: str) -> tuple[str, str]:
    """Returns the line's beginning and the name of the symbol that has ICU's data."""
    found = re.search(r"^(.*) [RrDd] (icudt\d+_dat)$", listing, re.MULTILINE)
    if not found:
        sys.exit(f"error: {file} has no ICU data.")
    return found[1], found[2]


def static_data(swift: str, folder: Path) -> tuple[str, bytes]:
    """Returns the symbol and the data in a toolchain's static libraries."""
    paths = json.loads(run(swift, "-print-target-info"))["paths"]
    archive = Path(paths["runtimeResourcePath"] + "_static", "linux", "lib_FoundationICU.a")
    line, symbol = symbol_in(archive, run("nm", "-A", archive))
    member = line.split(":")[-2]
    (folder / "member.o").write_bytes(
        subprocess.run(["ar", "p", archive, member], check=True, stdout=subprocess.PIPE).stdout
    )
    run("objcopy", "-O", "binary", "--only-section=.rodata*", folder / "member.o", folder / "data")
    return symbol, (folder / "data").read_bytes()


def shared_data(library: str, folder: Path) -> tuple[str, bytes]:
    """Returns the symbol and the data of a shared library."""
    line, symbol = symbol_in(library, run("nm", "-D", library))
    run("objcopy", "-O", "binary", "--only-section=.rodata", library, folder / "data")
    section = re.search(r"^\.rodata +\d+ +(\d+)$", run("size", "-A", library), re.MULTILINE)
    start = int(line, 16) - int(section[1])
    return symbol, (folder / "data").read_bytes()[start:]


def main() -> None:
    """Writes the object or the library."""
    kind, source, output = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        symbol, data = (static_data if kind == "static" else shared_data)(source, folder)
        defined = f"__wrap_{symbol}" if kind == "static" else symbol
        header, items = split(data)
        (folder / "slim").write_bytes(joined(header, [item for item in items if item.is_needed]))
        (folder / "slim.s").write_text(
            f'.section .note.GNU-stack,"",%progbits\n.section .rodata\n.balign {ALIGNMENT}\n'
            f".globl {defined}\n.type {defined}, %object\n{defined}:\n"
            f'.incbin "slim"\n.size {defined}, . - {defined}\n'
        )
        options = ["-c"] if kind == "static" else ["-shared", "-nostdlib", f"-Wl,-soname,{output.name}"]
        subprocess.run(["cc", *options, "slim.s", "-o", "made"], check=True, cwd=folder)
        made = (folder / "made").read_bytes()
    # The linker need not run again for equal data.
    if not output.exists() or output.read_bytes() != made:
        output.write_bytes(made)
    if kind == "static":
        print(symbol)


if __name__ == "__main__":
    main()
