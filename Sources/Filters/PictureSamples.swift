import Codecs
import Imaging

/// The samples of a picture's file, as stored.
struct PictureSamples {
    let geometry: PhotoGeometry
    let channels: PixelLayout.Channels
    private let depth: PixelLayout.SampleDepth
    private let bytes: [UInt8]

    /// Why a picture is refused.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// A Hald CLUT of level 16 has as many. No flag raises the limits, which bound memory before it is used.
    private static let maximumPixelCount = 16 << 20
    private static let maximumSide = 16384

    /// Decodes a PNG or JPEG.
    ///
    /// - Throws: `Refusal`, `CodecError` or `OutOfMemory`.
    init(contents: [UInt8]) throws {
        let reader: PhotoReader
        do throws(CodecError) {
            reader = try PhotoReader(bytes: contents, limits: DecodeLimits(maxPixels: Self.maximumPixelCount))
        } catch .tooManyPixels(let width, let height, _) {
            throw Self.tooLarge(width, height)
        } catch {
            throw Self.withoutFlags(error)
        }
        geometry = reader.geometry
        guard max(geometry.width, geometry.height) <= Self.maximumSide else {
            throw Self.tooLarge(geometry.width, geometry.height)
        }
        (channels, depth) =
            switch reader.layout {
            case .yCbCr: (.rgb, .eight)
            case .interleaved(let channels, let depth): (channels, depth)
            }
        let layout = PixelLayout.interleaved(channels, depth)
        let strip = try Strip(layout: layout, width: geometry.width, rowCapacity: geometry.height)
        do {
            try reader.makeSource(layout: layout).read(into: strip)
        } catch let error as CodecError {
            throw Self.withoutFlags(error)
        }
        bytes = MemoryPhoto(geometry, in: strip).samples
    }

    private static func tooLarge(_ width: Int, _ height: Int) -> Refusal {
        Refusal(
            description:
                "it has \(width) x \(height) pixels, and a filter's picture has at most \(maximumSide) a side, "
                + "and \(maximumPixelCount) in all; make it smaller")
    }

    /// The messages of photos name flags that raise their limits.
    private static func withoutFlags(_ error: CodecError) -> any Error {
        switch error {
        case .tooManyScans(let limit):
            Refusal(description: "its scans cover the picture more than \(limit) times; save it again")
        case .outOfMemory: Refusal(description: "there is not enough memory for it")
        default: error
        }
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
