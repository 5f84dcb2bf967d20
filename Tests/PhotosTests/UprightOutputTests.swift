import Foundation
import TestSupport
import Testing
import Tintype
import TintypeCodecs
import TintypeMetadata

@testable import TintypePhotos

/// Outputs that are stored as they are shown.
struct UprightOutputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let nothing = FilterChain([])
    private static let tiltShift = FilterChain([TiltShift(radius: .pixels(3), band: 0.2)])

    /// A photo of waves, which a JPEG changes little.
    private func photo(
        _ format: PhotoFormat, _ layout: PixelLayout, _ geometry: PhotoGeometry,
        _ items: [PhotoMetadata.Item] = []
    ) throws -> [UInt8] {
        let photo = MemoryPhoto(geometry, layout: layout)
        for (index, plane) in photo.strip.planes.enumerated() {
            for row in 0..<geometry.height.dividedRoundingUp(by: plane.subsampling.vertical) {
                for byte in 0..<plane.width * plane.bytesPerSample {
                    let value = UInt8(128 + 50 * sin(Double(byte + 2 * row) / Double(9 + 20 * index)))
                    plane.row(row).storeBytes(of: value, toByteOffset: byte, as: UInt8.self)
                }
            }
        }
        let file = try #require(FileHandle(forWritingAtPath: try folder.write([], to: "photo")))
        let writer = try PhotoWriter(
            fileDescriptor: file.fileDescriptor,
            settings: PhotoWriterSettings(
                format: format, geometry: geometry, layout: layout,
                metadata: PhotoMetadata(
                    items: [.exif(EXIF(orientation: geometry.orientation).bytes)] + items),
                jpegQuality: .value(92)))
        try writer.write(photo.strip)
        try writer.finish()
        return try folder.read("photo")
    }

    private func process(_ bytes: [UInt8], _ recipe: Recipe) throws -> EncodedImage {
        let path = try folder.write(bytes, to: "photo")
        return try PhotoPipeline(recipe).process(EncodedImage(path: path), on: SIMDDevice()).image
    }

    private func upright(_ recipe: Recipe) -> Recipe {
        var recipe = recipe
        recipe.turnsUpright = true
        return recipe
    }

    /// The samples as they are shown, row by row.
    private func shown(_ image: EncodedImage) throws -> (geometry: PhotoGeometry, samples: [UInt8]) {
        let pixels =
            try image.format == .jpeg ? image.pixels(layout: .interleaved(.rgb, .eight)) : image.pixels()
        let geometry = pixels.geometry, bytesPerPixel = pixels.layout.bytesPerPixel
        var samples = pixels.bytes
        for row in 0..<geometry.height {
            for column in 0..<geometry.width {
                let (x, y) = geometry.shownPlace(column: column, row: row)
                let from = (row * geometry.width + column) * bytesPerPixel
                let to = (y * geometry.shownWidth + x) * bytesPerPixel
                samples.replaceSubrange(
                    to..<to + bytesPerPixel, with: pixels.bytes[from..<from + bytesPerPixel])
            }
        }
        return (geometry, samples)
    }

    @Test(arguments: Orientation.allCases)
    func aPNGLooksTheSame(orientation: Orientation) throws {
        let geometry = PhotoGeometry(width: 37, height: 90, orientation: orientation)
        for layout in [PixelLayout.interleaved(.rgb, .eight), .interleaved(.greyAlpha, .sixteen)] {
            let photo = try photo(.png, layout, geometry)
            for chain in [Self.nothing, Self.tiltShift, try FilterChain(parsing: ["resize:scale=0.5"])] {
                let (before, wanted) = try shown(process(photo, Recipe(chain)))
                let (after, samples) = try shown(process(photo, upright(Recipe(chain))))
                #expect(after == before.upright)
                #expect(samples == wanted)
            }
        }
    }

    /// Whole squares of chroma turn as they are. Others have new squares, of chroma that was interpolated.
    @Test(arguments: Orientation.allCases, ChromaSubsampling.common)
    func aJPEGLooksTheSame(orientation: Orientation, subsampling: ChromaSubsampling) throws {
        for (width, height, tolerance) in [(48, 80, 8), (37, 81, 12)] {
            let geometry = PhotoGeometry(width: width, height: height, orientation: orientation)
            let photo = try photo(.jpeg, .yCbCr(subsampling), geometry)
            for chain in [Self.nothing, Self.tiltShift] {
                let (before, wanted) = try shown(process(photo, Recipe(chain)))
                let output = try process(photo, upright(Recipe(chain)))
                let (after, samples) = try shown(output)
                #expect(after == before.upright)
                let differences = zip(samples, wanted).map { abs(Int($0) - Int($1)) }
                #expect(differences.max() ?? 255 <= tolerance, "\(width) x \(height)")
                let coding = try PhotoReader(bytes: output.bytes(), limits: DecodeLimits()).jpegCoding
                #expect(coding?.subsampling == (orientation.swapsAxes ? subsampling.transposed : subsampling))
            }
        }
    }

    @Test func aPhotoThatIsUprightGetsTheBytesOfOtherRuns() throws {
        let photo = try photo(.jpeg, .yCbCr(.s420), PhotoGeometry(width: 37, height: 81))
        for recipe in [Recipe(Self.nothing), Recipe(Self.tiltShift), Recipe(Self.tiltShift, format: .png)] {
            #expect(try process(photo, upright(recipe)).bytes() == process(photo, recipe).bytes())
        }
    }

    /// The tables follow the coefficients, so little changes where nothing else does.
    @Test func anUnfilteredJPEGKeepsItsQuantisation() throws {
        let geometry = PhotoGeometry(width: 64, height: 48, orientation: .right)
        let photo = try photo(.jpeg, .yCbCr(.s422), geometry)
        func coding(_ bytes: [UInt8]) throws -> JPEGCoding {
            try #require(try PhotoReader(bytes: bytes, limits: DecodeLimits()).jpegCoding)
        }
        let before = try coding(photo),
            after = try coding(process(photo, upright(Recipe(Self.nothing))).bytes())
        for (from, to) in zip(before.quantTables, after.quantTables) {
            for row in 0..<8 {
                for column in 0..<8 { #expect(to[8 * column + row] == from[8 * row + column]) }
            }
        }
    }

    @Test(arguments: [PhotoFormat.jpeg, .png], [true, false])
    func noOrientationIsLeft(format: PhotoFormat, strips: Bool) throws {
        let xmp = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6" tiff:Make="Tin"/>\
            </rdf:RDF></x:xmpmeta>
            """
        let geometry = PhotoGeometry(width: 40, height: 24, orientation: .right)
        let photo = try photo(
            format, format == .jpeg ? .yCbCr(.s420) : .interleaved(.rgb, .eight), geometry,
            [.xmp(Array(xmp.utf8))])
        let recipe = Recipe(Self.nothing, stripsMetadata: strips)
        let metadata = try PhotoReader(
            bytes: try process(photo, upright(recipe)).bytes(), limits: DecodeLimits()
        ).metadata
        #expect(metadata.orientation == .up)
        #expect((metadata.exif == nil) == strips)
        let packets = metadata.items.compactMap { if case .xmp(let bytes) = $0 { bytes } else { nil } }
        #expect(packets.count == (strips ? 0 : 1))
        for packet in packets {
            let text = String(decoding: packet, as: UTF8.self)
            #expect(!text.contains("Orientation") && text.contains("tiff:Make"))
        }
    }

    @Test func severalOutputsAreThoseThatAreMadeAlone() throws {
        let resize = FilterChain([Resize(long: 30)])
        let recipes = [
            Recipe(Self.tiltShift), upright(Recipe(Self.tiltShift)), upright(Recipe(Self.nothing)),
            upright(Recipe(Self.nothing, format: .png)), upright(Recipe(resize)), Recipe(resize),
        ]
        for (width, height) in [(64, 96), (61, 95)] {
            let photo = try photo(
                .jpeg, .yCbCr(.s420), PhotoGeometry(width: width, height: height, orientation: .left))
            let path = try folder.write(photo, to: "several")
            let outputs = recipes.indices.map {
                PhotoOutput(.file(path: folder.path("\(width)/\($0)")), recipe: $0, overwrites: false)
            }
            let results = PhotoRun(
                PhotoPipeline(recipes[0]), try EncodedImage(path: path), outputs, of: recipes,
                on: SIMDDevice(),
                isCancelled: { false }
            ).results()
            for (index, recipe) in recipes.enumerated() {
                _ = try results[index].get()
                #expect(try folder.read("\(width)/\(index)") == process(photo, recipe).bytes(), "\(index)")
            }
        }
    }
}
