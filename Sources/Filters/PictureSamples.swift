import Codecs
import Imaging

/// The samples of a picture's file, as stored.
struct PictureSamples {
    let geometry: PhotoGeometry
    let channels: PixelLayout.Channels
    private let depth: PixelLayout.SampleDepth
    private let bytes: [UInt8]

    private static let maximumPixelCount = 16 << 20

    /// Decodes a PNG or JPEG.
    ///
    /// - Throws: `CodecError` or `OutOfMemory`.
    init(contents: [UInt8]) throws {
        let reader = try PhotoReader(bytes: contents, limits: DecodeLimits(maxPixels: Self.maximumPixelCount))
        geometry = reader.geometry
        (channels, depth) =
            switch reader.layout {
            case .yCbCr: (.rgb, .eight)
            case .interleaved(let channels, let depth): (channels, depth)
            }
        let layout = PixelLayout.interleaved(channels, depth)
        let strip = try Strip(layout: layout, width: geometry.width, rowCapacity: geometry.height)
        try reader.makeSource(layout: layout).read(into: strip)
        bytes = MemoryPhoto(geometry, in: strip).samples
    }

    /// A sample of pixel `pixel`, counted row by row, 0...1.
    subscript(pixel: Int, channel channel: Int) -> Double {
        let index = pixel * channels.rawValue + channel
        switch depth {
        case .eight: return Double(bytes[index]) / 255
        case .sixteen:
            let sample = bytes.withUnsafeBytes { $0.load(fromByteOffset: 2 * index, as: UInt16.self) }
            return Double(sample) / 65535
        }
    }
}
