"""The recipes of peers that are commands: GraphicsMagick, ImageMagick and GEGL, one process a photo.

usage: commands.py PEER/FILTER PROCESSES OUTPUT_FOLDER PHOTO...      or: commands.py versions PEER
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pool
import recipes

WORK = Path(".build/benchmark/peers")
# As many processes as there are cores, with one thread each: faster than the other way round, for all three.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "MAGICK_THREAD_LIMIT": "1", "GEGL_THREADS": "1"}
MASK, INVERSE = WORK / "mask.pgm", WORK / "inverse.ppm"
SIZE = (4000, 3000)

_matrix = " ".join(f"{value:.4f}" for row in recipes.sepia() for value in row)
_quality = f"-sampling-factor 4:2:0 -quality {recipes.QUALITY}"
_radius = 4 * recipes.SIGMA
_gegl_jpeg = f"gegl:jpg-save path={{output}} quality={recipes.QUALITY}"
COMMANDS = {
    "graphicsmagick/sepia":
        f"gm convert {{photo}} -recolor '{_matrix}' -sampling-factor 2x2 -quality {recipes.QUALITY} {{output}}",
    "graphicsmagick/tilt-shift":
        f"gm convert {{photo}} -blur {_radius}x{recipes.SIGMA} miff:- | "
        f"gm composite - {{photo}} {MASK} -sampling-factor 2x2 -quality {recipes.QUALITY} {{output}}",
    "imagemagick/sepia": f"convert {{photo}} -color-matrix '{_matrix}' {_quality} {{output}}",
    "imagemagick/noir":
        f"convert {{photo}} -grayscale Rec709Luma -sigmoidal-contrast 5x50% {_quality} {{output}}",
    "imagemagick/tilt-shift":
        f"convert {{photo}} '(' +clone -blur 0x{recipes.SIGMA} ')' {MASK} -composite {_quality} {{output}}",
    "gegl/sepia": f"gegl {{photo}} -- gegl:sepia scale=0.8 {_gegl_jpeg}",
    "gegl/tilt-shift":
        f"gegl {{photo}} -- gegl:gaussian-blur std-dev-x={recipes.SIGMA} std-dev-y={recipes.SIGMA} "
        f"abyss-policy=clamp filter=fir gegl:over aux=[ gegl:load path={{photo}} "
        f"gegl:opacity aux=[ gegl:load path={INVERSE} ] ] {_gegl_jpeg}",
}
VERSIONS = {
    "graphicsmagick": "gm version | sed -n '1s/ http.*//p'",
    "imagemagick": "convert --version | sed -n '1s/Version: \\(.*\\) x86.*/\\1/p'",
    "gegl": "command -v gegl > /dev/null && dpkg-query --show --showformat='${Version}' gegl",
}


def load() -> dict[str, pool.Recipe]:
    WORK.mkdir(parents=True, exist_ok=True)
    shares = recipes.mask(SIZE[1])
    write_rows(MASK, [round(255 * share) for share in shares], channels=1)
    # GEGL reads no grey maps and no header on one line, and takes a colour one's values for sRGB-encoded.
    write_rows(INVERSE, [round(255 * recipes.from_linear(1 - share)) for share in shares], channels=3)
    return {name: recipe(command) for name, command in COMMANDS.items()}


def recipe(command: str) -> pool.Recipe:
    def run(photo: str, output: str) -> None:
        text = command.format(photo=shlex.quote(photo), output=shlex.quote(output))
        result = subprocess.run(["bash", "-o", "pipefail", "-c", text], capture_output=True, env=os.environ | ONE_THREAD)
        if result.returncode != 0:
            raise OSError(f"{text} ended with {result.returncode}:\n{result.stderr.decode()}")

    return run


def write_rows(target: Path, values: list[int], channels: int) -> None:
    """A portable map whose rows have these values. Several processes may write it at once."""
    part = target.with_suffix(f".{os.getpid()}")
    header = f"P{5 if channels == 1 else 6}\n{SIZE[0]} {SIZE[1]}\n255\n".encode()
    part.write_bytes(header + b"".join(bytes([value]) * (SIZE[0] * channels) for value in values))
    part.rename(target)


def versions(peer: str) -> str:
    result = subprocess.run(["bash", "-c", VERSIONS[peer]], capture_output=True, text=True)
    return result.stdout.strip() or sys.exit(f"{peer} is not installed")


if __name__ == "__main__":
    pool.main(load, versions)
