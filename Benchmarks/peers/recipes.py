"""What all peers share: the list of recipes, and the filters as numbers."""

from __future__ import annotations

from collections.abc import Callable
from math import exp

# A recipe takes a photo's path and an output's.
Run = Callable[[str, str], None]
runs: dict[str, Run] = {}
descriptions: list[dict] = []


def recipe(filter: str, how: str, note: str = "", photo_limit: int | None = None) -> Callable[[Run], Run]:
    """Makes a function one of the recipes.

    `how` describes the recipe, and `note` its difference from other recipes of the filter. `photo_limit` is
    the number of photos of a run if all photos would take too long.
    """

    def register(run: Run) -> Run:
        name = run.__name__
        runs[name] = run
        descriptions.append(
            {"name": name, "filter": filter, "how": how, "note": note, "photo_limit": photo_limit}
        )
        return run

    return register


# Recipes of this name are for photos of 16 bits a sample.
SIXTEEN = "sepia of 16 bits"

QUALITY = 90
SIGMA = 8
BAND, FALLOFF = 0.2, 0.2
LUMA = (0.2126, 0.7152, 0.0722)


def sepia(intensity: float = 0.8) -> list[list[float]]:
    """Rows of the W3C Filter Effects matrix `sepia()`, mixed with the identity."""
    toning = ((0.393, 0.769, 0.189), (0.349, 0.686, 0.168), (0.272, 0.534, 0.131))
    return [
        [intensity * value + (1 - intensity) * (row == column) for column, value in enumerate(values)]
        for row, values in enumerate(toning)
    ]


def noir_curve(contrast: float = 5, midpoint: float = 0.5) -> list[int]:
    """The logistic curve through black and white, for 8 bits."""

    def logistic(value: float) -> float:
        return 1 / (1 + exp(-contrast * (value - midpoint)))

    low, high = logistic(0), logistic(1)
    return [round(255 * (logistic(value / 255) - low) / (high - low)) for value in range(256)]


def mask(height: int) -> list[float]:
    """The blur's share of each row: 0 within the band, 1 beyond the falloff."""
    distances = (abs((row + 0.5) / height - 0.5) - BAND / 2 for row in range(height))
    return [min(1.0, max(0.0, distance / FALLOFF)) for distance in distances]


def to_linear(value: float) -> float:
    """sRGB's own curve, IEC 61966-2-1."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def from_linear(value: float) -> float:
    return value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


class BlurredPart:
    """The rows on one side of the sharp band. Peers that can leave the band itself unblurred do."""

    def __init__(self, height: int, is_top: bool) -> None:
        shares = mask(height)
        rows = [row for row in range(height) if shares[row] > 0 and (row < height / 2) == is_top]
        margin = 4 * SIGMA
        # Rows that change, the rows that their blur needs, and where the former begin in the latter.
        self.first, self.end = rows[0], rows[-1] + 1
        self.source_first, self.source_end = max(0, self.first - margin), min(height, self.end + margin)
        self.offset = self.first - self.source_first
        self.shares = shares[self.first : self.end]

    @staticmethod
    def both(height: int) -> list[BlurredPart]:
        return [BlurredPart(height, True), BlurredPart(height, False)]
