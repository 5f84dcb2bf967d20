import Foundation
import Glibc
import TintypeBatches
import TintypeCodecs
import TintypeFilterPictures
import TintypeFilters
import TintypeImaging
import TintypeJournals
import TintypeKernelFiles
import TintypeLists
import TintypeManifests
import TintypeMetadata

/// The parsers that libFuzzer tests. `TINTYPE_FUZZED_PARSER` names one of them.
///
/// Each gets bytes, and does with them what a run of the tool does. Its errors are right; a trap, a crash or a report of a
/// sanitizer is a finding.
enum FuzzedParser: String, CaseIterable {
    case photo, raw, exif, gainmap, heif, icc, mpf, photoshop, xmp
    case cube, filters, kernel, recipe, template
    case journal, list, manifest, request

    static let chosen: FuzzedParser = {
        let name = ProcessInfo.processInfo.environment["TINTYPE_FUZZED_PARSER"] ?? ""
        guard let parser = FuzzedParser(rawValue: name) else {
            let names = allCases.map(\.rawValue).joined(separator: ", ")
            fatalError("TINTYPE_FUZZED_PARSER is '\(name)'; it may be \(names)")
        }
        return parser
    }()

    func parse(_ bytes: [UInt8]) {
        switch self {
        case .cube: Self.parseFile(bytes) { _ = try FilterChain(parsing: ["lut:file=\($0)"]) }
        case .exif: Self.rewrite(.exif(bytes))
        case .filters: _ = try? FilterChain(parsing: [String(decoding: bytes, as: UTF8.self)])
        case .gainmap: Self.parseGainMap(bytes)
        case .heif: Self.findGainMaps(bytes)
        case .icc: Self.rewrite(.icc(ICCProfile(bytes: bytes)))
        case .journal: Self.parseJournal(bytes)
        // Its header is read. It is never compiled.
        case .kernel: Self.parseFile(bytes) { _ = try KernelFilter(contentsOf: $0) }
        case .list: Self.parseList(bytes)
        case .manifest: Self.parseFile(bytes) { try Manifest($0).forEachPhoto { _, _ in } }
        case .mpf: Self.rewrite(.jpegSegment(marker: 0xE2, Array("MPF\0".utf8) + bytes))
        case .photo: Self.decode(bytes)
        case .photoshop: Self.rewrite(.jpegSegment(marker: 0xED, Array("Photoshop 3.0\0".utf8) + bytes))
        case .raw: if PhotoFormat.detect(bytes) == .raw { Self.decode(bytes) }
        case .recipe: Self.parseRecipe(bytes)
        case .request: Self.gallery.send(bytes)
        case .template: Self.parseTemplate(bytes)
        case .xmp:
            Self.rewrite(.xmp(bytes))
            Self.rate(bytes)
        }
    }

    /// Gives a packet's photo stars.
    private static func rate(_ bytes: [UInt8]) {
        guard let rating = XMPRating(of: bytes) else { return }
        precondition(XMPRating.value(of: rating.setting(3)) == 3, "the stars are not there")
    }

    /// Reads what a gain map says of itself, and lets a photo with the same XMP refer to it.
    private static func parseGainMap(_ bytes: [UInt8]) {
        let prefix = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
        for item in [PhotoMetadata.Item.xmp(bytes), .jpegSegment(marker: 0xE2, prefix + bytes)] {
            let metadata = PhotoMetadata(items: [item])
            for value in GainMapMetadata(metadata)?.neutral ?? [] {
                precondition((0...1).contains(value), "\(value) is no value of a map")
            }
            _ = metadata.ofGainMap
            let mention = GainMapMention(isInXMP: true, isInSegment: true)
            let told = metadata.withoutFurtherPictures().telling(of: mention, byteCount: 1)
            precondition(
                told.map { $0.gainMapMention == mention } ?? true, "the photo does not refer to the map")
        }
    }

    /// Reads a HEIC's items, but decodes nothing.
    private static func findGainMaps(_ bytes: [UInt8]) {
        for map in HEIFGainMap.all(in: bytes) {
            let file = map.shown(in: bytes)
            let changedCount = zip(file, bytes).count { $0 != $1 }
            precondition(
                file.count == bytes.count && changedCount <= 5, "more than a number and a flag changed")
            _ = map.toneMapping.flatMap { ToneMapping(item: $0, isGrey: map.isGrey) }
        }
    }

    /// Reads a piece of metadata, and makes all the changes to it that outputs need.
    private static func rewrite(_ item: PhotoMetadata.Item) {
        let metadata = PhotoMetadata(items: [item])
        _ = metadata.orientation
        _ = metadata.furtherPictures
        for colour in [false, true] {
            _ = metadata.matching(colour: colour)
            _ = metadata.convertedToSRGB().matching(colour: colour)
        }
        _ = metadata.withoutFurtherPictures().forFilteredPixels().upright().stripped()
        _ = metadata.resized(to: PhotoGeometry(width: 30, height: 20), isWhole: false).withProfileOfAdobeRGB()
        let photo = PhotoGeometry(width: 40, height: 30, orientation: .left), smaller = photo.halved
        let cropped = FrameChange(of: photo).showing(columns: 10..<30, rows: -5..<20, as: smaller)
        for change in [cropped, cropped.upright(), FrameChange(of: photo).resized(to: smaller)] {
            _ = metadata.moved(by: change)
        }
        let rewritten = metadata.forFilteredPixels().upright()
        // What is removed stays removed.
        precondition(
            rewritten.forFilteredPixels().upright() == rewritten, "a second pass changed \(rewritten)")
    }

    private static func decode(_ bytes: [UInt8]) {
        var limits = DecodeLimits(maxPixels: 1 << 16)
        for toleratesDamage in [false, true] {
            limits.toleratesDamage = toleratesDamage
            guard let reader = try? PhotoReader(bytes: bytes, limits: limits) else { continue }
            _ = reader.metadata.forFilteredPixels().withoutThumbnailsInRawProfiles(limits: limits).upright()
                .convertedToSRGB()
            _ = try? reader.readGainMap()
            guard let source = try? reader.makeSource(layout: reader.layout),
                let strip = try? Strip(layout: reader.layout, width: reader.geometry.width, rowCapacity: 8)
            else { continue }
            repeat { guard (try? source.read(into: strip)) != nil else { break } } while strip.rowCount > 0
        }
    }

    private static func parseList(_ bytes: [UInt8]) {
        let list = PhotoList(bytes: bytes, origin: .folder("/in"), name: "list")
        while true {
            do throws(ListError) {
                guard let entry = try list.next() else { return }
                let name = OutputName.make(for: entry)
                precondition(
                    !name.isEmpty && !name.contains("/") && !name.hasPrefix(".") && name.utf8.count <= 255,
                    "'\(name)' is no name of a file")
            } catch {
                if error.endsList { return }
            }
        }
    }

    private static func parseRecipe(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let recipe = Recipe(canonicalText: text, reading: .readable) else { return }
        precondition(recipe.canonicalText == text, "\(text) is read as \(recipe.canonicalText)")
    }

    private static func parseTemplate(_ bytes: [UInt8]) {
        _ = try? OutputDestination(String(decoding: bytes, as: UTF8.self), isFolder: { _ in false })
            .impliedFormat()
    }

    private static func parseJournal(_ bytes: [UInt8]) {
        write(bytes, to: "out/.tintype/journal.jsonl")
        let journal = try? Journal(outputFolder: scratchFolder + "/out")
        _ = try? journal?.receipts(in: .failed)
    }

    private static func parseFile(_ bytes: [UInt8], _ parse: (String) throws -> Void) {
        try? parse(write(bytes, to: "input.cl"))
    }

    /// - Returns: the file's path.
    @discardableResult private static func write(_ bytes: [UInt8], to name: String) -> String {
        let path = scratchFolder + "/" + name
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        precondition(
            file >= 0 && Glibc.write(file, bytes, bytes.count) == bytes.count,
            "cannot write \(path): \(String(cString: strerror(errno)))")
        close(file)
        return path
    }

    private static let gallery: FuzzedGallery = {
        let photo = write(Array(Data(base64Encoded: smallPhoto)!), to: "photo.png")
        return wait {
            do { return try await FuzzedGallery([photo, photo]) } catch { fatalError("\(error)") }
        }
    }()

    /// One pixel, as PNG.
    private static let smallPhoto =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="

    /// In memory, where the system has such a folder.
    fileprivate static let scratchFolder: String = {
        let parent = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        let folder = "\(parent)/tintype-fuzzing-\(ProcessInfo.processInfo.processIdentifier)"
        try? FileManager.default.createDirectory(
            atPath: folder + "/out/.tintype", withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: FuzzedParser.scratchFolder) }
        return folder
    }()
}

/// What libFuzzer calls for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    FuzzedParser.chosen.parse(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
