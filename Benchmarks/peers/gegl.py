"""GEGL's recipes. It writes 4:4:4 only."""

from __future__ import annotations

from commands import SIZE, make_map, register, version_of
from recipes import QUALITY, SIGMA, from_linear, mask

CODING = f"gegl:jpg-save path={{output}} quality={QUALITY}"
LACKS = {"noir": "it has no sigmoid curve over sRGB-encoded values"}
# It reads no grey maps and no header on one line, and takes a colour one's values for sRGB-encoded.
INVERSE = make_map(
    "inverse.ppm", [round(255 * from_linear(1 - share)) for share in mask(SIZE[1])], channels=3
)

register("sepia", f"gegl {{photo}} -- gegl:sepia scale=0.8 {CODING}", note="4:4:4", photo_limit=4)
register(
    "tilt-shift",
    f"gegl {{photo}} -- gegl:gaussian-blur std-dev-x={SIGMA} std-dev-y={SIGMA} abyss-policy=clamp filter=fir "
    f"gegl:over aux=[ gegl:load path={{photo}} gegl:opacity aux=[ gegl:load path={INVERSE} ] ] {CODING}",
    note="linear light, 4:4:4",
    photo_limit=4,
)


def version() -> str:
    return version_of("command -v gegl > /dev/null && dpkg-query --show --showformat='${Version}' gegl")
