"""The demo's page: photos before and after, with a slider, for each look."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from string import Template
from urllib.parse import quote

from photos import NOTICE, Photo


@dataclass
class Look:
    """A chain of filters that the page shows, and how its run went."""

    name: str
    title: str
    summary: str
    chain: list[str]
    seconds: float = 0
    # Megapixels a second.
    speed: float = 0
    devices: list[str] = field(default_factory=list)

    @property
    def flags(self) -> list[str]:
        return [word for text in self.chain for word in ("-f", text)]

    @property
    def command(self) -> str:
        return shlex.join(["tintype", "apply", *self.flags, "-o", self.name, "photos/"])


@dataclass
class Sample:
    """A filter with its defaults, on the photo of the contact sheet."""

    filter: str
    summary: str
    photo: Photo

    @property
    def file(self) -> str:
        return f"sheet/{self.filter}.jpg"


def render_page(photos: list[Photo], looks: list[Look], sheet: list[Sample]) -> str:
    template = Template((Path(__file__).parent / "page.html").read_text(encoding="utf-8"))
    megapixels = sum(photo.megapixels for photo in photos)
    return template.substitute(
        count=len(photos),
        megapixels=f"{megapixels:.0f}",
        look_rules="\n".join(_look_rule(look) for look in looks),
        choices="\n".join(_choice(look, checked=look is looks[0]) for look in looks),
        descriptions="\n".join(_description(look, len(photos)) for look in looks),
        photos="\n".join(_figure(photo, looks) for photo in photos),
        sheet="\n".join(_sample(sample) for sample in sheet),
        credits=_credits(photos),
    )


def _look_rule(look: Look) -> str:
    return (
        f"    body:has(#look-{look.name}:checked) .{look.name} {{ display: revert; }}\n"
        f"    body:has(#look-{look.name}:checked) {{ --look: '{look.title}'; }}"
    )


def _choice(look: Look, checked: bool) -> str:
    state = " checked" if checked else ""
    return (
        f'      <label><input type="radio" name="look" id="look-{look.name}"{state}>'
        f"<span>{escape(look.title)}</span></label>"
    )


def _description(look: Look, count: int) -> str:
    return (
        f'    <div class="look {look.name}">\n'
        f"      <p>{escape(look.summary)} {count} photos in {look.seconds:.1f} seconds, "
        f"{look.speed:.0f} megapixels a second, on {escape(', '.join(look.devices))}.</p>\n"
        f"      <pre><code>{escape(look.command)}</code></pre>\n"
        f"    </div>"
    )


def _figure(photo: Photo, looks: list[Look]) -> str:
    size = f'width="{photo.width}" height="{photo.height}"'
    file_name, title = quote(photo.file_name), escape(photo.title)
    filtered = "\n".join(
        f'        <img class="look {look.name}" src="preview/{look.name}/{file_name}" {size} '
        f'loading="lazy" alt="{title}, {escape(look.title.lower())}">'
        for look in looks
    )
    credit = photo.credit
    by_line = f"{escape(credit.photographer)}, {escape(credit.licence)}" if credit else ""
    links = " ".join(
        f'<a class="look {look.name}" href="{look.name}/{file_name}">filtered</a>' for look in looks
    )
    return f"""    <figure>
      <div class="compare">
        <img src="preview/original/{file_name}" {size} loading="lazy" alt="{title}, the original">
{filtered}
        <span class="tag before" aria-hidden="true">Original</span>
        <span class="tag after" aria-hidden="true"></span>
        <input type="range" min="0" max="100" value="50" \
aria-label="{title}: share of the original, in percent">
        <span class="handle" aria-hidden="true"></span>
      </div>
      <figcaption>
        <span><strong>{title}</strong> <span class="by">{by_line}</span></span>
        <span class="open">{photo.width}&#8239;&times;&#8239;{photo.height} \
<a href="original/{file_name}">original</a>
          {links}</span>
      </figcaption>
    </figure>"""


def _sample(sample: Sample) -> str:
    photo = sample.photo
    return (
        f'    <figure>\n      <img src="{quote(sample.file)}" width="{photo.width}" height="{photo.height}" '
        f'loading="lazy" alt="{escape(photo.title)}, {sample.filter}">\n'
        f"      <figcaption><strong>{sample.filter}</strong> "
        f'<span class="by">{escape(sample.summary)}</span></figcaption>\n    </figure>'
    )


def _credits(photos: list[Photo]) -> str:
    if not any(photo.credit for photo in photos):
        return ""
    return (
        "The photos come from the Debian package lomiri-wallpapers-16.04. Their photographers and licences "
        f'are named beneath them; <a href="{NOTICE}">the package&rsquo;s copyright file</a> has the '
        "licences&rsquo; full text. The filtered photos are changed versions, under the same licences."
    )
