"""OpenCV's recipes. One thread a process: its own threads share one photo's rows, but not the codec's work."""

from __future__ import annotations

import pool
import recipes


def load() -> dict[str, pool.Recipe]:
    import cv2
    import numpy as np

    cv2.setNumThreads(1)
    options = [cv2.IMWRITE_JPEG_QUALITY, recipes.QUALITY]
    options += [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420]
    # OpenCV's pixels are BGR.
    matrix = np.array(recipes.sepia(), np.float32)[::-1, ::-1]
    luma = np.array([recipes.LUMA[::-1]], np.float32)
    curve = np.array(recipes.noir_curve(), np.uint8)
    linear = np.array([recipes.to_linear(value / 255) for value in range(256)], np.float32)
    encoded = np.array([round(255 * recipes.from_linear(value / 65535)) for value in range(65536)], np.uint8)

    def write(path: str, image: np.ndarray) -> None:
        if not cv2.imwrite(path, image, options):
            raise OSError(f"OpenCV could not write {path}")

    def sepia(photo: str, output: str) -> None:
        write(output, cv2.transform(cv2.imread(photo, cv2.IMREAD_COLOR), matrix))

    def noir(photo: str, output: str) -> None:
        write(output, cv2.LUT(cv2.transform(cv2.imread(photo, cv2.IMREAD_COLOR), luma), curve))

    def noir_of_grey(photo: str, output: str) -> None:
        write(output, cv2.LUT(cv2.imread(photo, cv2.IMREAD_GRAYSCALE), curve))

    def tilt_shift(photo: str, output: str, in_linear_light: bool) -> None:
        image = cv2.imread(photo, cv2.IMREAD_COLOR)
        height, width = image.shape[:2]
        # All parts before any is written back: their sources overlap the rows that others change.
        parts = recipes.BlurredPart.both(height)
        for part, pixels in [(part, blurred(image, part, width, in_linear_light)) for part in parts]:
            image[part.first : part.end] = pixels
        write(output, image)

    def blurred(image: np.ndarray, part: recipes.BlurredPart, width: int, in_linear_light: bool) -> np.ndarray:
        source = image[part.source_first : part.source_end]
        source = cv2.LUT(source, linear) if in_linear_light else source
        blur = cv2.GaussianBlur(source, (0, 0), recipes.SIGMA, borderType=cv2.BORDER_REPLICATE)
        rows = slice(part.offset, part.offset + len(part.shares))
        share = np.repeat(np.array(part.shares, np.float32)[:, None], width, axis=1)
        mixed = cv2.blendLinear(blur[rows], source[rows], share, 1 - share)
        return encoded[(mixed * 65535 + 0.5).astype(np.uint16)] if in_linear_light else mixed

    return {
        "sepia": sepia,
        "noir": noir,
        "noir-grey": noir_of_grey,
        "tilt-shift": lambda photo, output: tilt_shift(photo, output, in_linear_light=False),
        "tilt-shift-linear": lambda photo, output: tilt_shift(photo, output, in_linear_light=True),
    }


def versions() -> str:
    import cv2

    codec = next(line for line in cv2.getBuildInformation().splitlines() if " JPEG:" in line)
    return f"{cv2.__version__}, JPEG: {codec.split(':')[1].strip()}"


if __name__ == "__main__":
    pool.main(load, versions)
