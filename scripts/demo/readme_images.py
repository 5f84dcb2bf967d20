#!/usr/bin/python3
"""Makes the README's pictures, docs/images/LOOK-before.jpg and -after.jpg, from what `make demo` left."""

from pathlib import Path

from PIL import Image, ImageOps

# In pixels: twice what GitHub shows of a column.
SIZE = (600, 400)
PHOTOS = {
    "tintype": "sunset_by_Aitzol_Berasategi.jpg",
    "sepia": "life_by_Aitzol_Berasategi.jpg",
    "noir": "picosdeeuropa_by_Aitzol_Berasategi.jpg",
    "tilt-shift": "aitzgorri_by_Aitzol_Berasategi.jpg",
}


def main() -> None:
    root = Path(__file__).parent.parent.parent
    images = root / "docs" / "images"
    images.mkdir(parents=True, exist_ok=True)
    for look, name in PHOTOS.items():
        for folder, moment in (("original", "before"), (look, "after")):
            with Image.open(root / "demo" / folder / name) as photo:
                upright = ImageOps.exif_transpose(photo).convert("RGB")
            small = ImageOps.fit(upright, SIZE, Image.Resampling.LANCZOS)
            small.save(images / f"{look}-{moment}.jpg", quality=80, optimize=True)


if __name__ == "__main__":
    main()
