#!/usr/bin/python3
"""Keeps measurements as JSON, a line for each subject, and makes a page and a chart of them.

usage: results.py RESULTS.json...              makes their pages and charts anew
       results.py --check RESULTS.json...      fails if a page or a chart differs from them
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median

from chart import chart
from measuring import Run, Subject, spread, table

FOLDER = Path(__file__).parent / "results"
FLOOR = "floor, rgb"


def entry(subject: Subject, runs: list[Run], megapixels: float = 12, difference: float | None = None) -> dict:
    """A subject and its runs as they are kept. `megapixels` is a photo's size."""
    return {
        "name": subject.name,
        "filter": subject.filter,
        "how": subject.how,
        "photos": subject.photo_count,
        "megapixels": subject.photo_count * megapixels,
        "difference": difference and round(difference, 6),
        "seconds": [round(run.seconds, 6) for run in runs],
        "cpu_seconds": [round(run.cpu_seconds, 2) for run in runs],
        "peak_mebibytes": [round(run.peak_mebibytes, 4) for run in runs],
    }


def write(record: dict, stem: str) -> None:
    """Writes the JSON file, the page, and for peers the chart."""
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{stem}.json"
    fields = [f"{json.dumps(key)}: {_lines(value)}" for key, value in record.items()]
    path.write_text("{\n" + ",\n".join(fields) + "\n}\n")
    for target, text in rendered(path).items():
        target.write_text(text)
        print(f"Wrote {target}")


def _lines(value: object) -> str:
    """JSON with a line for each element of a list, and one for anything else."""
    if isinstance(value, list) and value:
        return "[\n  " + ",\n  ".join(json.dumps(element) for element in value) + "\n]"
    return json.dumps(value)


def rendered(path: Path) -> dict[Path, str]:
    """The page and the chart of a JSON file, by their paths."""
    record = json.loads(path.read_text())
    if record.get("kind") == "formats":
        return {path.with_suffix(".md"): formats_page(record)}
    outputs = {path.with_suffix(".md"): page(record)}
    if filters(record)[1:]:
        outputs[path.with_suffix(".svg")] = chart(record, filters(record)[1:])
    return outputs


def filters(record: dict) -> list[str | None]:
    """Each subject's filter once. The first is None, which is the floor's."""
    return list(dict.fromkeys(subject["filter"] for subject in record["subjects"]))


def speeds(subject: dict) -> list[float]:
    """Megapixels a second, by round."""
    return [subject["megapixels"] / seconds for seconds in subject["seconds"]]


def ratios(subject: dict, record: dict) -> list[float]:
    """The subject's speed as a share of the floor's in the same round."""
    floor = next(other for other in record["subjects"] if other["name"] == FLOOR)
    return [own / base for own, base in zip(speeds(subject), speeds(floor), strict=True)]


def page(record: dict) -> str:
    subjects, named = record["subjects"], filters(record)[1:]
    lines = _head(record, "peers" if named else "")
    if not named:
        lines += [*_speed_table(subjects, record), *_memory_table(record["large"])]
    for name in [None, *named] if named else []:
        group = [subject for subject in subjects if subject["filter"] == name]
        group.sort(key=lambda subject: -median(speeds(subject)))
        lines += [f"## {name or 'The floor: libjpeg-turbo alone'}", "", *_speed_table(group, record), ""]
    lines += _missing(record)
    if named:
        lines += _recipes(subjects)
    return "\n".join(lines) + "\n"


def formats_page(record: dict) -> str:
    lines = _head(record, "formats")
    heads = ["", "megapixels a second", "CPU seconds a gigapixel", "peak MiB", "MB a photo", "difference"]
    for name in filters(record):
        group = [subject for subject in record["subjects"] if subject["filter"] == name]
        group.sort(key=lambda subject: -median(speeds(subject)))
        rows = [
            [
                subject["name"],
                spread(speeds(subject), ".1f"),
                f"{median(subject['cpu_seconds']) / subject['megapixels'] * 1000:.1f}",
                f"{max(subject['peak_mebibytes']):.0f}",
                f"{subject['output_bytes'] / subject['photos'] / 1e6:.2f}",
                f"{subject['difference']:.2f}",
            ]
            for subject in group
        ]
        lines += [f"## {name}", "", *table(heads, rows), ""]
    lines += _missing(record) + _recipes(record["subjects"])
    return "\n".join(lines) + "\n"


def _head(record: dict, kind: str) -> list[str]:
    """The title, the machine and the photos. `kind` is the page's, and its anchor in the README."""
    subjects = record["subjects"]
    photos, rounds = max(subject["photos"] for subject in subjects), len(subjects[0]["seconds"])
    lines = [f"# {record['machine']}{f': {kind}' if kind else ''}", ""]
    lines += [f"- {key}: {value}" for key, value in (record["facts"] | record.get("versions", {})).items()]
    return [
        *lines,
        "",
        f"{photos} photos of {subjects[0]['megapixels'] / photos:.0f} megapixels, "
        f"{record['jobs']} at a time, {rounds} round{'' if rounds == 1 else 's'}. "
        "Medians, and in brackets the lowest and highest round. "
        f"[How this is measured](../README.md{f'#{kind}' if kind else ''}).",
        "",
    ]


def _missing(record: dict) -> list[str]:
    if not record.get("missing"):
        return []
    return ["## Not measured", "", *(f"- {line}" for line in record["missing"]), ""]


def _recipes(subjects: list[dict]) -> list[str]:
    rows = [[subject["name"], subject["how"].replace("|", "\\|")] for subject in subjects if subject["how"]]
    return ["## Recipes", "", *table(["", ""], rows, words=2)]


def _speed_table(subjects: list[dict], record: dict) -> list[str]:
    heads = ["", "megapixels a second", "of the RGB floor, same round", "CPU seconds a gigapixel", "peak MiB"]
    heads += ["photos", "difference"]
    rows = [
        [
            subject["name"],
            spread(speeds(subject), ".1f"),
            spread(ratios(subject, record), ".2f"),
            f"{median(subject['cpu_seconds']) / subject['megapixels'] * 1000:.2f}",
            f"{max(subject['peak_mebibytes']):.0f}",
            f"{subject['photos']}",
            "" if subject["difference"] is None else f"{subject['difference']:.2f}",
        ]
        for subject in subjects
    ]
    columns = len(heads) if filters(record)[1:] else 5
    return table(heads[:columns], [row[:columns] for row in rows])


def _memory_table(subjects: list[dict]) -> list[str]:
    rows = [
        [subject["name"], f"{max(subject['peak_mebibytes']):.0f}", f"{median(subject['seconds']):.2f}"]
        for subject in subjects
    ]
    return ["", "One photo of 100 megapixels, one worker:", "", *table(["", "peak MiB", "seconds"], rows)]


if __name__ == "__main__":
    checks = sys.argv[1:2] == ["--check"]
    if not sys.argv[1 + checks :]:
        sys.exit(__doc__)
    for argument in sys.argv[1 + checks :]:
        for target, text in rendered(Path(argument)).items():
            if not checks:
                target.write_text(text)
            elif target.read_text() != text:
                sys.exit(f"error: {target} differs from what results.py makes of {argument}.")
