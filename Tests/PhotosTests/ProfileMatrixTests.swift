import Foundation
import TestSupport
import Testing
import Tintype
import TintypeMetadata

@testable import TintypeCodecs
@testable import TintypePhotos

/// Photos of every kind with a profile of every kind: what outputs' pixels become, and what profile says so.
struct ProfileMatrixTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    enum Photo: CaseIterable { case grey, rgb, inks }
    enum Profile: CaseIterable { case none, sRGB, grey, rgb, cmyk }

    /// What is expected of a photo's outputs, which are grey or in colour.
    struct Cell: CustomTestStringConvertible {
        var photo: Photo
        var profile: Profile
        var toSRGB: Bool
        /// Of grey pixels of 100.
        var value = 100
        /// Descriptions of the outputs' profiles.
        var greyProfile: String?
        var colourProfile: String?
        /// Whether an output without colour stays in colour, because its profile needs that.
        var staysInColour = false
        var notes: Set<String> = []

        var testDescription: String { "\(photo) with \(profile), \(toSRGB ? "to sRGB" : "as it is")" }
    }

    private static let gamma = ColourEncoding(curve: .power(1.8), primaries: .displayP3)
    private static let rgb = gamma.profile(hasColour: true, description: "Wide")
    private static let grey = gamma.profile(hasColour: false, description: "Gamma 1.8")
    private static let leftOut = "left", notConverted = "converted", inksNotUsed = "CMYK"

    /// 100 of 255, raised to 1.8 and encoded as sRGB (IEC 61966-2-1): 119.3.
    private static let converted = 119

    static let cells: [Cell] = [false, true].flatMap { toSRGB -> [Cell] in
        func cell(_ photo: Photo, _ profile: Profile) -> Cell {
            Cell(photo: photo, profile: profile, toSRGB: toSRGB)
        }
        func with(_ cell: Cell, _ change: (inout Cell) -> Void) -> Cell {
            var cell = cell
            change(&cell)
            return cell
        }
        // Without a profile, and with one that says nothing of the pixels.
        let plain = Photo.allCases.map { cell($0, .none) }
        let foreign = [(.grey, .cmyk), (.rgb, .grey), (.rgb, .cmyk), (.inks, .grey), (.inks, .rgb)].map {
            with(cell($0, $1)) {
                $0.notes = toSRGB && $0.photo != .inks ? [leftOut, notConverted] : [leftOut]
            }
        }
        let sRGB = Photo.allCases.map {
            with(cell($0, .sRGB)) { ($0.greyProfile, $0.colourProfile) = ("sRGB grey", "sRGB") }
        }
        let own = [
            with(cell(.grey, .grey)) {
                ($0.greyProfile, $0.colourProfile) = ("Gamma 1.8", "RGB, with the curve of the grey profile")
            },
            with(cell(.grey, .rgb)) {
                ($0.greyProfile, $0.colourProfile) = ("Grey, with the curve of the RGB profile", "Wide")
            },
            with(cell(.rgb, .rgb)) {
                ($0.greyProfile, $0.colourProfile, $0.staysInColour) = ("Wide", "Wide", true)
            },
        ].map { cell in
            guard toSRGB else { return cell }
            return with(cell) {
                ($0.greyProfile, $0.colourProfile, $0.staysInColour) = ("sRGB grey", "sRGB", false)
                $0.value = converted
            }
        }
        // A header alone cannot be used.
        let inks = with(cell(.inks, .cmyk)) { $0.notes = [inksNotUsed] }
        return plain + foreign + sRGB + own + [inks]
    }

    @Test func everyCellIsThere() {
        #expect(Self.cells.count == Photo.allCases.count * Profile.allCases.count * 2)
    }

    @Test(arguments: cells, [PhotoFormat.jpeg, .png])
    func pixelsAndProfileSayTheSame(cell: Cell, format: PhotoFormat) throws {
        guard cell.photo != .inks || format == .jpeg else { return }
        let path = try folder.write(try file(cell.photo, cell.profile, format), to: "photo")
        for outputFormat in PhotoFormat.written {
            for hasColour in [false, true] {
                let filter: any Filter =
                    hasColour ? Duotone(shadows: Self.black, highlights: Self.white) : Grayscale()
                let recipe = Recipe(
                    FilterChain([filter]), format: outputFormat, quality: .value(100),
                    convertsToSRGB: cell.toSRGB,
                    // With loss, libjxl gives sRGB for profiles that it has no codes for.
                    isLossless: outputFormat == .jxl)
                let output = try PhotoPipeline(recipe).process(EncodedImage(path: path), on: SIMDDevice())
                let bytes = try output.image.bytes()
                let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
                // A format without grey has the same colours as if the filter gave some.
                let isColour = hasColour || !outputFormat.hasGrey
                let place: Comment = "to \(outputFormat), \(hasColour ? "in colour" : "grey")"
                #expect(reader.layout.hasColour == (isColour || cell.staysInColour), place)
                let profile = isColour ? cell.colourProfile : cell.greyProfile
                #expect(reader.metadata.icc?.profileDescription == profile, place)
                #expect(Set(output.notes.map(Self.kind)) == cell.notes, place)
                let values = try EncodedImage(bytes: bytes).pixels(
                    layout: .interleaved(reader.layout.hasColour ? .rgb : .grey, .eight)
                ).bytes
                #expect(values.allSatisfy { abs(Int($0) - cell.value) <= 2 }, place)
            }
        }
    }

    private static let black = PlainColour(0, 0, 0)
    private static let white = PlainColour(255, 255, 255)

    private static func kind(_ note: PhotoNote) -> String {
        switch note {
        case .profileLeftOut: leftOut
        case .notConvertedToSRGB: notConverted
        case .cmykProfileNotUsed: inksNotUsed
        default: "\(note)"
        }
    }

    /// A photo of 16 x 16 pixels of 100, with the profile.
    private func file(_ photo: Photo, _ profile: Profile, _ format: PhotoFormat) throws -> [UInt8] {
        var bytes: [UInt8]
        switch photo {
        case .grey, .rgb:
            let isGrey = photo == .grey, geometry = PhotoGeometry(width: 16, height: 16)
            // Planes of a grey colour: 100, and chroma of 128.
            let samples = [UInt8](repeating: 100, count: 256)
            let chroma = [UInt8](repeating: format == .jpeg ? 128 : 100, count: 512)
            let layout: PixelLayout =
                isGrey
                ? .interleaved(.grey, .eight) : format == .jpeg ? .yCbCr(.s444) : .interleaved(.rgb, .eight)
            bytes = try EncodedImage(
                Pixels(isGrey ? samples : samples + chroma, geometry, layout: layout), as: format,
                quality: 100
            ).bytes()
        case .inks:
            bytes = try TestPhoto.fixture("grey-inks.jpg")
        }
        guard let icc = Self.profile(profile) else { return bytes }
        if format == .jpeg {
            let payload = Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + icc.bytes, length = payload.count + 2
            bytes.insert(
                contentsOf: [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)] + payload, at: 2)
        } else {
            // After the signature and IHDR.
            let chunks = PNGChunk.chunks(for: PhotoMetadata(items: [.icc(icc)]))
            bytes.insert(contentsOf: chunks.flatMap(\.fileBytes), at: 33)
        }
        return bytes
    }

    private static func profile(_ profile: Profile) -> ICCProfile? {
        switch profile {
        case .none: return nil
        case .sRGB: return .sRGB
        case .grey: return grey
        case .rgb: return rgb
        case .cmyk:
            var header = [UInt8](repeating: 0, count: 132)
            header.replaceSubrange(12..<16, with: "prtr".utf8)
            header.replaceSubrange(16..<20, with: "CMYK".utf8)
            return ICCProfile(bytes: header)
        }
    }
}
