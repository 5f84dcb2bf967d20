"""Pillow's recipes, and those of Pillow-SIMD, which has the same interface."""

from __future__ import annotations

import pool
import recipes


def load() -> dict[str, pool.Recipe]:
    from PIL import Image, ImageFilter

    matrix = [value for row in recipes.sepia() for value in (*row, 0)]
    curve = recipes.noir_curve()

    def write(image: Image.Image, output: str) -> None:
        image.save(output, "JPEG", quality=recipes.QUALITY, subsampling="4:2:0")

    def sepia(photo: str, output: str) -> None:
        with Image.open(photo) as image:
            write(image.convert("RGB", matrix), output)

    def noir(photo: str, output: str) -> None:
        with Image.open(photo) as image:
            write(image.convert("L", (*recipes.LUMA, 0)).point(curve), output)

    def noir_of_grey(photo: str, output: str) -> None:
        with Image.open(photo) as image:
            # libjpeg then decodes luma alone.
            image.draft("L", image.size)
            write(image.point(curve), output)

    def tilt_shift(photo: str, output: str) -> None:
        with Image.open(photo) as image:
            image.load()
        parts = [(part, blurred(image, part)) for part in recipes.BlurredPart.both(image.height)]
        for part, pixels in parts:
            image.paste(pixels, (0, part.first))
        write(image, output)

    def blurred(image: Image.Image, part: recipes.BlurredPart) -> Image.Image:
        source = image.crop((0, part.source_first, image.width, part.source_end))
        rows = (0, part.offset, image.width, part.offset + len(part.shares))
        blur = source.filter(ImageFilter.GaussianBlur(recipes.SIGMA)).crop(rows)
        column = Image.frombytes("L", (1, len(part.shares)), bytes(round(255 * share) for share in part.shares))
        return Image.composite(blur, source.crop(rows), column.resize((image.width, len(part.shares))))

    return {"sepia": sepia, "noir": noir, "noir-grey": noir_of_grey, "tilt-shift": tilt_shift}


def versions() -> str:
    import PIL
    from PIL import features

    return f"{PIL.__version__}, libjpeg-turbo {features.version_feature('libjpeg_turbo')}"


if __name__ == "__main__":
    pool.main(load, versions)
