#!/usr/bin/python3
"""Draws the peers' speeds as bars, from the JSON file that the benchmark wrote.

usage: chart.py RESULTS.json CHART.svg
"""

from __future__ import annotations

import json
import sys
from html import escape
from pathlib import Path

from catalogue import FILTERS

WIDTH, LABELS, BARS, ROW, GAP = 760, 300, 380, 20, 34
# Colours of the page's own in light and in dark; the tool's bars stand out from both.
STYLE = """
  text { font: 12px -apple-system, "Segoe UI", "Noto Sans", sans-serif; fill: #1f2328 }
  .head { font-weight: 600; font-size: 13px }
  .quiet { fill: #59636e }
  .peer { fill: #8c959f }
  .own { fill: #b35900 }
  .floor { stroke: #59636e; stroke-dasharray: 3 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .quiet { fill: #9198a1 } .peer { fill: #6e7681 } .own { fill: #f0883e }
    .floor { stroke: #9198a1 }
  }
"""


def write_chart(data: Path, target: Path) -> None:
    record = json.loads(data.read_text(encoding="utf-8"))
    target.write_text(_chart(record), encoding="utf-8")
    print(f"Wrote {target}")


def _chart(record: dict) -> str:
    floor = next(subject["megapixels_per_second"] for subject in record["subjects"] if subject["filter"] is None)
    groups = [
        (name, sorted((subject for subject in record["subjects"] if subject["filter"] == name),
                      key=lambda subject: -subject["megapixels_per_second"]))
        for name in FILTERS
    ]
    fastest = max(subject["megapixels_per_second"] for _, subjects in groups for subject in subjects)
    scale = BARS / max(floor, fastest)
    shapes, y = [], 40
    for name, subjects in groups:
        shapes.append(_text(12, y, name, "head"))
        top = y + 8
        for subject in subjects:
            shapes += _bar(subject, name, y + 10, scale)
            y += ROW
        x = LABELS + floor * scale
        shapes.append(f'<line class="floor" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{y + 10}"/>')
        y += GAP
    title = f"Megapixels a second, {record['facts']['CPU']}. Dashed: libjpeg-turbo alone, no filter, {floor:.0f}"
    height = y - 10
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">\n<style>{STYLE}</style>\n'
        + _text(12, 18, title, "quiet") + "\n" + "\n".join(shapes) + "\n</svg>\n"
    )


def _bar(subject: dict, name: str, y: int, scale: float) -> list[str]:
    speed = subject["megapixels_per_second"]
    isOwn = subject["name"].startswith("Tintype,")
    label = subject["name"].replace(f", {name}", "", 1)
    width = max(1.0, speed * scale)
    return [
        f'<rect class="{"own" if isOwn else "peer"}" x="{LABELS}" y="{y}" width="{width:.1f}" '
        f'height="{ROW - 6}" rx="2"/>',
        _text(LABELS - 8, y + 11, label, "head" if isOwn else "", anchor="end"),
        _text(LABELS + width + 6, y + 11, f"{speed:.0f}" if speed >= 10 else f"{speed:.1f}", "quiet"),
    ]


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write_chart(Path(sys.argv[1]), Path(sys.argv[2]))
