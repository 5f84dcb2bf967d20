"""From runs to tables: medians, their range, and each subject's ratio to the floor of the same round."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

from machine import Machine

MEGAPIXELS_A_PHOTO = 12.0
FLOOR = "floor, rgb"


@dataclass(frozen=True)
class Subject:
    """Something that is measured: a name, a command, and how many photos it writes."""

    name: str
    command: list
    photo_count: int
    environment: dict[str, str] = field(default_factory=dict)
    # True where the command prints how many seconds it took, without its interpreter's start.
    tells_seconds: bool = False


@dataclass(frozen=True)
class Run:
    seconds: float
    cpu_seconds: float
    peak_mebibytes: float


@dataclass(frozen=True)
class Report:
    machine: Machine
    jobs: int
    photo_count: int
    # By the subject's name, in rounds.
    runs: dict[str, list[Run]]
    # One photo of 100 megapixels, one worker.
    memory: dict[str, Run]

    @property
    def megapixels(self) -> float:
        return self.photo_count * MEGAPIXELS_A_PHOTO

    def speeds(self, name: str) -> list[float]:
        """Megapixels a second, by round."""
        return [self.megapixels / run.seconds for run in self.runs[name]]

    def ratios(self, name: str) -> list[float]:
        """The subject's speed as a share of the floor's in the same round."""
        return [own / floor for own, floor in zip(self.speeds(name), self.speeds(FLOOR))]


def write_report(report: Report, folder: Path) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    text, data = folder / f"{report.machine.name}.md", folder / f"{report.machine.name}.json"
    text.write_text(_markdown(report), encoding="utf-8")
    data.write_text(_json(report), encoding="utf-8")
    return [text, data]


def _markdown(report: Report) -> str:
    rounds = len(report.runs[FLOOR])
    lines = [f"# {report.machine.name}", "", *(f"- {key}: {value}" for key, value in report.machine.facts.items())]
    lines += [
        "",
        f"{report.photo_count} photos of {MEGAPIXELS_A_PHOTO:.0f} megapixels, {report.jobs} at a time, {rounds} rounds. "
        "Medians, and in brackets the lowest and highest round. [How this is measured](../README.md).",
        "",
        "| | megapixels a second | of the RGB floor, same round | CPU seconds a gigapixel | peak MiB |",
        "|---|---:|---:|---:|---:|",
        *(_row(report, name) for name in report.runs),
        "",
        "One photo of 100 megapixels, one worker:",
        "",
        "| | peak MiB | seconds |",
        "|---|---:|---:|",
        *(f"| {name} | {run.peak_mebibytes:.0f} | {run.seconds:.2f} |" for name, run in report.memory.items()),
        "",
    ]
    return "\n".join(lines)


def _row(report: Report, name: str) -> str:
    runs = report.runs[name]
    cpu = median(run.cpu_seconds for run in runs) / report.megapixels * 1000
    peak = max(run.peak_mebibytes for run in runs)
    speed, ratio = spread(report.speeds(name), ".0f"), spread(report.ratios(name), ".2f")
    return f"| {name} | {speed} | {ratio} | {cpu:.2f} | {peak:.0f} |"


def spread(values: list[float], style: str) -> str:
    return f"{median(values):{style}} ({min(values):{style}} to {max(values):{style}})"


def _json(report: Report) -> str:
    subjects = {
        name: {
            "megapixels_per_second": median(report.speeds(name)),
            "ratio_to_floor": median(report.ratios(name)),
            "rounds": [asdict(run) for run in runs],
        }
        for name, runs in report.runs.items()
    }
    record = {
        "machine": report.machine.name,
        "facts": report.machine.facts,
        "jobs": report.jobs,
        "photo_count": report.photo_count,
        "megapixels": report.megapixels,
        "subjects": subjects,
        "one_photo_of_100_megapixels": {name: asdict(run) for name, run in report.memory.items()},
    }
    return json.dumps(record, indent=2) + "\n"
