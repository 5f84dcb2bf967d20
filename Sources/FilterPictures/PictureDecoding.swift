import TintypeCodecs
import TintypeFilters
import TintypeImaging

/// Decodes PNGs and JPEGs for filters.
enum PictureDecoding {
    /// Why a picture is refused.
    private struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// A Hald CLUT of level 16 has as many. No flag raises the limits, which bound memory before it is used.
    private static let maximumPixelCount = 16 << 20
    private static let maximumSide = 16384

    /// Decodes a PNG, JPEG or WebP.
    ///
    /// - Throws: `Refusal`, `CodecError` or `OutOfMemory`.
    static func samples(of contents: [UInt8]) throws -> PictureSamples {
        let reader: PhotoReader
        do throws(CodecError) {
            reader = try PhotoReader(bytes: contents, limits: DecodeLimits(maxPixels: maximumPixelCount))
        } catch .tooManyPixels(let width, let height, _) {
            throw tooLarge(width, height)
        } catch {
            throw withoutFlags(error)
        }
        let geometry = reader.geometry
        guard max(geometry.width, geometry.height) <= maximumSide else {
            throw tooLarge(geometry.width, geometry.height)
        }
        let (channels, depth): (PixelLayout.Channels, PixelLayout.SampleDepth) =
            switch reader.layout {
            case .yCbCr: (.rgb, .eight)
            case .interleaved(let channels, let depth): (channels, depth)
            }
        let layout = PixelLayout.interleaved(channels, depth)
        let strip = try Strip(layout: layout, width: geometry.width, rowCapacity: geometry.height)
        do {
            try reader.makeSource(layout: layout).read(into: strip)
        } catch let error as CodecError {
            throw withoutFlags(error)
        }
        return PictureSamples(geometry, channels, depth, bytes: MemoryPhoto(geometry, in: strip).samples)
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
}
