"""Describes the machine that figures come from."""

from __future__ import annotations

import datetime
import os
import platform
import re
import subprocess
from pathlib import Path

# Flags that decide which SIMD code runs, in Tintype and in libjpeg-turbo.
SIMD_FLAGS = ("sse4_2", "avx2", "fma", "avx512f", "avx512bw", "avx512dq", "avx512vl", "asimd", "sve")
# New results do not make the measured code dirty.
MEASURED = [":/", ":(exclude,top)Benchmarks/results"]


def describe(name: str | None) -> dict:
    """This machine's name, by default from its CPU, and the facts at the beginning of its pages."""
    cpu = dict(re.findall(r"^(.+?)\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE))
    model = cpu.get("model name", platform.machine())
    flags = cpu.get("flags", cpu.get("Features", "")).split()
    cores = len(os.sched_getaffinity(0))
    is_dirty = subprocess.run(["git", "diff", "--quiet", "HEAD", "--", *MEASURED]).returncode == 1
    facts = {
        "CPU": f"{model}, {cores} core{'' if cores == 1 else 's'}",
        "CPU flags": " ".join(flag for flag in SIMD_FLAGS if flag in flags) or "none of those that matter",
        "Kernel": f"{platform.system()} {platform.release().split('-')[0]}",
        "System": platform.freedesktop_os_release().get("PRETTY_NAME", "unknown"),
        "libjpeg-turbo": _output(r".+", "pkg-config", "--modversion", "libjpeg"),
        "Swift": _output(r"(?<=Swift version )[\d.]+", "swift", "--version"),
        "Commit": _output(r".+", "git", "rev-parse", "--short=12", "HEAD") + ("-dirty" if is_dirty else ""),
        "Date": datetime.date.today().isoformat(),
        "Load before": f"{os.getloadavg()[0]:.2f}",
    }
    return {"machine": name or _slug(f"{model} {cores} cores"), "facts": facts}


def _slug(text: str) -> str:
    """`Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz 8 cores` is `intel-xeon-gold-6130-8-cores`."""
    noise = r"\((R|TM)\)|\bCPU\b|@ *[\d.]+GHz|\bProcessor\b|\d+-Core\b"
    return "-".join(re.findall(r"[a-z0-9]+", re.sub(noise, " ", text, flags=re.IGNORECASE).lower()))


def _output(pattern: str, *command: str) -> str:
    """The first part of a command's output that matches; `unknown` if nothing does."""
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except FileNotFoundError:
        return "unknown"
    match = re.search(pattern, result.stdout)
    return match.group() if match else "unknown"
