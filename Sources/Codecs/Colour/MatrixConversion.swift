import CTintypeLCMS
import TintypeImaging
import TintypeKernels
import TintypeMetadata

/// Converts RGB of 16 bits to sRGB through a profile of curves and a matrix: what LittleCMS computes without tables, forty
/// times as fast.
struct MatrixConversion {
    /// Linear light of each encoded value, for red, green and blue. Equal curves are one array, so that it stays in the cache.
    private let curves: [[Float]]
    private let factors: [Float]
    private let level: UnsafePointer<kernels_level>

    /// - Parameter level: nil is the best one of this machine; all give the same bytes.
    /// - Returns: nil for profiles of other kinds, and unusable ones.
    init?(_ profile: ICCProfile, level: UnsafePointer<kernels_level>? = nil) {
        var factors = [Float](repeating: 0, count: 12)
        var values = [Float](repeating: 0, count: 3 * Self.valueCount)
        let isRead = profile.bytes.withUnsafeBytes {
            clcms_matrix_read($0.baseAddress, $0.count, &values, &factors)
        }
        guard isRead, let level = level ?? Self.levels.last else { return nil }
        self.level = level
        self.factors = factors
        let all = stride(from: 0, to: values.count, by: Self.valueCount).map {
            Array(values[$0..<$0 + Self.valueCount])
        }
        curves = all.map { $0 == all[0] ? all[0] : $0 }
    }

    private static let valueCount = 65536

    /// The levels that this machine runs, lowest first.
    static var levels: [UnsafePointer<kernels_level>] {
        var count = 0
        guard let table = kernels_levels(&count) else { return [] }
        return (0..<count).compactMap { table[$0] }.filter { $0.pointee.is_supported() != 0 }
    }

    /// Converts interleaved samples in place. Alpha stays as it is.
    func convert(_ samples: UnsafeMutablePointer<UInt16>, _ channels: PixelLayout.Channels, pixelCount: Int) {
        var conversion = kernels_colour_conversion()
        withUnsafeMutableBytes(of: &conversion.factors) { bytes in factors.withUnsafeBytes(bytes.copyMemory) }
        curves[0].withUnsafeBufferPointer { red in
            curves[1].withUnsafeBufferPointer { green in
                curves[2].withUnsafeBufferPointer { blue in
                    conversion.curves = (red.baseAddress, green.baseAddress, blue.baseAddress)
                    level.pointee.convert_colours16(
                        samples, Int32(channels.rawValue), pixelCount, &conversion)
                }
            }
        }
    }
}
