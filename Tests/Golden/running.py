"""Runs a case, and tells what it left."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from command_lines import Case, Run
from fixtures import PHOTO_TIME, ROOT
from masks import steady, steady_name

# A run that takes longer hangs.
LIMIT_SECONDS = 300
POCL = {"POCL_DEVICES": "pthread pthread", "POCL_CACHE_DIR": str(ROOT / ".build/pocl-cache")}


@dataclass
class Found:
    """What a case left: the hashes of photos, and the texts that it printed or wrote, by name."""

    files: dict[str, str]
    texts: dict[str, str]

    def digests(self) -> str:
        """A hash of all photos, and one of all texts."""
        parts = (self.files, self.texts)
        return " ".join(
            hashlib.sha256(repr(sorted(part.items())).encode()).hexdigest()[:16] for part in parts
        )


def environment(home: Path) -> dict[str, str]:
    """The variables of a run: none of the user's, but those of PoCL."""
    set_here = {key: value for key, value in os.environ.items() if key.startswith("POCL_")}
    return {"PATH": os.environ["PATH"], "HOME": str(home)} | POCL | set_here


def start(tool: Path, run: Run, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Runs a command in a folder."""
    command = [ROOT / run.script, tool] if run.script else [tool]
    with (folder / run.stdin if run.stdin else Path("/dev/null")).open("rb") as stdin:
        return subprocess.run(
            [*command, *run.arguments],
            cwd=folder,
            env=environment(folder),
            stdin=stdin,
            capture_output=True,
            timeout=LIMIT_SECONDS,
        )


def run_case(tool: Path, case: Case, sources: Path) -> Found:
    """Runs the steps of a case in a new folder."""
    with tempfile.TemporaryDirectory(prefix="golden-") as name:
        folder = Path(name).resolve()
        # Not links, because a new link changes a file, which runs beside this one would notice.
        shutil.copytree(sources / case.photos, folder / "photos")
        (folder / "files").symlink_to(sources / "files")
        found = Found({}, {})

        def text(data: bytes) -> str:
            return steady(
                data.decode(errors="replace"), folder, sources, keeps_level=case.needs.startswith("v")
            )

        for number, step in enumerate(case.steps, 1):
            if not isinstance(step, Run):
                step(folder)
                continue
            result = start(tool, step, folder)
            found.texts[f"{number}: exit code"] = str(result.returncode)
            found.texts[f"{number}: messages"] = text(result.stderr)
            if b"\0" in result.stdout:
                found.files[f"{number}: output"] = hashlib.sha256(result.stdout).hexdigest()
            else:
                found.texts[f"{number}: output"] = text(result.stdout)
        for path in files_below(folder):
            label, data = steady_name(str(path.relative_to(folder))), path.read_bytes()
            if path.stat().st_mtime == PHOTO_TIME:
                label += " (with its photo's time)"
            if path.suffix == ".jsonl" or path.parent.name == ".tintype":
                found.texts[label] = found.texts.get(label, "") + text(data)
            else:
                found.files[label] = hashlib.sha256(data).hexdigest()
        return found


def files_below(folder: Path) -> list[Path]:
    """All files that a run left, without what links lead to, and without the tool's cache."""
    found = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".cache"]
        found += [Path(parent) / name for name in names]
    return sorted(found)
