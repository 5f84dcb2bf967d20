import Foundation
import Testing
import TintypeFilterPictures
import TintypeFilters
import TintypeImaging

@testable import TintypeCPURendering
@testable import TintypeCompute
@testable import TintypeRendering

/// Compares tables of colours with ffmpeg's results, which `scripts/make_lut_references` recorded.
struct LookUpTests {
    private struct References: Decodable {
        struct Table: Decodable {
            /// The text of a `.cube` file, or a PNG as base64.
            let table: String
            /// In tenths of a 255th.
            let results: [Int]
        }

        let colours: [UInt8]
        let tables: [Table]
        let hald: Table
    }

    private let path = NSTemporaryDirectory() + "tintype-\(UUID()).cube"

    private func render(_ filter: LookUp, _ colours: [UInt8]) throws -> [Double] {
        let layout = PixelLayout.interleaved(.rgb, .eight)
        let photo = MemoryPhoto(PhotoGeometry(width: colours.count / 3, height: 1), layout: layout)
        photo.set(colours)
        let plan = RenderPlan(FilterChain([filter]), for: photo.geometry, input: layout, output: layout)
        return try SIMDDevice(level: .baseline).render(plan, photo).samples.map { Double($0) }
    }

    @Test func coloursAreThoseOfFFmpeg() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let fixture = try #require(
            Bundle.module.url(forResource: "luts", withExtension: "json", subdirectory: "Fixtures"))
        let references = try JSONDecoder().decode(References.self, from: Data(contentsOf: fixture))
        let png = try #require(Data(base64Encoded: references.hald.table))
        let files = references.tables.map { (Data($0.table.utf8), $0) } + [(png, references.hald)]
        for (number, (file, table)) in files.enumerated() {
            try file.write(to: URL(fileURLWithPath: path))
            let result = try render(LookUp(contentsOf: path), references.colours)
            let worst = zip(result, table.results).map { abs($0 - Double($1) / 10) }.max()
            #expect(try #require(worst) <= 1, "table \(number)")
            // Half way to the original.
            let half = try render(LookUp(contentsOf: path, intensity: 0.5), references.colours)
            let middle = zip(table.results, references.colours).map { Double($0) / 20 + Double($1) / 2 }
            #expect(
                try #require(zip(half, middle).map { abs($0 - $1) }.max()) <= 1, "half of table \(number)")
        }
    }

    @Test func valuesBeyondTheDomainTakeTheNearestEntry() throws {
        // From 0.2 to 0.6, values fall from 1 to 0.
        let table = ColourTable(
            .line, size: 2, minimum: [0.2, 0.2, 0.2], maximum: [0.6, 0.6, 0.6], values: [1, 1, 1, 0, 0, 0])
        let cube = ColourTable(
            .cube, size: 2, minimum: [0.2, 0.2, 0.2], maximum: [0.6, 0.6, 0.6],
            values: (0..<8).flatMap { node in [0, 1, 2].map { node >> $0 & 1 == 0 ? 1 : 0 } })
        let greys = stride(from: UInt8(0), through: 255, by: 15).map { $0 }
        for table in [table, cube] {
            let result = try render(LookUp(table), greys.flatMap { [$0, $0, $0] })
            for (index, grey) in greys.enumerated() {
                let expected = 255 - 255 * min(max((Double(grey) / 255 - 0.2) / 0.4, 0), 1)
                #expect(abs(result[3 * index + 1] - expected) <= 1, "\(grey)")
            }
        }
    }

    @Test func aFullTableOfTheUsualSizeIsTheIdentity() throws {
        let size = 65
        let values = (0..<size * size * size).flatMap { node in
            [node % size, node / size % size, node / size / size].map { Float($0) / Float(size - 1) }
        }
        let colours = (0..<3000).map { UInt8(truncatingIfNeeded: $0 * 73 + $0 / 7) }
        let result = try render(LookUp(ColourTable(.cube, size: size, values: values)), colours)
        #expect(result == colours.map { Double($0) })
    }

    /// Of steps, so that it is not resampled. Values between the nodes around 0.5 are left out.
    @Test func aLargerTableIsFollowed() throws {
        let size = 81
        let values = (0..<size * size * size).flatMap { (node: Int) -> [Float] in
            [node % size, node / size % size, node / size / size].map { $0 < 40 ? 0 : 1 }
        }
        let colours = (0..<3000).map { UInt8(truncatingIfNeeded: $0 * 73 + $0 / 7) }
            .map { (124...128).contains($0) ? 200 : $0 }
        let result = try render(LookUp(ColourTable(.cube, size: size, values: values)), colours)
        #expect(result == colours.map { $0 < 128 ? 0 : 255 })
    }
}
