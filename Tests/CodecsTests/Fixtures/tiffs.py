#!/usr/bin/env python3
"""Makes the TIFFs in this folder. Needs Pillow, and Debian's packages libtiff-tools, libvips-tools and
netpbm.

They come from Pillow, libvips and tiffcp. Where the file holds the samples, NAME.pam comes from what went in;
where libtiff converts them, it holds what tiff2rgba makes of the file.
"""

import pathlib
import subprocess
import tempfile

from PIL import Image, ImageCms

HERE = pathlib.Path(__file__).parent
SOURCES = {
    "rgb": "rgb-8.png",
    "rgba": "rgba-8.png",
    "grey": "grey-8.png",
    "rgb16": "rgb-16.png",
    "rgba16": "rgba-16.png",
    "grey16": "grey-16.png",
}


def pam_of(png):
    kind = [] if Image.open(png).mode in ("L", "RGB", "I;16", "I") else ["-alphapam"]
    return subprocess.run(["pngtopam", *kind, png], capture_output=True, check=True).stdout


def save_pam(name, width, height, depth, samples):
    header = f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {depth}\nMAXVAL 255\nENDHDR\n"
    (HERE / f"{name}.pam").write_bytes(header.encode() + bytes(samples))


def with_header(pam):
    """Of a PNM file, as a PAM."""
    return subprocess.run(["pamtopam"], input=pam, capture_output=True, check=True).stdout


def stored(folder):
    """TIFFs that hold the samples of a PNG."""
    base = {}
    for kind, source in SOURCES.items():
        base[kind] = folder / f"{kind}.tif"
        subprocess.run(["vips", "copy", HERE / source, f"{base[kind]}[strip]"], check=True)
    files = {
        "tiff-lzw": ("rgb", "-c", "lzw", "-r", "4"),
        "tiff-deflate": ("rgb", "-c", "zip:2", "-r", "1"),
        "tiff-packbits-big-endian": ("rgb", "-c", "packbits", "-B"),
        "tiff-tiles": ("rgb", "-c", "lzw:2", "-t", "-w", "16", "-l", "16"),
        "tiff-planes": ("rgb", "-p", "separate", "-r", "5"),
        "tiff-plane-tiles": ("rgba", "-p", "separate", "-t", "-w", "16", "-l", "16"),
        "tiff-bigtiff": ("rgb", "-8", "-c", "zip"),
        "tiff-one-strip": ("rgb", "-c", "zip", "-r", "27"),
        "tiff-turned-bigtiff": ("rgb", "-8", "-c", "zip"),
        "tiff-alpha": ("rgba", "-c", "lzw"),
        "tiff-grey": ("grey", "-c", "lzw"),
        "tiff-16": ("rgb16", "-c", "zip:2"),
        "tiff-16-big-endian": ("rgb16", "-B", "-c", "none"),
        "tiff-16-alpha": ("rgba16", "-c", "lzw"),
        "tiff-16-grey-tiles": ("grey16", "-t", "-w", "16", "-l", "16", "-c", "zip"),
    }
    for name, (kind, *options) in files.items():
        subprocess.run(["tiffcp", *options, base[kind], HERE / f"{name}.tif"], check=True)
        (HERE / f"{name}.pam").write_bytes(with_header(pam_of(HERE / SOURCES[kind])))
    subprocess.run(["tiffset", "-s", "274", "6", HERE / "tiff-turned-bigtiff.tif"], check=True)
    preview = HERE / "damaged" / "preview.tif"
    subprocess.run(["tiffcp", "-c", "zip", base["grey"], preview], check=True)
    subprocess.run(["tiffset", "-s", "254", "1", preview], check=True)
    return base


def large(folder):
    """Large photos in small files."""
    png = folder / "photo.png"
    channels = [Image.linear_gradient("L"), Image.radial_gradient("L"), Image.linear_gradient("L").rotate(90)]
    photo = Image.merge("RGB", [channel.resize((2000, 1500)) for channel in channels])
    photo.save(png)
    photo.quantize(16).save(HERE / "large" / "gradients-palette.tif", compression="tiff_adobe_deflate")
    options = "[compression=deflate,predictor=horizontal,strip]"
    subprocess.run(["vips", "copy", png, f"{HERE / 'large' / 'gradients.tif'}{options}"], check=True)


def converted(folder, base):
    """TIFFs that libtiff converts."""
    rgb, grey = Image.open(HERE / "rgb-8.png"), Image.open(HERE / "grey-8.png")
    rgb.quantize(50).save(HERE / "tiff-palette.tif")
    grey.convert("1").save(HERE / "tiff-bilevel.tif", compression="group4")
    subprocess.run(["tiffcp", "-c", "jpeg:90", "-r", "16", base["rgb"], HERE / "tiff-jpeg.tif"], check=True)
    planes = ["tiffcp", "-p", "separate", "-c", "jpeg:r", "-r", "16"]
    subprocess.run([*planes, base["rgb"], HERE / "tiff-planes-jpeg.tif"], check=True)
    for name in ("tiff-palette", "tiff-bilevel", "tiff-jpeg", "tiff-planes-jpeg"):
        rgba = folder / "rgba.tif"
        subprocess.run(["tiff2rgba", "-c", "none", "-n", HERE / f"{name}.tif", rgba], check=True)
        image = Image.open(rgba).convert("L" if name == "tiff-bilevel" else "RGB")
        save_pam(name, *image.size, len(image.getbands()), image.tobytes())


def others():
    grey = Image.open(HERE / "grey-8.png")
    # Pillow inverts the samples.
    grey.save(HERE / "tiff-white-is-zero.tif", tiffinfo={262: 0})
    save_pam("tiff-white-is-zero", *grey.size, 1, grey.tobytes())
    inks = Image.open(HERE / "rgb-8.png").convert("CMYK")
    inks = Image.merge("CMYK", [*inks.split()[:3], grey.point(lambda value: value // 3)])
    inks.save(HERE / "tiff-cmyk.tif", compression="tiff_lzw")
    pixels = inks.getdata()
    save_pam(
        "tiff-cmyk",
        *inks.size,
        3,
        [round((255 - ink) * (255 - pixel[3]) / 255) for pixel in pixels for ink in pixel[:3]],
    )
    first, second = Image.open(HERE / "rgb-8.png"), grey
    first.save(HERE / "tiff-pages.tif", save_all=True, append_images=[second])
    save_pam("tiff-pages", *first.size, 3, first.tobytes())
    # Alpha that is multiplied in: of 255, 128 and 0.
    colours = [(200, 100, 50, 255), (100, 50, 25, 128), (0, 0, 0, 0)]
    image = Image.new("RGBA", (3, 1))
    image.putdata(colours)
    image.save(HERE / "tiff-premultiplied.tif")
    subprocess.run(["tiffset", "-s", "338", "1", "1", HERE / "tiff-premultiplied.tif"], check=True)
    save_pam("tiff-premultiplied", 3, 1, 4, [200, 100, 50, 255, 199, 100, 50, 128, 0, 0, 0, 0])


def metadata():
    image = Image.open(HERE / "rgb-8.png")
    # With the directories of EXIF and of places.
    exif = Image.open(HERE / "metadata.jpg").getexif()
    exif.update({0x010E: "A description", 0x010F: "Maker", 0x0112: 6, 0x0131: "Lab", 0x8298: "(c) Somebody"})
    exif.get_ifd(0x8769)[0xA434] = "A lens of some length"
    iptc = b"\x1c\x02\x78\x00\x07Caption"
    exif[700] = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>"
    exif[33723] = iptc
    image.save(
        HERE / "tiff-metadata.tif",
        exif=exif,
        dpi=(300, 300),
        icc_profile=ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes(),
    )
    save_pam("tiff-metadata", *image.size, 3, image.tobytes())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        converted(work, stored(work))
        large(work)
    others()
    metadata()
