#!/usr/bin/env python3
"""Makes the RAW photos in this folder: containers as cameras write them, around JPEGs of this folder.

exiftool finds the same JPEGs in them: `raws.py --check` compares (Debian's package libimage-exiftool-perl).
The sensor's values are a few bytes of noise, but for raw-sensor.dng. NAME.pam holds what LibRaw's dcraw_emu
makes of that (libraw-bin, netpbm).
"""

import pathlib
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
# The preview, and a smaller JPEG beside it.
LARGE, SMALL = "ycbcr-2x2.jpg", "size-17x33.jpg"
# With EXIF, as Fujifilm and Panasonic write it.
DESCRIBED = "metadata.jpg"
BYTE, ASCII, SHORT, LONG, RATIONAL, UNDEFINED, SRATIONAL, IFD = 1, 2, 3, 4, 5, 7, 10, 13
SIZES = {BYTE: "B", SHORT: "H", LONG: "I", IFD: "I"}
XMP = (
    b'<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
    b'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmp:Rating="4" '
    b'xmlns:xmp="http://ns.adobe.com/xap/1.0/"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
)
# IPTC's keyword "sea".
IPTC = b"\x1c\x02\x19\x00\x03sea"
NOISE = bytes((i * 37 + i // 7) % 251 for i in range(4000))


def jpeg(name):
    return (HERE / name).read_bytes()


def lossless_jpeg():
    """The beginning of a JPEG of the sensor's values: SOF3, 14 bits, two components."""
    frame = struct.pack(">BHHB", 14, 3000, 4000, 2) + bytes([0, 0x11, 0, 1, 0x11, 0])
    return b"\xff\xd8\xff\xc3" + struct.pack(">H", 2 + len(frame)) + frame + NOISE[:3000]


class TIFF:
    """A TIFF, or another file of its directories."""

    def __init__(self, order, magic=b"*\0", more=b""):
        self.order = order
        mark = b"II" if order == "<" else b"MM"
        self.bytes = bytearray(mark + (magic if order == "<" else magic[::-1]))
        self.bytes += struct.pack(order + "I", 8 + len(more)) + more

    def put(self, data):
        if len(self.bytes) % 2:
            self.bytes += b"\0"
        self.bytes += data
        return len(self.bytes) - len(data)

    def reserve(self, count):
        """A place for a directory of so many fields."""
        return self.put(bytes(2 + 12 * count + 4))

    def fill(self, position, fields, following=0):
        """Writes a directory at a reserved place."""
        entries = struct.pack(self.order + "H", len(fields))
        for tag, kind, values in sorted(fields):
            if kind in (RATIONAL, SRATIONAL):
                pairs = values if isinstance(values, list) else [values]
                form = "II" if kind == RATIONAL else "ii"
                data, count = b"".join(struct.pack(self.order + form, *pair) for pair in pairs), len(pairs)
            elif isinstance(values, bytes):
                data, count = values, len(values)
            else:
                values = values if isinstance(values, list) else [values]
                data, count = struct.pack(self.order + SIZES[kind] * len(values), *values), len(values)
            if len(data) > 4:
                data = struct.pack(self.order + "I", self.put(data))
            entries += struct.pack(self.order + "HHI", tag, kind, count) + data.ljust(4, b"\0")
        entries += struct.pack(self.order + "I", following)
        self.bytes[position : position + len(entries)] = entries

    def directory(self, fields, following=0):
        position = self.reserve(len(fields))
        self.fill(position, fields, following)
        return position


def description(maker, orientation):
    return [
        (0x010F, ASCII, maker + b"\0"),
        (0x0110, ASCII, b"Model One\0"),
        (0x0112, SHORT, orientation),
        (0x0132, ASCII, b"2024:05:06 07:08:09\0"),
    ]


def exif(note=None, adobe=False, tiff=None):
    fields = [
        (0x829A, RATIONAL, (1, 250)),
        (0x9003, ASCII, b"2024:05:06 07:08:09\0"),
        (0xA002, LONG, 4000),
        (0xA003, LONG, 3000),
    ]
    if note:
        fields.append((0x927C, UNDEFINED, note))
    if adobe:
        rules = tiff.directory([(1, ASCII, b"R03\0")])
        fields += [(0xA001, SHORT, 0xFFFF), (0xA005, LONG, rules)]
    return fields


def gps(tiff):
    return tiff.directory([(1, ASCII, b"N\0"), (3, ASCII, b"E\0")])


def size(width, height, kind=LONG):
    return [(0x0100, kind, width), (0x0101, kind, height)]


def form(compression, photometric=None):
    """How an image is stored."""
    photometrics = [] if photometric is None else [(0x0106, SHORT, photometric)]
    return [(0x0103, SHORT, compression), *photometrics]


def strip(offset, data):
    """The only strip of an image."""
    return [(0x0111, LONG, offset), (0x0117, LONG, len(data))]


def place(offset, name):
    """That of a JPEG, as in EXIF."""
    return [(0x0201, LONG, offset), (0x0202, LONG, len(jpeg(name)))]


def reduced(is_reduced):
    return [(0x00FE, LONG, int(is_reduced))]


def canon_cr2():
    """The preview is the only strip of the first image; the last image has the sensor's values."""
    tiff = TIFF("<", more=b"CR\2\0" + struct.pack("<I", 0))
    first = description(b"Canon", 6)
    position = tiff.reserve(len(first) + 7)
    below = tiff.directory(exif(NOISE[:300], True, tiff))
    places = gps(tiff)
    small, large = tiff.put(jpeg(SMALL)), tiff.put(jpeg(LARGE))
    last = tiff.directory(form(6) + strip(tiff.put(lossless_jpeg()), lossless_jpeg()))
    second = tiff.directory(place(small, SMALL), last)
    first += size(35, 27, SHORT) + form(6) + strip(large, jpeg(LARGE))
    tiff.fill(position, [*first, (0x8769, LONG, below), (0x8825, LONG, places)], second)
    return tiff.bytes


def nikon_nef():
    """Thumbnail first; the preview and the sensor's values are below it."""
    tiff = TIFF(">")
    first = description(b"NIKON CORPORATION", 8)
    position = tiff.reserve(len(first) + 10)
    below = tiff.directory(exif(b"Nikon\0" + NOISE[:90]))
    thumbnail, large, sensor = tiff.put(NOISE[:48]), tiff.put(jpeg(LARGE)), tiff.put(NOISE)
    preview = tiff.directory(reduced(True) + form(6) + place(large, LARGE))
    mosaic = tiff.directory(reduced(False) + size(36, 28) + form(34713, 32803) + strip(sensor, NOISE))
    first += reduced(True) + size(4, 4) + form(1, 2) + strip(thumbnail, NOISE[:48])
    more = [(0x014A, LONG, [preview, mosaic]), (0x02BC, BYTE, XMP), (0x8769, LONG, below)]
    tiff.fill(position, first + more)
    return tiff.bytes


def sony_arw():
    """The preview is the first directory's, and smaller than the photo."""
    tiff = TIFF("<")
    first = description(b"SONY", 1)
    position = tiff.reserve(len(first) + 6)
    below = tiff.directory(exif())
    large, small, sensor = tiff.put(jpeg(LARGE)), tiff.put(jpeg(SMALL)), tiff.put(NOISE)
    mosaic = tiff.directory(
        reduced(False) + size(600, 400, SHORT) + form(32767, 32803) + strip(sensor, NOISE)
    )
    second = tiff.directory(place(small, SMALL))
    first += reduced(True) + form(6) + place(large, LARGE)
    tiff.fill(position, [*first, (0x014A, LONG, mosaic), (0x8769, LONG, below)], second)
    return tiff.bytes


def dng():
    """Two previews below a thumbnail, and the sensor's values in a JPEG without loss.

    EXIF says Adobe RGB, the preview sRGB.
    """
    tiff = TIFF("<")
    first = description(b"Maker", 3)
    position = tiff.reserve(len(first) + 12)
    below = tiff.directory(exif(adobe=True, tiff=tiff))
    thumbnail = tiff.put(NOISE[:48])

    def preview(name):
        image = reduced(True) + size(35, 27) + form(7, 6) + strip(tiff.put(jpeg(name)), jpeg(name))
        return tiff.directory([*image, (0xC71A, LONG, 2)])

    sensor = strip(tiff.put(lossless_jpeg()), lossless_jpeg())
    mosaic = tiff.directory(reduced(False) + size(36, 28) + form(7, 32803) + sensor)
    first += reduced(True) + size(4, 4) + form(1, 2) + strip(thumbnail, NOISE[:48])
    more = [
        (0x014A, LONG, [mosaic, preview(SMALL), preview(LARGE)]),
        (0x02BC, BYTE, XMP),
        (0x83BB, UNDEFINED, IPTC),
        (0x8769, LONG, below),
        (0xC612, BYTE, [1, 4, 0, 0]),
    ]
    tiff.fill(position, first + more)
    return tiff.bytes


def mosaic_value(x, y, width, height):
    """Of red, green, green and blue: ramps, a chequered pattern, and a little noise."""
    ramps = [x / width, (x + y) / (width + height), y / height]
    detail = 0.2 if (x // 8 + y // 8) % 2 else 0
    return int(600 + 40000 * (0.1 + 0.6 * ramps[y % 2 + x % 2] + detail) + (x * 37 + y * 91) % 300)


def sensor_dng():
    """A mosaic that LibRaw develops, with a white balance, and turned."""
    width, height = 70, 46
    tiff = TIFF("<")
    first = description(b"Maker", 6)
    position = tiff.reserve(len(first) + 15)
    below = tiff.directory(exif(adobe=True, tiff=tiff))
    large = tiff.put(jpeg(LARGE))
    mosaic = tiff.reserve(15)
    matrix = [7000, -2000, -500, -4500, 12500, 2200, -800, 1700, 5600]
    first += reduced(True) + size(35, 27) + form(7, 6) + strip(large, jpeg(LARGE))
    more = [
        (0x014A, LONG, mosaic),
        (0x8769, LONG, below),
        (0xC612, BYTE, [1, 4, 0, 0]),
        (0xC613, BYTE, [1, 1, 0, 0]),
        (0xC614, ASCII, b"Maker Model One\0"),
        (0xC621, SRATIONAL, [(value, 10000) for value in matrix]),
        (0xC628, RATIONAL, [(5, 10), (1, 1), (7, 10)]),
        (0xC65A, SHORT, 21),
    ]
    tiff.fill(position, first + more)
    # At the end, so that tests can make it larger.
    values = [mosaic_value(x, y, width, height) for y in range(height) for x in range(width)]
    data = struct.pack(f"<{len(values)}H", *values)
    image = reduced(False) + size(width, height) + form(1, 32803) + strip(tiff.put(data), data)
    more = [
        (0x0102, SHORT, 16),
        (0x0115, SHORT, 1),
        (0x0116, LONG, height),
        (0x011C, SHORT, 1),
        (0x828D, SHORT, [2, 2]),
        (0x828E, BYTE, [0, 1, 1, 2]),
        (0xC61A, SHORT, 512),
        (0xC61D, LONG, 48000),
    ]
    tiff.fill(mosaic, image + more)
    return tiff.bytes


def pentax_pef():
    """The sensor's values first, then a thumbnail, then the preview."""
    tiff = TIFF(">")
    first = description(b"PENTAX", 1)
    position = tiff.reserve(len(first) + 6)
    below = tiff.directory(exif())
    large, small, sensor = tiff.put(jpeg(LARGE)), tiff.put(jpeg(SMALL)), tiff.put(NOISE)
    third = tiff.directory(form(6) + place(large, LARGE))
    second = tiff.directory(form(6) + place(small, SMALL), third)
    first += size(36, 28) + form(65535) + strip(sensor, NOISE)
    tiff.fill(position, [*first, (0x8769, LONG, below)], second)
    return tiff.bytes


def olympus_orf(mark, magic):
    """The preview is in the maker note, whose offsets count from its beginning."""
    tiff = TIFF("<", magic)
    first = description(b"OLYMPUS", 1)
    position = tiff.reserve(len(first) + 5)
    note = TIFF("<")
    note.bytes = bytearray(mark + b"II\3\0")
    root = note.reserve(1)
    large = note.put(jpeg(LARGE))
    settings = note.directory([(0x0100, LONG, 1), (0x0101, LONG, large), (0x0102, LONG, len(jpeg(LARGE)))])
    note.fill(root, [(0x2020, IFD, settings)])
    below = tiff.directory(exif(bytes(note.bytes)))
    first += size(36, 28) + strip(tiff.put(NOISE), NOISE)
    tiff.fill(position, [*first, (0x8769, LONG, below)])
    return tiff.bytes


def panasonic_rw2():
    """The preview is a value of the first directory, and has the whole EXIF."""
    tiff = TIFF("<", b"U\0", bytes.fromhex("88e774d8f8251d4d947a6e77822b5d6a"))
    first = [(0x0112, SHORT, 1), (0x0002, SHORT, 36), (0x0003, SHORT, 28)]
    position = tiff.reserve(len(first) + 3)
    below = tiff.directory([(0x9003, ASCII, b"2001:01:01 01:01:01\0")])
    tiff.fill(
        position,
        first
        + [(0x002E, UNDEFINED, jpeg(DESCRIBED)), (0x010F, ASCII, b"Panasonic\0"), (0x8769, LONG, below)],
    )
    return tiff.bytes + NOISE


def fujifilm_raf():
    head = bytearray(b"FUJIFILMCCD-RAW 0201FF392201Model One".ljust(148, b"\0"))
    struct.pack_into(">II", head, 84, 148, len(jpeg(DESCRIBED)))
    return head + jpeg(DESCRIBED) + NOISE


def box(kind, *parts, identifier=b""):
    content = identifier + b"".join(parts)
    return struct.pack(">I", 8 + len(content)) + kind + content


def canon_cr3():
    """Boxes: the preview is the first track's sample, a smaller one has a box of its own."""
    identifiers = {
        name: bytes.fromhex(text)
        for name, text in {
            "canon": "85c0b687820f11e08111f4ce462b6a48",
            "xmp": "be7acfcb97a942e89c71999491e3afac",
            "preview": "eaf42b5e1c984b88b9fbb7dc406e4d16",
        }.items()
    }

    def part(fields):
        tiff = TIFF("<")
        tiff.directory(fields)
        return bytes(tiff.bytes)

    def track(offset, count, single):
        size = struct.pack(">III", 0, count, 1) if single else struct.pack(">IIII", 0, 0, 1, count)
        table = box(
            b"stbl",
            box(b"stsd", bytes(8)),
            box(b"stsz", size),
            box(b"co64", struct.pack(">IIQ", 0, 1, offset)),
        )
        return box(b"trak", box(b"tkhd", bytes(84)), box(b"mdia", box(b"minf", table)))

    first = part(description(b"Canon", 6) + [(0x0100, SHORT, 36), (0x0101, SHORT, 28)])
    canon = box(
        b"uuid",
        box(b"CNCV", b"CanonCR3_001/00.09.00/00.00.00"),
        box(b"CMT1", first),
        box(b"CMT2", part(exif(NOISE[:200]))),
        box(b"CMT3", part([(1, ASCII, b"note\0")])),
        box(b"CMT4", part([(1, ASCII, b"N\0"), (3, ASCII, b"E\0")])),
        identifier=identifiers["canon"],
    )
    small = box(b"PRVW", struct.pack(">IHHHHI", 0, 1, 17, 33, 1, len(jpeg(SMALL))), jpeg(SMALL))
    head = box(b"ftyp", b"crx \0\0\0\1crx isom")
    padded = XMP.replace(b"<?xpacket end", b" \n" * 500 + b"<?xpacket end") + bytes(40)
    after = box(b"uuid", padded, identifier=identifiers["xmp"]) + box(
        b"uuid", struct.pack(">II", 0, 1), small, identifier=identifiers["preview"]
    )

    def moov(start):
        return box(
            b"moov",
            canon,
            track(start, len(jpeg(LARGE)), True),
            track(start + len(jpeg(LARGE)), len(NOISE), False),
        )

    start = len(head) + len(moov(0)) + len(after) + 16
    size = 16 + len(jpeg(LARGE)) + len(NOISE)
    return head + moov(start) + after + struct.pack(">I4sQ", 1, b"mdat", size) + jpeg(LARGE) + NOISE


FILES = {
    "raw-canon.cr2": canon_cr2(),
    "raw-canon.cr3": canon_cr3(),
    "raw-nikon.nef": nikon_nef(),
    "raw-sony.arw": sony_arw(),
    "raw-adobe.dng": dng(),
    "raw-pentax.pef": pentax_pef(),
    "raw-sensor.dng": sensor_dng(),
    "raw-olympus.orf": olympus_orf(b"OLYMPUS\0", b"RO"),
    "raw-om-system.orf": olympus_orf(b"OM SYSTEM\0\0\0", b"RS"),
    "raw-panasonic.rw2": panasonic_rw2(),
    "raw-fujifilm.raf": fujifilm_raf(),
}


def check():
    """exiftool does not find what is in a track, and takes the preview of Canon's box."""
    for name in FILES:
        wanted = jpeg(DESCRIBED if name[-3:] in ("rw2", "raf") else SMALL if name[-3:] == "cr3" else LARGE)
        found = [
            subprocess.run(["exiftool", "-b", tag, HERE / name], capture_output=True).stdout
            for tag in ("-JpgFromRaw", "-PreviewImage", "-a")
        ]
        if wanted not in found:
            sys.exit(f"exiftool finds another preview in {name}: {[len(data) for data in found]} bytes")


def develop(name):
    """Of 16 bits, in sRGB with its curve, with the camera's white balance."""
    with tempfile.TemporaryDirectory() as folder:
        photo = pathlib.Path(folder) / name
        photo.write_bytes((HERE / name).read_bytes())
        options = ["-6", "-w", "-o", "1", "-g", "2.4", "12.92"]
        subprocess.run(["dcraw_emu", *options, photo], capture_output=True, check=True)
        ppm = pathlib.Path(f"{photo}.ppm").read_bytes()
        made = subprocess.run(["pamtopam"], input=ppm, capture_output=True, check=True).stdout
    (HERE / name).with_suffix(".pam").write_bytes(made)


for name, data in FILES.items():
    (HERE / name).write_bytes(data)
develop("raw-sensor.dng")
if "--check" in sys.argv:
    check()
