import Imaging

/// Reads Hald CLUTs: pictures whose pixels are the colours of a cube.
///
/// - Source: E. Correia, "CLUT with Hald images": level n has n x n x n pixels on each side, for a cube of n x n colours
///   on each side. Red changes fastest, row by row.
enum HaldPicture {
    /// Levels whose cubes a `ColourTable` may hold.
    private static let levels = 2...8

    /// Decodes a PNG.
    ///
    /// - Throws: `CodecError`, `OutOfMemory`, or `CubeFile.Problem` if the picture's size is not that of a level.
    static func table(_ contents: [UInt8]) throws -> ColourTable {
        let samples = try PictureSamples(contents: contents)
        let geometry = samples.geometry
        guard geometry.width == geometry.height,
            let level = levels.first(where: { $0 * $0 * $0 == geometry.width })
        else {
            let sides = levels.map { "\($0 * $0 * $0)" }
            throw CubeFile.Problem(
                line: nil,
                text: "it has \(geometry.width) x \(geometry.height) pixels, but a Hald CLUT is a square of "
                    + sides.dropLast().joined(separator: ", ") + " or \(sides[sides.count - 1]) pixels a side"
            )
        }
        let values = (0..<geometry.pixelCount).flatMap { pixel in
            (0..<3).map { Float(samples[pixel, channel: samples.channels.hasColour ? $0 : 0]) }
        }
        return ColourTable(.cube, size: level * level, values: values)
    }
}
