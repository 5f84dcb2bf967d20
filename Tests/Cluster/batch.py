"""The batch of a test: photos, a manifest, and the proof that all outputs are there."""

from __future__ import annotations

import filecmp
import json
import os
import shutil
import subprocess
from pathlib import Path

from checks import TestFailedError, check

ROOT = Path(__file__).resolve().parents[2]
# The photos that differ; a batch has several links to each.
DISTINCT = 24
# About 0.15 s of a core for a photo, so that faults strike while photos are being filtered.
CHAIN = "median:size=5+bloom+sharpen+tilt-shift"


class Tool:
    """The tool under test, which every job finds on its PATH."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path = path.resolve()
        check(os.access(self.path, os.X_OK), f"{path} is not a program")
        self.links = folder / "bin"
        self.links.mkdir(parents=True)
        (self.links / "tintype").symlink_to(self.path)
        os.environ["PATH"] = f"{self.links}:{os.environ['PATH']}"
        os.environ["TINTYPE_CONFIG"] = "/dev/null"

    def ask(self, *arguments: str | Path, **variables: str) -> subprocess.CompletedProcess:
        environment = os.environ | variables
        words = [str(self.path), *map(str, arguments)]
        return subprocess.run(
            words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )

    def run(self, *arguments: str | Path, **variables: str) -> str:
        result = self.ask(*arguments, **variables)
        check(
            result.returncode == 0, f"tintype {arguments[0]} ended with {result.returncode}:\n{result.stderr}"
        )
        return result.stdout


class Photos:
    """Real photos, and what a single run makes of them."""

    def __init__(self, tool: Tool, folder: Path) -> None:
        self.originals = make_originals(tool, folder / "originals")
        self.reference = folder / "reference"
        shutil.rmtree(self.reference, ignore_errors=True)
        tool.run("apply", "-f", CHAIN, "-o", self.reference, "--no-journal", "-q", folder / "originals")


def make_originals(tool: Tool, folder: Path) -> list[Path]:
    """The left parts of the sample photos, and the right ones of some."""
    if not folder.exists():
        fetched = subprocess.run([ROOT / "scripts/fetch-photos"], stdout=subprocess.PIPE, text=True)
        check(fetched.returncode == 0, "there are no sample photos")
        sources = sorted(Path(fetched.stdout.strip()).glob("*.jpg"))
        part = folder.with_name("originals.part")
        shutil.rmtree(part, ignore_errors=True)
        for name, x, chosen in (("left", 0, sources), ("right", 1, sources[: DISTINCT - len(sources)])):
            chain = f"crop:aspect=4:3,x={x}+resize:long=2000"
            output = f"{part}/{{stem}}-{name}.{{ext}}"
            tool.run("apply", "-f", chain, "-o", output, "--no-journal", "-q", *chosen)
        part.rename(folder)
    originals = sorted(folder.glob("*.jpg"))
    check(len(originals) == DISTINCT, f"{folder} has {len(originals)} photos instead of {DISTINCT}")
    return originals


class Batch:
    """A manifest of `count` photos in a folder of its own, whose name has a space."""

    def __init__(self, tool: Tool, photos: Photos, folder: Path, count: int) -> None:
        self.tool, self.photos, self.folder, self.count = tool, photos, folder, count
        shutil.rmtree(folder, ignore_errors=True)
        self.inputs = folder / "in"
        self.outputs = folder / "out"
        self.manifest = folder / "manifest.jsonl"
        self.inputs.mkdir(parents=True)
        self.originals: dict[str, Path] = {}
        for index in range(count):
            original = photos.originals[index % DISTINCT]
            name = f"{index // DISTINCT:02}-{original.name}"
            os.link(original, self.inputs / name)
            self.originals[name] = original
        tool.run("plan", self.inputs, "-o", self.outputs, "-f", CHAIN, "-m", self.manifest)

    def remove(self) -> None:
        shutil.rmtree(self.folder)

    def written(self) -> set[str]:
        """The names of the outputs that are there."""
        if not self.outputs.exists():
            return set()
        return {name for name in names_in(self.outputs) if name in self.originals}

    def temporaries(self) -> set[str]:
        """The names of half-written files that killed runs have left, as far as the tool counts them."""
        found = {name for name in names_in(self.outputs) if name.startswith(".tintype-shard")}
        counted = self._records("verify")[-1]["temporaries"]
        check(len(found) == counted, f"verify counts {counted} temporary files: {few(found)}")
        return found

    def done_by_shard(self) -> dict[str, int]:
        """Receipts by shard, such as `3/24`. A shard without a journal is not in it."""
        records = self._records("status")
        return {record["shard"]: record["done"] for record in records if record["type"] == "shard"}

    def _records(self, verb: str) -> list[dict]:
        lines = self.tool.ask(verb, "-m", self.manifest, "--json").stdout.splitlines()
        return [json.loads(line) for line in lines]

    def check_complete(self) -> None:
        """Every output is there, with the bytes of a single run, and nothing else is; the tool agrees."""
        self.check_outputs()
        status = next(record for record in self._records("status") if record["type"] == "status")
        shown = {key: status[key] for key in ("done", "failed", "left")}
        check(shown == {"done": self.count, "failed": 0, "left": 0}, f"'tintype status' says {shown}")
        self.tool.run("verify", "-m", self.manifest)

    def check_outputs(self) -> None:
        names = names_in(self.outputs)
        expected = set(self.originals) | {".tintype"}
        check(not expected - names, f"missing outputs: {few(expected - names)}")
        check(not names - expected, f"files that nobody planned: {few(names - expected)}")
        journal = names_in(self.outputs / ".tintype")
        check(journal == {"recipe", "shards"}, f"the journal's folder has {few(journal)}")
        differing = self.differing()
        check(not differing, f"{len(differing)} outputs differ from a single run's: {few(differing)}")

    def differing(self) -> list[str]:
        """The outputs whose bytes are not those of a single run."""
        return [
            name
            for name, original in self.originals.items()
            if not filecmp.cmp(self.outputs / name, self.photos.reference / original.name, shallow=False)
        ]


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def few(names: set[str] | list[str]) -> str:
    shown = ", ".join(sorted(names)[:5])
    return f"{shown} and {len(names) - 5} more" if len(names) > 5 else shown


def read_log(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError as error:
        raise TestFailedError(f"no log of a job: {error}") from None
