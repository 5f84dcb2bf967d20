import Foundation
import TintypeImaging
import TintypeLocking
import TintypeStages

/// A picture that a filter lays over photos, as it is shown.
public final class Picture: Sendable {
    /// Pixels, as shown.
    public let width, height: Int
    /// Whether any pixel has a colour.
    let hasColour: Bool
    /// Tells the picture from others.
    let contentHash: String

    /// Red, green, blue and alpha of each pixel, in linear light, premultiplied.
    private let light: [Float]
    /// Results of `pixels`. The photos of a set have few sizes.
    private let sizes = Locked<[Size: [Float]]>([:])

    private struct Size: Hashable {
        let width, height: Int
    }

    /// The most sizes that are kept, and their values: 128 MiB.
    private static let keptSizeCount = 8
    private static let keptValueCount = 32 << 20

    /// A picture of 8-bit samples, sRGB-encoded, with straight alpha.
    ///
    /// - Parameter rgba: four samples for each pixel, row by row.
    /// - Precondition: `rgba` has 4 x `width` x `height` elements, at least 4.
    public convenience init(width: Int, height: Int, rgba: [UInt8]) {
        precondition(!rgba.isEmpty && rgba.count == 4 * width * height, "too few or too many samples")
        self.init(
            PhotoGeometry(width: width, height: height), .rgba, contentHash: FilterFile.hash(of: rgba),
            maximum: 255
        ) { Int(rgba[4 * $0 + $1]) }
    }

    /// A picture of decoded samples.
    convenience init(_ samples: PictureSamples, contentHash: String) {
        self.init(
            samples.geometry, samples.channels, contentHash: contentHash, maximum: samples.maximum
        ) { samples[$0, channel: $1] }
    }

    /// - Parameters:
    ///   - geometry: of the samples.
    ///   - sample: a sample, 0...`maximum`, by its pixel, counted row by row, and its channel.
    private init(
        _ geometry: PhotoGeometry, _ channels: PixelLayout.Channels, contentHash: String, maximum: Int,
        sample: (Int, Int) -> Int
    ) {
        width = geometry.shownWidth
        height = geometry.shownHeight
        self.contentHash = contentHash
        hasColour = channels.hasColour
        let lightOfSamples = (0...maximum).map { SRGB.light(of: Double($0) / Double(maximum)) }
        var light = Array(repeating: Float(1), count: 4 * geometry.pixelCount)
        for row in 0..<geometry.height {
            for column in 0..<geometry.width {
                let stored = row * geometry.width + column
                let place = geometry.shownPlace(column: column, row: row)
                let pixel = 4 * (place.y * geometry.shownWidth + place.x)
                let alpha =
                    channels.hasAlpha ? Double(sample(stored, channels.rawValue - 1)) / Double(maximum) : 1
                for channel in 0..<3 {
                    let value = sample(stored, channels.hasColour ? channel : 0)
                    light[pixel + channel] = Float(lightOfSamples[value] * alpha)
                }
                light[pixel + 3] = Float(alpha)
            }
        }
        self.light = light
    }

    /// The picture at another size: red, green, blue and alpha of each pixel, sRGB-encoded, with straight alpha.
    func pixels(width: Int, height: Int) -> [Float] {
        let size = Size(width: width, height: height)
        if let kept = sizes.withLock({ $0[size] }) { return kept }
        let pixels = resized(width: width, height: height)
        sizes.withLock { sizes in
            let valueCount = sizes.values.reduce(pixels.count) { $0 + $1.count }
            if sizes.count == Self.keptSizeCount || valueCount > Self.keptValueCount { sizes = [:] }
            sizes[size] = pixels
        }
        return pixels
    }

    private func resized(width: Int, height: Int) -> [Float] {
        let columns = ResamplingAxis(
            self.width, range: 0..<Double(self.width), count: width, kernel: .lanczos)
        let rows = ResamplingAxis(
            self.height, range: 0..<Double(self.height), count: height, kernel: .lanczos)
        var pixels: [Float] = []
        pixels.reserveCapacity(4 * width * height)
        var sums = Array(repeating: Float(0), count: 4 * self.width)
        for row in 0..<height {
            for index in sums.indices { sums[index] = 0 }
            for tap in 0..<rows.tapCount {
                let weight = rows.weights[row * rows.tapCount + tap]
                let first = (rows.starts[row] + tap) * sums.count
                for index in sums.indices { sums[index] += weight * light[first + index] }
            }
            for column in 0..<width {
                var pixel = SIMD4<Float>.zero
                for tap in 0..<columns.tapCount {
                    let first = 4 * (columns.starts[column] + tap)
                    let value = SIMD4(sums[first], sums[first + 1], sums[first + 2], sums[first + 3])
                    pixel += columns.weights[column * columns.tapCount + tap] * value
                }
                pixels += Self.encoded(pixel)
            }
        }
        return pixels
    }

    /// A pixel of linear light, premultiplied, as sRGB-encoded values with straight alpha, all 0...1.
    private static func encoded(_ pixel: SIMD4<Float>) -> [Float] {
        // A weight of Lanczos's may leave a trace where there is nothing.
        guard pixel.w > 1e-4 else { return [0, 0, 0, 0] }
        // Where the kernel overshoots, the alpha exceeds 1, and so do the premultiplied colours.
        let values = [pixel.x, pixel.y, pixel.z].map { value in
            Float(SRGB.encoded(min(max(Double(value / pixel.w), 0), 1)))
        }
        return values + [min(pixel.w, 1)]
    }
}
