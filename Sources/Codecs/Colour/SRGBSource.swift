import TintypeImaging

/// A photo's rows, converted to sRGB. Each strip is converted in place, so no memory is added.
final class SRGBSource: StripSource {
    var geometry: PhotoGeometry { source.geometry }
    var layout: PixelLayout { source.layout }

    private let source: any StripSource
    private let transform: SRGBTransform

    /// - Precondition: the transform is from the source's layout.
    init(_ source: any StripSource, _ transform: SRGBTransform) {
        self.source = source
        self.transform = transform
    }

    func read(into strip: Strip) throws {
        try source.read(into: strip)
        for row in 0..<strip.rowCount {
            let pixels = strip.planes[0].row(row)
            transform.convert(pixels, to: pixels, pixelCount: strip.width)
        }
    }
}
