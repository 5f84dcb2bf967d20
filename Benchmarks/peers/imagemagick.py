"""ImageMagick's recipes."""

from __future__ import annotations

from commands import MATRIX, mask, register, version_of
from recipes import QUALITY, SIGMA

CODING = f"-sampling-factor 4:2:0 -quality {QUALITY}"

register("sepia", f"convert {{photo}} -color-matrix '{MATRIX}' {CODING} {{output}}")
register("noir", f"convert {{photo}} -grayscale Rec709Luma -sigmoidal-contrast 5x50% {CODING} {{output}}")
register(
    "tilt-shift",
    f"convert {{photo}} '(' +clone -blur 0x{SIGMA} ')' {mask()} -composite {CODING} {{output}}",
    note="gamma",
    photo_limit=4,
)


def version() -> str:
    return version_of("convert --version | sed -n '1s/Version: \\(.*\\) x86.*/\\1/p'")
