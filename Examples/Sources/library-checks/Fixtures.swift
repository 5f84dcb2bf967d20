import Foundation
import Tintype

/// Colours that change along both axes, so that no two rows or columns are equal.
let width = 40
let height = 30
let samples = (0..<width * height).flatMap { index in
    let x = index % width, y = index / width
    return [x * 6, y * 8, (x + y) * 3].map(UInt8.init)
}
let picture = Pixels(samples, width: width, height: height, layout: .rgb8)

/// The three samples of a pixel of RGB with 8 bits.
func colour(_ pixels: Pixels, _ x: Int, _ y: Int) -> [UInt8] {
    let start = 3 * (y * pixels.geometry.width + x)
    return Array(pixels.bytes[start..<start + 3])
}

/// The picture, filtered on the CPU.
func filtered(_ filter: any Filter) async throws -> Pixels {
    try await picture.filtered(by: filter, on: .cpu)
}

/// One pixel, filtered on the CPU.
func pixel(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ filter: any Filter) async throws -> [UInt8] {
    try await Pixels([red, green, blue], width: 1, height: 1, layout: .rgb8).filtered(by: filter, on: .cpu)
        .bytes
}

/// Whether samples differ by at most so much.
func near(_ first: [UInt8], _ second: [UInt8], within most: Int = 1) -> Bool {
    first.count == second.count && zip(first, second).allSatisfy { abs(Int($0) - Int($1)) <= most }
}

func difference(_ first: [UInt8], _ second: [UInt8]) -> Double {
    Double(zip(first, second).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(first.count)
}

/// A folder that is removed at the end.
struct Folder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "library-checks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
    func path(_ name: String) -> String { file(name).path }
    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    func remove() { try? FileManager.default.removeItem(at: url) }
}
