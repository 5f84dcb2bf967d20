"""HEICs and AVIFs with HDR gain maps, put together of the pictures of heif-enc and avifenc, which write none.

Apple's map is an auxiliary picture (ISO/IEC 23008-12, 6.4). That of ISO 21496-1 belongs to a derived one,
tmap.
"""

import pathlib
import struct
import subprocess
import tempfile

APPLE_XMP = (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">'
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    '<rdf:Description rdf:about="" xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/">'
    "<HDRGainMap:HDRGainMapVersion>131072</HDRGainMap:HDRGainMapVersion>"
    "<HDRGainMap:HDRGainMapHeadroom>3.5</HDRGainMap:HDRGainMapHeadroom></rdf:Description></rdf:RDF></x:xmpmeta>"
)


def boxes(data):
    start = 0
    while start + 8 <= len(data):
        size, kind = struct.unpack(">I4s", data[start : start + 8])
        yield kind, data[start + 8 : start + size]
        start += size


def box(kind, *parts):
    content = b"".join(parts)
    return struct.pack(">I4s", 8 + len(content), kind) + content


def full_box(kind, version, flags, *parts):
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


class Item:
    def __init__(self, kind, data, properties=(), hidden=False, in_idat=False, content_type=b""):
        self.kind, self.data, self.properties = kind, data, list(properties)
        self.hidden, self.in_idat, self.content_type = hidden, in_idat, content_type


def picture(path, **options):
    """The only picture of a file: its codec's own item, without a grid around it."""
    file = dict(boxes(path.read_bytes()))
    meta = dict(boxes(file[b"meta"][4:]))
    first = (
        dict(boxes(meta[b"iinf"][6:]))[b"infe"]
        if path.suffix == ".avif"
        else next(boxes(meta[b"iinf"][6:]))[1]
    )
    kind = first[8:12]
    properties = list(boxes(dict(boxes(meta[b"iprp"]))[b"ipco"]))
    used = [
        (name, content)
        for name, content in properties
        if name in (b"hvcC", b"av1C", b"ispe", b"pixi", b"colr")
    ]
    return Item(kind, file[b"mdat"], dict(used).items(), **options)


def write(path, brand, items, references):
    """Items have the numbers 1, 2, ...; the first is the photo."""
    properties = []
    associations = b""
    for number, item in enumerate(items, 1):
        places = []
        for entry in item.properties:
            if entry not in properties:
                properties.append(entry)
            places.append(properties.index(entry) + 1)
        if places:
            needed = (b"hvcC", b"av1C", b"irot")
            marked = [place | (128 if properties[place - 1][0] in needed else 0) for place in places]
            associations += struct.pack(">HB", number, len(marked)) + bytes(marked)
    entries = [
        full_box(b"infe", 2, item.hidden, struct.pack(">HH", number, 0), item.kind, b"\0", item.content_type)
        for number, item in enumerate(items, 1)
    ]
    count = sum(bool(item.properties) for item in items)
    idat = b"".join(item.data for item in items if item.in_idat)

    def meta(data_start):
        places, positions = b"", {True: 0, False: data_start}
        for number, item in enumerate(items, 1):
            places += struct.pack(
                ">HHHHII", number, item.in_idat, 0, 1, positions[item.in_idat], len(item.data)
            )
            positions[item.in_idat] += len(item.data)
        return full_box(
            b"meta", 0, 0,
            full_box(b"hdlr", 0, 0, struct.pack(">I", 0), b"pict", bytes(13)),
            full_box(b"pitm", 0, 0, struct.pack(">H", 1)),
            full_box(b"iloc", 1, 0, struct.pack(">HH", 0x4400, len(items)), places),
            full_box(b"iinf", 0, 0, struct.pack(">H", len(items)), *entries),
            full_box(b"iref", 0, 0, *[reference(*each) for each in references]),
            box(
                b"iprp", box(b"ipco", *[box(*entry) for entry in properties]),
                full_box(b"ipma", 0, 0, struct.pack(">I", count), associations)),
            box(b"idat", idat),
        )  # fmt: skip

    head = box(b"ftyp", brand, bytes(4), b"mif1", brand)
    start = len(head) + len(meta(0)) + 8
    data = b"".join(item.data for item in items if not item.in_idat)
    path.write_bytes(head + meta(start) + box(b"mdat", data))


def reference(kind, source, to):
    return box(kind, struct.pack(f">HH{len(to)}H", source, len(to), *to))


def tone_mapping(flags, numbers):
    """ISO 21496-1, annex C: the item's version, the least reader's, the writer's, flags, then fractions."""
    return struct.pack(f">BHHB{len(numbers)}i", 0, 0, 0, flags, *numbers)


def make(here, save):
    """
    - here: the folder of rgb-64.png and its like.
    - save: writes what heif-convert makes of a file as a PAM.
    """
    turned = (b"irot", b"\x01")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        # heif-enc pads to multiples of 64.
        for name, width, height in (("photo", 256, 128), ("map", 128, 64)):
            whole = subprocess.run(["pngtopam", here / "rgb-8.png"], capture_output=True, check=True).stdout
            scale = ["pnmscale", "-width", str(width), "-height", str(height)]
            pixels = subprocess.run(scale, input=whole, capture_output=True, check=True).stdout
            grey = subprocess.run(["ppmtopgm"], input=pixels, capture_output=True, check=True).stdout
            for kind, samples in (("rgb", pixels), ("grey", grey)):
                png = subprocess.run(["pnmtopng"], input=samples, capture_output=True, check=True).stdout
                (folder / f"{name}-{kind}.png").write_bytes(png)

        def encode(command, source, target, *options):
            subprocess.run([*command, *options, folder / source, "-o", folder / target], check=True)
            return folder / target

        heic, avif = ["heif-enc", "-q", "20"], ["avifenc", "-s", "6", "--min", "40", "--max", "50"]
        photo, gain_map = encode(heic, "photo-rgb.png", "p.heic"), encode(heic, "map-grey.png", "m.heic")
        apple = Item(b"mime", APPLE_XMP.encode(), content_type=b"application/rdf+xml\0", hidden=True)
        auxiliary, alone = picture(gain_map, hidden=True), picture(gain_map)
        alone.properties.append(turned)
        write(folder / "alone.heic", b"heic", [alone], [])
        save(folder / "alone.heic", here / "gain-map-apple.map.pam")
        auxiliary.properties += [turned, (b"auxC", bytes(4) + b"urn:com:apple:photo:2020:aux:hdrgainmap\0")]
        shown = picture(photo)
        shown.properties.append(turned)
        write(
            here / "gain-map-apple.heic", b"heic", [shown, auxiliary, apple],
            [(b"auxl", 2, [1]), (b"cdsc", 3, [2])])  # fmt: skip

        # Two stops, with 0.25 as neutral value.
        one = [0, 1, 3, 2, -1, 2, 3, 2, 1, 1, 1, 64, 1, 64]
        mapping = Item(b"tmap", tone_mapping(0x40, one), in_idat=True)
        write(
            here / "gain-map-both.heic", b"heic", [shown, auxiliary, apple, mapping],
            [(b"auxl", 2, [1]), (b"cdsc", 3, [2]), (b"dimg", 4, [1, 2])])  # fmt: skip
        three = one + [-1, 4, 3, 2, 1, 1, 1, 64, 1, 64] + [-1, 2, 3, 2, 1, 1, 1, 64, 1, 64]
        photo = encode(avif, "photo-rgb.png", "p.avif")
        grey = encode(avif, "map-grey.png", "m.avif", "-y", "400")
        colour = encode(avif, "map-rgb.png", "c-10.avif", "-y", "444", "-d", "10")
        for name, path, flags, numbers in (("iso", grey, 0x40, one), ("colour", colour, 0xC0, three)):
            save(path, here / f"gain-map-{name}.map.pam")
            mapping = Item(b"tmap", tone_mapping(flags, numbers), in_idat=True)
            items = [picture(photo), picture(path, hidden=True), mapping]
            write(here / f"gain-map-{name}.avif", b"avif", items, [(b"dimg", 3, [1, 2])])
