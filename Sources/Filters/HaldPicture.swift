import TintypeImaging

/// Reads Hald CLUTs: pictures whose pixels are the colours of a cube.
///
/// - Source: E. Correia, "CLUT with Hald images": level n has n x n x n pixels on each side, for a cube of n x n colours
///   on each side. Red changes fastest, row by row.
enum HaldPicture {
    /// Levels whose cubes a `ColourTable` may hold.
    private static let levels = 2...16

    /// The cube of a picture's colours.
    ///
    /// - Throws: `CubeFile.Problem` if the picture's size is not that of a level.
    static func table(_ samples: PictureSamples) throws(CubeFile.Problem) -> ColourTable {
        let geometry = samples.geometry
        guard geometry.width == geometry.height,
            let level = levels.first(where: { $0 * $0 * $0 == geometry.width })
        else {
            throw CubeFile.Problem(
                line: nil,
                text:
                    "it has \(geometry.width) x \(geometry.height) pixels, but a Hald CLUT is a square of 8, 27, 64, ... or "
                    + "4096 pixels a side, the cube of its level"
            )
        }
        let valueOfSample = (0...samples.maximum).map { Float(Double($0) / Double(samples.maximum)) }
        let hasColour = samples.channels.hasColour
        var values: [Float] = []
        values.reserveCapacity(3 * geometry.pixelCount)
        for pixel in 0..<geometry.pixelCount {
            for channel in 0..<3 {
                values.append(valueOfSample[samples[pixel, channel: hasColour ? channel : 0]])
            }
        }
        return ColourTable(.cube, size: level * level, values: values)
    }
}
