"""Draws speeds as bars, a group for each filter, with the codec floor as a dashed line."""

from __future__ import annotations

from html import escape
from statistics import median

WIDTH, LABELS, BARS, ROW, GAP = 760, 300, 380, 20, 34
# The tool's bars stand out from both of a page's own colours, light and dark.
STYLE = """
  text { font: 12px -apple-system, "Segoe UI", "Noto Sans", sans-serif; fill: #1f2328 }
  .head { font-weight: 600; font-size: 13px }
  .label { text-anchor: end }
  .quiet { fill: #59636e }
  .peer { fill: #8c959f }
  .own { fill: #b35900 }
  .floor { stroke: #59636e; stroke-dasharray: 3 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .quiet { fill: #9198a1 } .peer { fill: #6e7681 } .own { fill: #f0883e }
    .floor { stroke: #9198a1 }
  }
"""


def chart(record: dict, filters: list[str]) -> str:
    """An SVG that needs nothing else. `record` is what `results.write` keeps."""
    speeds = {
        (subject["filter"], subject["name"]): subject["megapixels"] / median(subject["seconds"])
        for subject in record["subjects"]
    }
    floor = speeds[None, "floor, rgb"]
    scale = BARS / max(speed for (name, _), speed in speeds.items() if name or speed == floor)
    title = (
        f"Megapixels a second, {record['facts']['CPU']}. Dashed: libjpeg-turbo alone, no filter, {floor:.0f}"
    )
    shapes, y = [f'<text class="quiet" x="12" y="18">{escape(title)}</text>'], 40
    for filter_ in filters:
        shapes.append(f'<text class="head" x="12" y="{y}">{filter_}</text>')
        top, x = y + 8, LABELS + floor * scale
        group = [(speed, subject) for (name, subject), speed in speeds.items() if name == filter_]
        for speed, subject in sorted(group, reverse=True):
            shapes.append(_bar(subject, subject.replace(f", {filter_}", "", 1), speed, scale, y + 10))
            y += ROW
        shapes.append(f'<line class="floor" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{y + 10}"/>')
        y += GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y - 10}" '
        f'viewBox="0 0 {WIDTH} {y - 10}" role="img" aria-label="{escape(title)}">\n'
        f"<style>{STYLE}</style>\n" + "\n".join(shapes) + "\n</svg>\n"
    )


def _bar(name: str, label: str, speed: float, scale: float, y: int) -> str:
    kind, weight = ("own", "head ") if name.startswith("Tintype,") else ("peer", "")
    width, digits = max(1.0, speed * scale), 0 if speed >= 10 else 1
    return (
        f'<rect class="{kind}" x="{LABELS}" y="{y}" width="{width:.1f}" height="{ROW - 6}" rx="2"/>'
        f'<text class="{weight}label" x="{LABELS - 8}" y="{y + 11}">{escape(label)}</text>'
        f'<text class="quiet" x="{LABELS + width + 6:.1f}" y="{y + 11}">{speed:.{digits}f}</text>'
    )
