"""From runs of peers to a page and a JSON file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from catalogue import FILTERS
from machine import Machine
from report import FLOOR, MEGAPIXELS_A_PHOTO, Run, Subject, spread


@dataclass(frozen=True)
class Row:
    subject: Subject
    # None for the floor, which has none.
    filter: str | None
    # The recipe, for people.
    how: str


@dataclass(frozen=True)
class Survey:
    machine: Machine
    jobs: int
    photo_count: int
    rows: list[Row]
    # By the subject's name, in rounds; so are the differences from the tool's output.
    runs: dict[str, list[Run]]
    differences: dict[str, float]
    versions: dict[str, str]
    # Sentences: who or what is not here.
    missing: list[str]

    def speeds(self, subject: Subject) -> list[float]:
        """Megapixels a second, by round."""
        return [subject.photo_count * MEGAPIXELS_A_PHOTO / run.seconds for run in self.runs[subject.name]]

    def ratios(self, subject: Subject) -> list[float]:
        """The subject's speed as a share of the floor's in the same round."""
        floor = next(row.subject for row in self.rows if row.subject.name == FLOOR)
        return [own / base for own, base in zip(self.speeds(subject), self.speeds(floor))]

    def cpu(self, subject: Subject) -> float:
        """CPU seconds a gigapixel."""
        megapixels = subject.photo_count * MEGAPIXELS_A_PHOTO
        return median(run.cpu_seconds for run in self.runs[subject.name]) / megapixels * 1000

    def peak(self, subject: Subject) -> float:
        return max(run.peak_mebibytes for run in self.runs[subject.name])


def write_survey(survey: Survey, folder: Path) -> Path:
    """Writes the page and the JSON file; returns the latter."""
    folder.mkdir(parents=True, exist_ok=True)
    text, data = (folder / f"{survey.machine.name}-peers.{kind}" for kind in ("md", "json"))
    text.write_text(_markdown(survey), encoding="utf-8")
    data.write_text(_json(survey), encoding="utf-8")
    print(f"Wrote {text} and {data.name}")
    return data


def _markdown(survey: Survey) -> str:
    rounds = len(next(iter(survey.runs.values())))
    facts = survey.machine.facts | survey.versions
    lines = [f"# {survey.machine.name}: peers", "", *(f"- {key}: {value}" for key, value in facts.items()), ""]
    lines += [
        f"{survey.photo_count} photos of {MEGAPIXELS_A_PHOTO:.0f} megapixels, {survey.jobs} processes or workers, "
        f"{rounds} {'round' if rounds == 1 else 'rounds'}. Medians, and in brackets the lowest and highest round. "
        "[How this is measured](../README.md#peers).",
    ]
    for name in (None, *FILTERS):
        rows = [row for row in survey.rows if row.filter == name]
        rows.sort(key=lambda row: -median(survey.speeds(row.subject)))
        lines += ["", f"## {name or 'The floor: libjpeg-turbo alone'}", "", *_table(survey, rows)]
    lines += ["", "## Not measured", "", *(f"- {line}" for line in survey.missing)] if survey.missing else []
    lines += ["", "## Recipes", "", "| | |", "|---|---|"]
    lines += [f"| {row.subject.name} | {row.how.replace('|', chr(92) + '|')} |" for row in survey.rows if row.filter]
    return "\n".join(lines) + "\n"


def _table(survey: Survey, rows: list[Row]) -> list[str]:
    return [
        "| | megapixels a second | of the RGB floor, same round | CPU seconds a gigapixel | peak MiB a process "
        "| photos | difference |",
        "|---|---:|---:|---:|---:|---:|---:|",
        *(_cells(survey, row.subject) for row in rows),
    ]


def _cells(survey: Survey, subject: Subject) -> str:
    speed, ratio = spread(survey.speeds(subject), ".1f"), spread(survey.ratios(subject), ".2f")
    difference = survey.differences.get(subject.name)
    return (
        f"| {subject.name} | {speed} | {ratio} | {survey.cpu(subject):.1f} | {survey.peak(subject):.0f} "
        f"| {subject.photo_count} | {'' if difference is None else f'{difference:.2f}'} |"
    )


def _json(survey: Survey) -> str:
    subjects = [
        {
            "name": row.subject.name,
            "filter": row.filter,
            "recipe": row.how,
            "photo_count": row.subject.photo_count,
            "megapixels_per_second": median(survey.speeds(row.subject)),
            "ratio_to_floor": median(survey.ratios(row.subject)),
            "mean_difference": survey.differences.get(row.subject.name),
            "rounds": [asdict(run) for run in survey.runs[row.subject.name]],
        }
        for row in survey.rows
    ]
    record = {
        "machine": survey.machine.name,
        "facts": survey.machine.facts,
        "versions": survey.versions,
        "not_measured": survey.missing,
        "jobs": survey.jobs,
        "photo_count": survey.photo_count,
        "subjects": subjects,
    }
    return json.dumps(record, indent=2) + "\n"
