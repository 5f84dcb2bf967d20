import TintypeImaging

/// Decodes a picture's file for a filter.
///
/// Its errors say why the file cannot be used, as an end of a sentence.
package typealias PictureReader = @Sendable (_ contents: [UInt8]) throws -> PictureSamples

/// The samples of a picture's file, as stored.
package struct PictureSamples {
    let geometry: PhotoGeometry
    let channels: PixelLayout.Channels
    private let depth: PixelLayout.SampleDepth
    private let bytes: [UInt8]

    /// - Parameter bytes: the samples row by row, without gaps; those of 16 bits in the machine's byte order.
    package init(
        _ geometry: PhotoGeometry, _ channels: PixelLayout.Channels, _ depth: PixelLayout.SampleDepth,
        bytes: [UInt8]
    ) {
        self.geometry = geometry
        self.channels = channels
        self.depth = depth
        self.bytes = bytes
    }

    /// A sample's whole number, of 0 to `maximum`. Pixels are counted row by row.
    subscript(pixel: Int, channel channel: Int) -> Int {
        let index = pixel * channels.rawValue + channel
        return switch depth {
        case .eight: Int(bytes[index])
        case .sixteen:
            Int(bytes.withUnsafeBytes { $0.load(fromByteOffset: 2 * index, as: UInt16.self) })
        }
    }

    var maximum: Int { depth == .eight ? 255 : 65535 }
}
