"""OpenCV's recipes. One thread a process: its threads would share a filter's rows, but not the codec's."""

from __future__ import annotations

import cv2
import numpy as np
import recipes

cv2.setNumThreads(1)
# Each format heeds its own. PNGs have the defaults.
OPTIONS = [cv2.IMWRITE_JPEG_QUALITY, recipes.QUALITY, cv2.IMWRITE_WEBP_QUALITY, recipes.QUALITY]
OPTIONS += [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420]
# OpenCV's pixels are BGR.
MATRIX = np.array(recipes.sepia(), np.float32)[::-1, ::-1]
LUMA = np.array([recipes.LUMA[::-1]], np.float32)
CURVE = np.array(recipes.noir_curve(), np.uint8)
LINEAR = np.array([recipes.to_linear(value / 255) for value in range(256)], np.float32)
ENCODED = np.array([round(255 * recipes.from_linear(value / 65535)) for value in range(65536)], np.uint8)


def write(path: str, image: np.ndarray) -> None:
    if not cv2.imwrite(path, image, OPTIONS):
        raise OSError(f"OpenCV could not write {path}")


@recipes.recipe("sepia", "`imread`, `transform` with a 3 x 3 matrix, `imwrite`")
def sepia(photo: str, output: str) -> None:
    write(output, cv2.transform(cv2.imread(photo, cv2.IMREAD_COLOR), MATRIX))


@recipes.recipe(recipes.SIXTEEN, "`imread(IMREAD_UNCHANGED)`, `transform` with a 3 x 3 matrix, `imwrite`")
def sepia_16(photo: str, output: str) -> None:
    write(output, cv2.transform(cv2.imread(photo, cv2.IMREAD_UNCHANGED), MATRIX))


@recipes.recipe("noir", "`imread`, `transform` with a 1 x 3 matrix, `LUT`, `imwrite`")
def noir(photo: str, output: str) -> None:
    write(output, cv2.LUT(cv2.transform(cv2.imread(photo, cv2.IMREAD_COLOR), LUMA), CURVE))


@recipes.recipe("noir", "`imread(IMREAD_GRAYSCALE)`, `LUT`, `imwrite`", note="luma of BT.601, as decoded")
def noir_of_grey(photo: str, output: str) -> None:
    write(output, cv2.LUT(cv2.imread(photo, cv2.IMREAD_GRAYSCALE), CURVE))


@recipes.recipe(
    "tilt-shift",
    "`imread`; of the rows outside the band: `GaussianBlur` of bytes, `blendLinear`; `imwrite`",
    note="gamma",
)
def tilt_shift(photo: str, output: str, in_linear_light: bool = False) -> None:
    image = cv2.imread(photo, cv2.IMREAD_COLOR)
    # All parts before any is written back: their sources overlap the rows that others change.
    parts = recipes.BlurredPart.both(image.shape[0])
    for part, pixels in [(part, blurred(image, part, in_linear_light)) for part in parts]:
        image[part.first : part.end] = pixels
    write(output, image)


@recipes.recipe(
    "tilt-shift",
    "`imread`; of the rows outside the band: `LUT` to linear floats, `GaussianBlur`, `blendLinear`, "
    "a table of 65536 back; `imwrite`",
    note="linear light",
    photo_limit=8,
)
def tilt_shift_linear(photo: str, output: str) -> None:
    tilt_shift(photo, output, in_linear_light=True)


def blurred(image: np.ndarray, part: recipes.BlurredPart, in_linear_light: bool) -> np.ndarray:
    source = image[part.source_first : part.source_end]
    source = cv2.LUT(source, LINEAR) if in_linear_light else source
    blur = cv2.GaussianBlur(source, (0, 0), recipes.SIGMA, borderType=cv2.BORDER_REPLICATE)
    rows = slice(part.offset, part.offset + len(part.shares))
    share = np.repeat(np.array(part.shares, np.float32)[:, None], image.shape[1], axis=1)
    mixed = cv2.blendLinear(blur[rows], source[rows], share, 1 - share)
    return ENCODED[(mixed * 65535 + 0.5).astype(np.uint16)] if in_linear_light else mixed


def version() -> str:
    codec = next(line for line in cv2.getBuildInformation().splitlines() if " JPEG:" in line)
    return f"{cv2.__version__}, JPEG: {codec.split(':')[1].strip()}"
