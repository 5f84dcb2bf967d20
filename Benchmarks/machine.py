"""What has to be known of a machine to make sense of its figures."""

from __future__ import annotations

import datetime
import os
import platform
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

# Those that decide which SIMD code runs, here and in libjpeg-turbo.
TELLING_FLAGS = ("sse4_2", "avx2", "fma", "avx512f", "avx512bw", "avx512dq", "avx512vl", "asimd", "sve")


@dataclass(frozen=True)
class Machine:
    name: str
    facts: dict[str, str]

    @staticmethod
    def this(name: str | None) -> Machine:
        cpu = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        model = _field(cpu, "model name") or platform.machine()
        flags = (_field(cpu, "flags") or _field(cpu, "Features")).split()
        cores = len(os.sched_getaffinity(0))
        facts = {
            "CPU": f"{model}, {cores} core{'' if cores == 1 else 's'}",
            "CPU flags": " ".join(flag for flag in TELLING_FLAGS if flag in flags) or "none of those that matter",
            "Kernel": f"{platform.system()} {platform.release().split('-')[0]}",
            "System": platform.freedesktop_os_release().get("PRETTY_NAME", "unknown"),
            "libjpeg-turbo": _output("pkg-config", "--modversion", "libjpeg"),
            "Swift": _swift_version(),
            "Commit": _commit(),
            "Date": datetime.date.today().isoformat(),
            "Load before": f"{os.getloadavg()[0]:.2f}",
        }
        return Machine(name or _slug(f"{model} {cores} cores"), facts)


def _field(cpu: str, name: str) -> str:
    match = re.search(rf"^{name}\s*:\s*(.+)$", cpu, re.MULTILINE)
    return match.group(1).strip() if match else ""


def _slug(text: str) -> str:
    """`Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz 8 cores` is `intel-xeon-gold-6130-8-cores`."""
    text = re.sub(r"\((R|TM)\)|\bCPU\b|@ *[\d.]+GHz|\bProcessor\b|\d+-Core\b", " ", text, flags=re.IGNORECASE)
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))


def _commit() -> str:
    commit = _output("git", "rev-parse", "--short=12", "HEAD")
    if commit == "unknown":
        return commit
    # Results that were just written change nothing that is measured.
    measured = [":/", ":(exclude,top)Benchmarks/results"]
    return commit + ("-dirty" if subprocess.run(["git", "diff", "--quiet", "HEAD", "--", *measured]).returncode else "")


def _output(*command: str) -> str:
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except FileNotFoundError:
        return "unknown"
    return result.stdout.strip() or "unknown"


def _swift_version() -> str:
    match = re.search(r"Swift version ([\d.]+)", _output("swift", "--version"))
    return match.group(1) if match else "unknown"
