"""GraphicsMagick's recipes."""

from __future__ import annotations

from commands import MATRIX, mask, register, version_of
from recipes import QUALITY, SIGMA

CODING = f"-sampling-factor 2x2 -quality {QUALITY}"
LACKS = {"noir": "it has no sigmoid curve"}

register("sepia", f"gm convert {{photo}} -recolor '{MATRIX}' {CODING} {{output}}")
register(
    "tilt-shift",
    f"gm convert {{photo}} -blur {4 * SIGMA}x{SIGMA} miff:- | "
    f"gm composite - {{photo}} {mask()} {CODING} {{output}}",
    note="gamma",
    photo_limit=4,
)


def version() -> str:
    return version_of("gm version | sed -n '1s/ http.*//p'")
