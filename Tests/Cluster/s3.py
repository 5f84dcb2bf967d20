"""Tests object stores: photos from a bucket, outputs into it, on two servers."""

from __future__ import annotations

import subprocess
from pathlib import Path

from batch import Photos, Tool
from checks import check
from kubernetes import python


def run(tool: Tool, photos: Photos, folder: Path, _namespaces: bool) -> None:
    script = Path(__file__).with_name("s3_checks.py")
    words = [python(), script, tool.path, photos.originals[0].parent, folder]
    check(subprocess.run(list(map(str, words))).returncode == 0, "object stores: see above")
