#!/usr/bin/env python3
"""Makes the JPEG XLs in this folder. Needs Pillow, and Debian's packages libjxl-tools, libjxl-dev and
netpbm.

They come from cjxl and jxls.c. NAME.pam holds what djxl makes of lossless ones: the samples that went in.
Those of lossy ones depend on the processor.
"""

import pathlib
import struct
import subprocess
import tempfile

from PIL import Image

HERE = pathlib.Path(__file__).parent
# Of which source, and how.
FILES = {
    "jxl-lossy": ("rgb-8.png", "-d", "1"),
    "jxl-progressive": ("rgb-8.png", "-d", "2", "-p", "--container=1"),
    "jxl-lossless": ("rgb-8.png", "-d", "0"),
    "jxl-grey": ("grey-8.png", "-d", "0"),
    "jxl-grey-lossy": ("grey-8.png", "-d", "1"),
    "jxl-grey-alpha": ("grey-alpha-8.png", "-d", "0"),
    "jxl-alpha": ("rgba-8.png", "-d", "1"),
    "jxl-16": ("rgb-16.png", "-d", "0"),
    "jxl-16-lossy": ("rgb-16.png", "-d", "1"),
    "jxl-10": ("rgb-16.png", "-d", "0", "--override_bitdepth=10"),
    "jxl-p3": ("rgb-8.png", "-d", "0", "-x", "color_space=RGB_D65_DCI_Rel_SRG"),
    "jxl-pq": ("rgb-16.png", "-d", "1", "-x", "color_space=RGB_D65_202_Rel_PeQ"),
    "jxl-gamma": ("rgb-8.png", "-d", "0", "-x", "color_space=RGB_D65_SRG_Rel_g0.5"),
    "jxl-jpeg": ("metadata.jpg", "-j", "1"),
    "jxl-turned": ("metadata.jpg", "-j", "0", "-d", "1"),
}


def run(*command, **options):
    return subprocess.run(command, capture_output=True, check=True, **options).stdout


def decode(name, *options):
    with tempfile.TemporaryDirectory() as folder:
        png = pathlib.Path(folder) / "decoded.png"
        run("djxl", HERE / f"{name}.jxl", png, *options)
        pam = run("pngtopam", *(["-alphapam"] if "alpha" in name else []), png)
    (HERE / f"{name}.pam").write_bytes(run("pamtopam", input=pam))


def floats(folder):
    """Samples from -0.5 to 1.5."""
    path, size = folder / "floats.pfm", (35, 27)
    row = [x / size[0] * 2 - 0.5 + channel / 4 for x in range(size[0]) for channel in range(3)]
    values = row * size[1]
    path.write_bytes(b"PF\n%d %d\n-1.0\n" % size + struct.pack(f"<{len(values)}f", *values))
    return path


def inks(folder):
    program = folder / "jxls"
    run("cc", "-o", program, HERE / "jxls.c", "-ljxl")
    samples = (HERE / "rgba-8.pam").read_bytes().split(b"ENDHDR\n", 1)[1]
    (HERE / "jxl-inks.jxl").write_bytes(run(program, "35", "27", input=samples))


def large(folder):
    """A large photo in a small file."""
    photo = folder / "photo.png"
    gradient = Image.linear_gradient("L")
    channels = [gradient, Image.radial_gradient("L"), gradient.rotate(90)]
    Image.merge("RGB", [channel.resize((2000, 1500)) for channel in channels]).save(photo)
    run("cjxl", photo, HERE / "large" / "gradients.jxl", "-d", "4")


def main():
    for name, (source, *options) in FILES.items():
        run("cjxl", HERE / source, HERE / f"{name}.jxl", *options)
        if options[:2] == ["-d", "0"]:
            decode(name, *(["--bits_per_sample=16"] if name == "jxl-10" else []))
    with tempfile.TemporaryDirectory() as folder:
        frames = [Image.open(HERE / "rgb-8.png"), Image.open(HERE / "rgb-8.png").rotate(180)]
        animation = pathlib.Path(folder) / "animation.png"
        frames[0].save(animation, save_all=True, append_images=frames[1:], duration=100)
        run("cjxl", animation, HERE / "jxl-animation.jxl", "-d", "0")
        inks(pathlib.Path(folder))
        large(pathlib.Path(folder))
        run("cjxl", floats(pathlib.Path(folder)), HERE / "jxl-float.jxl", "-d", "0")
    decode("jxl-float", "--bits_per_sample=16")


if __name__ == "__main__":
    main()
