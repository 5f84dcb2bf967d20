import CodedDevice
import Foundation
import TestSupport
import Testing
import Tintype
import TintypeCodecs
import TintypeMetadata

@testable import TintypePhotos

/// JPEGs whose HDR gain map follows their outputs.
struct GainMapTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Waves that tell each place from others, in a size; so a map of them must agree with a photo of them.
    private static func waves(_ geometry: PhotoGeometry, grey: Bool) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for row in 0..<geometry.height {
            for column in 0..<geometry.width {
                let x = (Double(column) + 0.5) / Double(geometry.width)
                let y = (Double(row) + 0.5) / Double(geometry.height)
                let value = UInt8(128 + 60 * sin(5 * x + 2 * y) + 50 * cos(4 * y - x * x))
                bytes += Array(repeating: value, count: grey ? 1 : 3)
            }
        }
        let layout = PixelLayout.interleaved(grey ? .grey : .rgb, .eight)
        return try EncodedImage(Pixels(bytes, geometry, layout: layout), as: .jpeg).bytes()
    }

    private static let geometry = PhotoGeometry(width: 160, height: 96)
    private static let mapGeometry = PhotoGeometry(width: 80, height: 48)

    private static func photo(
        _ form: GainMapPhoto.Form = .xmp, orientation: Orientation = .up, greyMap: Bool = true
    ) throws -> [UInt8] {
        var photo = try waves(geometry, grey: false)
        if orientation != .up {
            let exif = Array("Exif\0\0".utf8) + EXIF(orientation: orientation).bytes
            photo.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif, at: 2)
        }
        let map = try waves(mapGeometry, grey: greyMap)
        return GainMapPhoto.photo(
            photo, followedBy: [GainMapPhoto.map(map, form)], form, isBigEndian: orientation == .up)
    }

    private func process(
        _ bytes: [UInt8], _ recipe: Recipe, on device: any Device = SIMDDevice()
    ) throws -> (bytes: [UInt8], notes: [PhotoNote]) {
        let image = try EncodedImage(path: folder.write(bytes, to: "photo.jpg"))
        let output = PhotoJob.Output.file(path: folder.path("out.jpg"))
        let pipeline = PhotoPipeline(recipe, overwrites: true)
        let notes = try pipeline.process(image, to: output, on: device).notes
        return (try folder.read("out.jpg"), notes)
    }

    private func recipe(_ filters: String, _ change: (inout Recipe) -> Void = { _ in }) throws -> Recipe {
        var recipe = Recipe(try filters.isEmpty ? FilterChain([]) : FilterChain(parsing: [filters]))
        change(&recipe)
        return recipe
    }

    private func reader(_ bytes: [UInt8]) throws -> PhotoReader {
        try PhotoReader(bytes: bytes, limits: DecodeLimits())
    }

    /// Luma, or grey.
    private func samples(_ bytes: [UInt8]) throws -> (values: [UInt8], geometry: PhotoGeometry) {
        let reader = try reader(bytes)
        let layout = PixelLayout.interleaved(.grey, .eight), geometry = reader.geometry
        let strip = try Strip(layout: layout, width: geometry.width, rowCapacity: geometry.height)
        try reader.makeSource(layout: layout).read(into: strip)
        let plane = strip.planes[0]
        return (
            (0..<geometry.height).flatMap { row in
                [UInt8](UnsafeRawBufferPointer(start: plane.row(row), count: geometry.width))
            }, geometry
        )
    }

    /// The greatest difference between a map and the photo that it follows, at places of the map.
    private func greatestDifference(_ photo: [UInt8], _ map: [UInt8], margin: Int = 0) throws -> Int {
        let (values, size) = try samples(photo), (mapValues, mapSize) = try samples(map)
        var greatest = 0
        for row in margin..<mapSize.height - margin {
            for column in margin..<mapSize.width - margin {
                let x = (2 * column + 1) * size.width / (2 * mapSize.width)
                let y = (2 * row + 1) * size.height / (2 * mapSize.height)
                let value = Int(values[min(y, size.height - 1) * size.width + min(x, size.width - 1)])
                greatest = max(greatest, abs(value - Int(mapValues[row * mapSize.width + column])))
            }
        }
        return greatest
    }

    @Test(arguments: GainMapPhoto.Form.allCases)
    func theMapIsFound(form: GainMapPhoto.Form) throws {
        for isBigEndian in [true, false] {
            let map = GainMapPhoto.map(try Self.waves(Self.mapGeometry, grey: true), form)
            let other = try TestPhoto.jpeg(width: 16, height: 16, seed: 1)
            let photo = GainMapPhoto.photo(
                try Self.waves(Self.geometry, grey: false), followedBy: [other, map], form,
                isBigEndian: isBigEndian)
            let found = try #require(try reader(photo).readGainMap())
            #expect(found.file == map)
            #expect(found.mention == GainMapMention(isInXMP: form == .xmp, isInSegment: form == .segments))
            #expect(found.meaning.neutral == (form == .apple ? [0] : [0.25]))
        }
    }

    /// A chain, and whether its output is turned.
    @Test(arguments: [
        "", "sepia:intensity=0", "crop:width=70,height=50,x=0.3,y=0.8", "crop:aspect=1:1,x=1",
        "resize:width=64",
        "crop:width=121,height=71,x=0.61+resize:width=90", "resize:width=300,enlarge=yes", "blur:radius=2",
        "crop:width=100,height=96,x=0+crop:width=50,height=48,y=1",
    ])
    func geometryIsThatOfThePhoto(filters: String) throws {
        for orientation in [Orientation.up, .right, .downMirrored, .leftMirrored] {
            for turns in [false, true] {
                let recipe = try recipe(filters) {
                    $0.turnsUpright = turns
                    $0.quality = .value(95)
                }
                let (bytes, notes) = try process(Self.photo(orientation: orientation), recipe)
                let comment: Comment = "\(filters), \(orientation), \(turns)"
                #expect(notes == [], comment)
                let map = try #require(try reader(bytes).readGainMap(), comment)
                #expect(map.mention == GainMapMention(isInXMP: true, isInSegment: false), comment)
                #expect(try greatestDifference(bytes, map.file) <= 10, comment)
            }
        }
    }

    // MARK: HEICs and AVIFs

    private static let heifs = ["gain-map-apple.heic", "gain-map-iso.avif", "gain-map-colour.avif"]

    /// Red, green and blue of a whole photo, in 0...255.
    private func colours(_ bytes: [UInt8]) throws -> (values: [Double], geometry: PhotoGeometry) {
        let reader = try reader(bytes), geometry = reader.geometry
        let layout = reader.format == .jpeg ? .interleaved(.rgb, .eight) : reader.layout
        let strip = try Strip(layout: layout, width: geometry.width, rowCapacity: geometry.height)
        try reader.makeSource(layout: layout).read(into: strip)
        let values = (0..<geometry.height).flatMap { row in
            (0..<3 * geometry.width).map { index in
                let row = UnsafeRawPointer(strip.planes[0].row(row))
                return layout.depth == .sixteen
                    ? Double(row.load(fromByteOffset: 2 * index, as: UInt16.self)) / 257
                    : Double(row.load(fromByteOffset: index, as: UInt8.self))
            }
        }
        return (values, geometry)
    }

    /// Those of a HEIC's map. They are compared with libheif's own elsewhere.
    private func coloursOfMap(_ name: String) throws -> (values: [Double], geometry: PhotoGeometry) {
        try colours(#require(try reader(TestPhoto.fixture(name)).readGainMap()?.file))
    }

    private func meanDifference(_ values: [Double], _ others: [Double]) -> Double {
        zip(values, others).reduce(0) { $0 + abs($1.0 - $1.1) } / Double(values.count)
    }

    @Test(arguments: heifs) func mapsOfHEICsFollowJPEGs(name: String) throws {
        let file = try TestPhoto.fixture(name), expected = try coloursOfMap(name)
        let recipe = try recipe("tilt-shift:radius=0") {
            $0.format = .jpeg
            $0.quality = .value(95)
        }
        let (bytes, notes) = try process(file, recipe)
        #expect(notes == [])
        let map = try #require(try reader(bytes).readGainMap())
        let isApples = name.hasSuffix("heic")
        #expect(map.mention == GainMapMention(isInXMP: !isApples, isInSegment: !isApples))
        #expect(try map.meaning == reader(file).readGainMap()?.meaning)
        #expect(
            try reader(map.file).layout
                == (name == "gain-map-colour.avif" ? .yCbCr(.s444) : .interleaved(.grey, .eight)))
        let (values, geometry) = try colours(map.file)
        #expect(geometry == expected.geometry)
        // Chroma is coarse at the usual quality.
        let isColour = name == "gain-map-colour.avif"
        #expect(meanDifference(values, expected.values) <= (isColour ? 6 : 2))
        let swapped = values.indices.map { values[$0 - $0 % 3 + 2 - $0 % 3] }
        #expect(!isColour || meanDifference(swapped, expected.values) > 12)
    }

    @Test func mapsOfHEICsAreCroppedWithThem() throws {
        let name = Self.heifs[0], expected = try coloursOfMap(name)
        let recipe = try recipe("crop:width=64,height=100,x=0,y=1") { $0.quality = .value(95) }
        let (bytes, notes) = try process(TestPhoto.fixture(name), recipe)
        let map = try #require(try reader(bytes).readGainMap())
        #expect(notes == [])
        let (values, geometry) = try colours(map.file)
        #expect(geometry == PhotoGeometry(width: 32, height: 50))
        func difference(fromRow row: Int) -> Double {
            meanDifference(
                values,
                values.indices.map { index in
                    expected.values[(row + index / 96) * 3 * expected.geometry.width + index % 96]
                })
        }
        let row = expected.geometry.height - 50
        #expect(difference(fromRow: row) <= 4)
        #expect(difference(fromRow: row - 1) > difference(fromRow: row))
    }

    /// What JPEGs' maps undergo holds for these: rules of filters, `--strip`, other formats.
    @Test func mapsOfHEICsAreLeftOutWithANote() throws {
        let apple = try TestPhoto.fixture(Self.heifs[0]), colour = try TestPhoto.fixture(Self.heifs[2])
        #expect(try process(apple, recipe("invert")).notes == [.gainMapLeftOut(.filter(name: "invert"))])
        let toned = try recipe("sepia") { $0.format = .jpeg }
        #expect(try process(apple, toned).notes == [])
        #expect(try process(colour, toned).notes == [.gainMapLeftOut(.channelsDiffer)])
        let png = try recipe("sepia") { $0.format = .png }
        #expect(try process(apple, png).notes == [.furtherPicturesLeftOut([.gainMap])])
        let stripped = try process(apple, recipe("sepia") { $0.stripsMetadata = true })
        #expect(try stripped.notes == [] && reader(stripped.bytes).readGainMap() != nil)
    }

    @Test func halvedPhotosHaveHalvedMaps() throws {
        let (bytes, _) = try process(Self.photo(), recipe("") { $0.halvesSize = true })
        let map = try #require(try reader(bytes).readGainMap())
        #expect(try samples(map.file).geometry == PhotoGeometry(width: 40, height: 24))
        #expect(try greatestDifference(bytes, map.file) <= 8)
    }

    @Test func aFrameIsAsBrightInBothRenditions() throws {
        let (bytes, _) = try process(Self.photo(), recipe("border:size=16,colour=#808080"))
        let map = try #require(try reader(bytes).readGainMap())
        let (values, size) = try samples(map.file)
        #expect(size == PhotoGeometry(width: 96, height: 64))
        for place in [0, 95, 63 * 96, 63 * 96 + 95, 32 * 96 + 2] {
            #expect(abs(Int(values[place]) - 64) <= 2)
        }
    }

    /// The file is as the readers of others expect: sizes, places and what the photo's metadata say.
    @Test(arguments: GainMapPhoto.Form.allCases)
    func theOutputTellsOfItsMap(form: GainMapPhoto.Form) throws {
        for change: (inout Recipe) -> Void in [
            { _ in }, { $0.optimizesCodes = true }, { $0.isProgressive = true }, { $0.restartRows = 1 },
            { $0.maxByteCount = 8000 },
        ] {
            let (bytes, notes) = try process(Self.photo(form), recipe("sepia", change))
            let map = try #require(try reader(bytes).readGainMap())
            #expect(map.mention == GainMapMention(isInXMP: form == .xmp, isInSegment: form == .segments))
            #expect(notes == [] && bytes.suffix(map.file.count) == map.file[...])
            // The photo ends where the map begins.
            let end = bytes.count - map.file.count
            #expect(bytes[end - 2..<end] == [0xFF, 0xD9] && map.file.starts(with: [0xFF, 0xD8]))
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains(#"Item:Length="\#(map.file.count)""#) == (form == .xmp))
            #expect(text.contains("urn:iso:std:iso:ts:21496") == (form == .segments))
        }
    }

    /// Without a change to its pixels, the map's compressed image is copied; what is about people is not.
    @Test func theMapKeepsItsCoefficients() throws {
        let photo = try Self.photo()
        let (bytes, _) = try process(photo, recipe("sepia"))
        let before = try #require(try reader(photo).readGainMap())
        let after = try #require(try reader(bytes).readGainMap())
        #expect(try samples(before.file).values == samples(after.file).values)
        #expect(after.meaning == before.meaning)
    }

    @Test func otherPropertiesOfTheXMPStay() throws {
        let photo = GainMapPhoto.photo(
            try Self.waves(Self.geometry, grey: false),
            followedBy: [GainMapPhoto.map(try Self.waves(Self.mapGeometry, grey: true), .xmp)], .xmp,
            comment: "kept")
        let (bytes, notes) = try process(photo, recipe("sepia"))
        #expect(String(decoding: try reader(bytes).metadata.xmp ?? [], as: UTF8.self).contains("kept"))
        #expect(try reader(bytes).readGainMap() != nil && notes == [])
        let (stripped, _) = try process(photo, recipe("sepia") { $0.stripsMetadata = true })
        #expect(!String(decoding: stripped, as: UTF8.self).contains("kept"))
        #expect(try reader(stripped).readGainMap() != nil)
    }

    /// A run that only leaves out metadata copies both images.
    @Test func strippedCopiesHaveTheirMap() throws {
        let photo = try Self.photo(.segments)
        let (bytes, notes) = try process(photo, recipe("") { $0.stripsMetadata = true })
        #expect(notes == [])
        #expect(try samples(bytes).values == samples(photo).values)
        let map = try #require(try reader(bytes).readGainMap())
        #expect(try greatestDifference(bytes, map.file) <= 8)
        let (apple, appleNotes) = try process(Self.photo(.apple), recipe("") { $0.stripsMetadata = true })
        #expect(try reader(apple).readGainMap() == nil)
        #expect(appleNotes == [.gainMapLeftOut(.meaningLeftOut)])
    }

    @Test func mapsThatWouldBeWrongAreLeftOut() throws {
        let (inverted, notes) = try process(Self.photo(), recipe("invert"))
        #expect(notes == [.gainMapLeftOut(.filter(name: "invert"))])
        #expect(try reader(inverted).readGainMap() == nil)
        #expect(!String(decoding: inverted, as: UTF8.self).contains("hdr-gain-map"))
        #expect(
            notes.map(\.description) == [
                "The HDR gain map after the photo was left out: it does not fit what invert does with bright and dark."
            ])
        let (_, png) = try process(Self.photo(), recipe("sepia") { $0.format = .png })
        #expect(png == [.furtherPicturesLeftOut([.gainMap])])
    }

    @Test func damagedMapsAreLeftOut() throws {
        let waves = try Self.waves(Self.mapGeometry, grey: true)
        let cut = GainMapPhoto.map(Array(waves.dropLast(waves.count / 2)), .xmp)
        let large = GainMapPhoto.map(try Self.waves(PhotoGeometry(width: 161, height: 20), grey: true), .xmp)
        let photo = try Self.waves(Self.geometry, grey: false)
        let (damaged, notes) = try process(
            GainMapPhoto.photo(photo, followedBy: [cut], .xmp), recipe("resize:width=80"))
        #expect(notes == [.gainMapLeftOut(.damaged)])
        #expect(try reader(damaged).readGainMap() == nil)
        #expect(
            try process(GainMapPhoto.photo(photo, followedBy: [large], .xmp), recipe("sepia")).notes == [
                .gainMapLeftOut(.largerThanPhoto)
            ])
        let across = GainMapPhoto.map(try Self.waves(PhotoGeometry(width: 48, height: 80), grey: true), .xmp)
        #expect(
            try process(GainMapPhoto.photo(photo, followedBy: [across], .xmp), recipe("sepia")).notes == [
                .gainMapLeftOut(.otherShape)
            ])
        // An index that leads nowhere.
        let lost = GainMapPhoto.photo(photo, followedBy: [cut], .xmp).dropLast(cut.count)
        #expect(
            try process(Array(lost), recipe("sepia")).notes == [.furtherPicturesLeftOut([.gainMap])])
    }

    @Test func mapsInColourBecomeGreyWithThePhoto() throws {
        let photo = try Self.photo(greyMap: false)
        let (noir, _) = try process(photo, recipe("noir"))
        let map = try #require(try reader(noir).readGainMap())
        #expect(try !reader(map.file).layout.hasColour)
        // Readers of gain maps expect a photo with colour.
        #expect(try reader(noir).layout.hasColour)
        let (warm, _) = try process(photo, recipe("white-balance:temperature=20"))
        #expect(try reader(#require(try reader(warm).readGainMap()).file).layout.hasColour)
    }

    /// The metadata of a map of one channel may speak of three, and a photo may have more segments than bytes of them.
    @Test func strangeFilesAreNoFailures() throws {
        let photo = try Self.waves(Self.geometry, grey: false)
        var map = GainMapPhoto.map(try Self.waves(Self.mapGeometry, grey: true), .segments)
        let channel = [0, 0, 0, 1], zero = [0, 0, 0, 0]
        let ratios = [zero, channel, [0, 0, 0, 3], channel].joined()
        let channels = (0..<3).flatMap { index -> [UInt8] in
            let minimum = [255, 255, 255, UInt8(255 - index)]
            return
                (minimum + [0, 0, 0, 1, 0, 0, 0, 3] + [UInt8](repeating: 0, count: 3) + [1]
                + [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 64, 0, 0, 0, 1, 0, 0, 0, 64])
        }
        let content =
            Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + [0, 0, 0, 0, 0x80] + ratios.map { UInt8($0) }
            + channels
        let oldByteCount = Int(map[4]) << 8 + Int(map[5]) + 2
        map.replaceSubrange(2..<2 + oldByteCount, with: [0xFF, 0xE2, 0, UInt8(content.count + 2)] + content)
        let file = GainMapPhoto.photo(photo, followedBy: [map], .segments)
        #expect(try #require(try reader(file).readGainMap()).meaning.hasEqualChannels == false)
        let (framed, notes) = try process(file, recipe("border:size=16"))
        #expect(try reader(framed).readGainMap() != nil && notes == [])

        let comments = [[UInt8]](repeating: [0xFF, 0xFE, 0, 3, 65], count: 60_000).joined()
        var whole = try Self.photo()
        let end = whole.count
        whole.insert(contentsOf: comments, at: 2)
        #expect(whole.count == end + 300_000)
        // The index counts from itself, so it must come after them.
        #expect(try reader(process(whole, recipe("sepia")).bytes).readGainMap() != nil)
    }

    @Test func aMapMayTakeAQuarterOfTheBytes() throws {
        let photo = try Self.photo()
        let byteCount = try #require(try reader(photo).readGainMap()).file.count
        let (small, notes) = try process(photo, recipe("sepia") { $0.maxByteCount = 3 * byteCount })
        #expect(try reader(small).readGainMap() == nil && notes == [.gainMapLeftOut(.tooLarge)])
        let (large, none) = try process(photo, recipe("sepia") { $0.maxByteCount = 5 * byteCount })
        #expect(try reader(large).readGainMap() != nil && none == [] && large.count <= 5 * byteCount)
    }

    @Test func devicesThatCodePhotosGiveTheSameFile() throws {
        for filters in ["sepia", "tilt-shift:radius=5", "crop:width=80"] {
            let device = CodedDevice()
            let (bytes, _) = try process(Self.photo(), recipe(filters), on: device)
            #expect(try bytes == process(Self.photo(), recipe(filters)).bytes)
            #expect(device.made.encoded == 1)
            let checked = CheckedDevice(CodedDevice(), share: 1)
            #expect(try bytes == process(Self.photo(), recipe(filters), on: checked).bytes)
            #expect(checked.passedChecks == 1)
        }
    }

    @Test func severalOutputsHaveMapsOfTheirOwn() throws {
        let image = try EncodedImage(path: folder.write(try Self.photo(), to: "photo.jpg"))
        let recipes = [try recipe("sepia"), try recipe("resize:width=80"), try recipe("invert")]
        let outputs = recipes.indices.map {
            PhotoOutput(.file(path: folder.path("\($0).jpg")), recipe: $0, overwrites: false)
        }
        let results = PhotoRun(
            PhotoPipeline(recipes[0]), image, outputs, of: recipes, on: SIMDDevice(), isCancelled: { false }
        ).results()
        #expect(results.allSatisfy { (try? $0.get()) != nil })
        let widths = try recipes.indices.map { index in
            try reader(folder.read("\(index).jpg")).readGainMap().map { try samples($0.file).geometry.width }
        }
        #expect(widths == [80, 40, nil])
    }
}
