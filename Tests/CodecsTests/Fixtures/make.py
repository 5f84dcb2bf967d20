#!/usr/bin/env python3
"""Makes the fixtures in this folder. Needs Pillow, and Debian's packages libjpeg-turbo-progs, webp,
libheif-examples, libavif-bin and netpbm.

JPEGs come from cjpeg and Pillow, and each NAME.pam holds what Pillow decodes. PNGs are written here, byte by
byte, without libpng, and their NAME.pam comes from the very numbers that went in. PAM is Netpbm's format: a
text header, then samples, 16-bit ones with the high byte first. WebPs come from cwebp and img2webp, and their
NAME.pam from dwebp. HEICs come from heif-enc, AVIFs from avifenc, and their NAME.pam from heif-convert.
"""

import io
import math
import pathlib
import struct
import subprocess
import tempfile
import zlib

import heif_gain_maps
from PIL import Image, ImageCms, PngImagePlugin

HERE = pathlib.Path(__file__).parent
WIDTH, HEIGHT = 35, 27


def save_pam(name, width, height, depth, maxval, samples):
    header = f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {depth}\nMAXVAL {maxval}\nENDHDR\n"
    form = ">%dH" if maxval > 255 else "%dB"
    (HERE / f"{name}.pam").write_bytes(header.encode() + struct.pack(form % len(samples), *samples))


def save_expected(name, image):
    image = image if image.mode in ("L", "RGB", "RGBA") else image.convert("RGB")
    save_pam(name, *image.size, len(image.getbands()), 255, image.tobytes())


def scene(width, height):
    """Smooth, coloured, and inside 40...215, so that no conversion clips."""

    def pixel(x, y):
        return tuple(
            round(128 + 60 * math.sin(x / a + phase) * math.cos(y / b) + 20 * math.sin((x + y) / 3))
            for a, b, phase in ((5, 7, 0), (9, 4, 1), (6, 11, 2))
        )

    image = Image.new("RGB", (width, height))
    image.putdata([pixel(x, y) for y in range(height) for x in range(width)])
    return image


# --- JPEG ---


def save_jpeg(name, data):
    (HERE / f"{name}.jpg").write_bytes(data)
    save_expected(name, Image.open(io.BytesIO(data)))


def cjpeg(name, *options, size=(WIDTH, HEIGHT)):
    ppm = io.BytesIO()
    scene(*size).save(ppm, "ppm")
    command = ["cjpeg", "-quality", "85", *options]
    save_jpeg(name, subprocess.run(command, input=ppm.getvalue(), capture_output=True, check=True).stdout)


def segments(data):
    """The marker segments before the first scan, and the rest."""
    found, at = [], 2
    while data[at + 1] != 0xDA:
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        found.append(data[at : at + 2 + length])
        at += 2 + length
    return found, data[at:]


def without(data, keep):
    found, rest = segments(data)
    return data[:2] + b"".join(s for s in found if keep(s)) + rest


def four_inks():
    buffer = io.BytesIO()
    rgb = scene(WIDTH, HEIGHT)
    black = scene(HEIGHT, WIDTH).transpose(Image.Transpose.ROTATE_90).getchannel(0)
    Image.merge("CMYK", (*rgb.split(), black)).save(buffer, "jpeg", quality=90)
    cmyk = buffer.getvalue()
    save_jpeg("cmyk", cmyk)
    save_jpeg("cmyk-without-adobe", without(cmyk, lambda s: s[1] != 0xEE))
    # Without colour, and 100 of 255 in any formula.
    grey = io.BytesIO()
    Image.new("CMYK", (16, 16), (0, 0, 0, 155)).save(grey, "jpeg", quality=100)
    save_jpeg("grey-inks", grey.getvalue())
    # The same coefficients under Adobe's transform 2 are YCCK, of other colours.
    adobe = cmyk.index(b"Adobe")
    save_jpeg("ycck", cmyk[: adobe + 11] + b"\2" + cmyk[adobe + 12 :])


def jpegs():
    for sampling in ("1x1", "2x1", "2x2", "1x2", "4x1", "4x2"):
        cjpeg(f"ycbcr-{sampling}", "-sample", sampling)
    for width, height in ((1, 1), (1, 19), (19, 1), (16, 16), (17, 33)):
        cjpeg(f"size-{width}x{height}", "-sample", "2x2", size=(width, height))
    cjpeg("progressive", "-progressive")
    cjpeg("restart", "-restart", "1", "-sample", "2x2")
    cjpeg("arithmetic", "-arithmetic")
    cjpeg("odd-factors", "-sample", "2x2,1x2,1x2")
    cjpeg("unequal-chroma", "-sample", "2x2,1x1,2x1")
    cjpeg("rgb-coded", "-rgb")
    cjpeg("grey", "-grayscale")
    cjpeg("grey-2x2", "-grayscale", "-sample", "2x2")
    cjpeg("grey-progressive", "-grayscale", "-progressive")
    four_inks()


# --- PNG ---

ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def packed_row(samples, bits):
    text = "".join(format(sample, f"0{bits}b") for sample in samples)
    text += "0" * (-len(text) % 8)
    return bytes(int(text[i : i + 8], 2) for i in range(0, len(text), 8))


def save_png(name, rows, colour_type, bits, chunks=b"", interlaced=False):
    """`rows`: of pixels, each a tuple of samples. Filter 0 and 2 take turns."""
    height, width = len(rows), len(rows[0])
    data = b""
    passes = ADAM7 if interlaced else ((0, 0, 1, 1),)
    for x0, y0, dx, dy in passes:
        previous = None
        for number, row in enumerate(rows[y0::dy]):
            row = packed_row([sample for pixel in row[x0::dx] for sample in pixel], bits)
            if not row:
                continue
            up = previous if number % 2 and previous else None
            differences = bytes((a - b) % 256 for a, b in zip(row, up or row, strict=True))
            data += b"\2" + differences if up else b"\0" + row
            previous = row
    header = struct.pack(">IIBBBBB", width, height, bits, colour_type, 0, 0, interlaced)
    (HERE / f"{name}.png").write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunks
        + chunk(b"IDAT", zlib.compress(data, 9))
        + chunk(b"IEND", b"")
    )


def picture(channels, bits):
    top = (1 << bits) - 1
    return [
        [
            tuple(
                (x * (7 + 2 * c) + y * (5 + 3 * c) + 11 * c + (x * y) ** 2 * 37) & top
                for c in range(channels)
            )
            for x in range(WIDTH)
        ]
        for y in range(HEIGHT)
    ]


def save_pngs(name, rows, colour_type, bits, expected, chunks=b""):
    save_png(name, rows, colour_type, bits, chunks)
    save_png(f"{name}-interlaced", rows, colour_type, bits, chunks, interlaced=True)
    pixels = [pixel for row in expected for pixel in row]
    samples = [sample for pixel in pixels for sample in pixel]
    save_pam(name, WIDTH, HEIGHT, len(pixels[0]), 65535 if bits == 16 else 255, samples)


def with_transparent(rows, colour, top):
    """The tRNS chunk makes one colour transparent, all of whose bits must match."""
    return [[pixel + ((0,) if pixel == colour else (top,)) for pixel in row] for row in rows]


def pngs():
    for bits in (1, 2, 4, 8, 16):
        rows = picture(1, bits)
        scale = 1 if bits >= 8 else 255 // ((1 << bits) - 1)
        scaled = [[(pixel[0] * scale,) for pixel in row] for row in rows]
        top = 65535 if bits == 16 else 255
        save_pngs(f"grey-{bits}", rows, 0, bits, scaled)
        key = rows[1][2]
        expected = with_transparent(scaled, (key[0] * scale,), top)
        save_pngs(f"grey-{bits}-trns", rows, 0, bits, expected, chunk(b"tRNS", struct.pack(">H", *key)))
    for bits in (8, 16):
        top = (1 << bits) - 1
        rows = picture(3, bits)
        save_pngs(f"rgb-{bits}", rows, 2, bits, rows)
        key = rows[3][4]
        save_pngs(
            f"rgb-{bits}-trns",
            rows,
            2,
            bits,
            with_transparent(rows, key, top),
            chunk(b"tRNS", struct.pack(">HHH", *key)),
        )
        save_pngs(f"grey-alpha-{bits}", picture(2, bits), 4, bits, picture(2, bits))
        save_pngs(f"rgba-{bits}", picture(4, bits), 6, bits, picture(4, bits))
    for bits in (1, 2, 4, 8):
        rows = picture(1, bits)
        palette = [((i * 53) % 256, (i * 101 + 7) % 256, (i * 29 + 90) % 256) for i in range(1 << bits)]
        chunks = chunk(b"PLTE", bytes(sum(palette, ())))
        save_pngs(f"palette-{bits}", rows, 3, bits, [[palette[p[0]] for p in row] for row in rows], chunks)
        # Fewer alphas than colours: the rest is opaque.
        alphas = [0, 128, 200][: 1 << bits]
        opacity = alphas + [255] * ((1 << bits) - len(alphas))
        expected = [[palette[p[0]] + (opacity[p[0]],) for p in row] for row in rows]
        save_pngs(f"palette-{bits}-trns", rows, 3, bits, expected, chunks + chunk(b"tRNS", bytes(alphas)))


def halves():
    for name, mode, channels in (("rgb-8", "RGB", 3), ("grey-8", "L", 1)):
        image = Image.new(mode, (WIDTH, HEIGHT))
        image.putdata([p if channels > 1 else p[0] for row in picture(channels, 8) for p in row])
        half = image.reduce(2)
        save_pam(f"{name}-half", *half.size, channels, 255, half.tobytes())


# --- Metadata ---


def metadata():
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "Maker"
    exif.get_ifd(0x8769).update({0xA002: WIDTH, 0xA003: HEIGHT})
    packet = b'<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>'
    xmp = packet + b'<x:xmpmeta xmlns:x="adobe:ns:meta/"/><?xpacket end="w"?>'
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    (HERE / "srgb.icc").write_bytes(profile)
    image = scene(WIDTH, HEIGHT)
    image.save(
        HERE / "metadata.jpg",
        quality=85,
        dpi=(300, 200),
        exif=exif,
        icc_profile=profile,
        comment="a comment",
        xmp=xmp,
    )
    text = PngImagePlugin.PngInfo()
    text.add_text("Comment", "a comment")
    text.add_text("Software", "make.py", zip=True)
    text.add_itxt("XML:com.adobe.xmp", xmp.decode())
    image.save(HERE / "metadata.png", dpi=(300, 200), exif=exif, icc_profile=profile, pnginfo=text)


def webps():
    """After pngs() and metadata(), of whose files they are made."""

    def make(name, program, *arguments):
        subprocess.run(
            [program, *map(str, arguments), "-o", HERE / f"{name}.webp"], capture_output=True, check=True
        )

    def decoded(name):
        command = ["dwebp", HERE / f"{name}.webp", "-o", "-"]
        return Image.open(io.BytesIO(subprocess.run(command, capture_output=True, check=True).stdout))

    colour, alpha = HERE / "rgb-8.png", HERE / "rgba-8.png"
    make("lossy", "cwebp", "-q", 70, colour)
    make("lossy-alpha", "cwebp", "-q", 70, "-alpha_q", 50, alpha)
    make("lossless", "cwebp", "-lossless", "-z", 9, colour)
    make("lossless-alpha", "cwebp", "-lossless", "-exact", alpha)
    make("near-lossless", "cwebp", "-near_lossless", 40, colour)
    for name in ["lossy", "lossy-alpha", "lossless", "lossless-alpha", "near-lossless"]:
        save_expected(name, decoded(name))
    make(
        "animation",
        "img2webp",
        "-lossless",
        colour,
        HERE / "palette-8.png",
        "-lossy",
        "-q",
        50,
        HERE / "grey-8.png",
    )
    save_expected("animation", Image.open(colour))
    make("metadata", "cwebp", "-q", 70, "-metadata", "all", HERE / "metadata.jpg")


def heifs():
    """After pngs() and metadata(), of whose files they are made."""
    hevc = {
        "hevc": ("rgb-8.png", "-q", "80"),
        "hevc-422": ("rgb-8.png", "-q", "60", "-p", "chroma=422"),
        "hevc-444": ("rgb-8.png", "-q", "90", "-p", "chroma=444"),
        "hevc-alpha": ("rgba-8.png", "-q", "80"),
        "hevc-10": ("rgb-16.png", "-q", "90", "-b", "10"),
        "hevc-12-alpha": ("rgba-16.png", "-q", "90", "-b", "12"),
        "hevc-grey": ("grey-8.png", "-q", "80"),
        "metadata": ("metadata.jpg", "-q", "70"),
    }
    for name, (source, *options) in hevc.items():
        subprocess.run(["heif-enc", *options, HERE / source, "-o", HERE / f"{name}.heic"], check=True)
    av1 = {
        "av1": ("rgb-8.png",),
        "av1-444": ("rgb-8.png", "-y", "444", "--cicp", "12/13/1"),
        "av1-grey": ("grey-8.png", "-y", "400"),
        "av1-10": ("rgb-16.png", "-d", "10"),
        "av1-12-alpha": ("rgba-16.png", "-d", "12"),
        "av1-premultiplied-alpha": ("rgba-8.png", "-p", "-l"),
        "av1-turned": ("rgb-8.png", "--irot", "1"),
        "av1-mirrored": ("rgb-8.png", "--imir", "1"),
        "av1-cropped": ("rgb-8.png", "-y", "444", "--crop", "9,4,20,11", "--irot", "3", "--imir", "0"),
    }
    for name, (source, *options) in av1.items():
        subprocess.run(["avifenc", *options, HERE / source, HERE / f"{name}.avif"], check=True)
    large_heifs()
    heif_gain_maps.make(HERE, save_heif)
    for path in [*HERE.glob("*.heic"), *HERE.glob("*.avif")]:
        save_heif(path, path.with_suffix(".pam"))


def save_heif(path, pam_path):
    """Saves what heif-convert makes of a file."""
    with tempfile.TemporaryDirectory() as folder:
        png = pathlib.Path(folder) / "decoded.png"
        subprocess.run(["heif-convert", path, png], check=True)
        pam = subprocess.run(["pngtopam", "-alphapam", png], capture_output=True, check=True).stdout
    if "alpha" not in path.name:
        channels = ["pamchannel", "-tupletype", "RGB", "0", "1", "2"]
        pam = subprocess.run(channels, input=pam, capture_output=True, check=True).stdout
    for bits in (10, 12):
        if f"-{bits}" in path.name:
            pam = with_full_range(pam, bits)
    pam_path.write_bytes(pam)


def large_heifs():
    """Large photos in small files."""
    size, folder = (2000, 1500), HERE / "large"
    channels = [Image.linear_gradient("L"), Image.radial_gradient("L"), Image.linear_gradient("L").rotate(90)]
    photo = Image.merge("RGB", [channel.resize(size) for channel in channels])
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        png = pathlib.Path(temporary) / "photo.png"
        photo.save(png)
        subprocess.run(["heif-enc", "-q", "30", png, "-o", folder / "gradients.heic"], check=True)
        subprocess.run(["avifenc", "-d", "10", "--min", "30", "--max", "40", png, folder / "gradients.avif"])


def with_full_range(pam, bits):
    """Samples that heif-convert shifted to 16 bits, spread so that the largest is 65535."""
    header, samples = pam.split(b"ENDHDR\n", 1)
    shifted = struct.unpack(f">{len(samples) // 2}H", samples)
    spread = struct.pack(f">{len(shifted)}H", *[sample | sample >> bits for sample in shifted])
    return header + b"ENDHDR\n" + spread


if __name__ == "__main__":
    jpegs()
    pngs()
    halves()
    metadata()
    webps()
    heifs()
