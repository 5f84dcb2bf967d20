import CTintypeLCMS
import TintypeImaging
import TintypeMetadata

/// Converts pixels from a colour profile to sRGB, with LittleCMS, or as LittleCMS does.
///
/// The intent is relative colorimetric with black point compensation (ISO 18619:2015), Adobe's default: colours that
/// sRGB has stay the same, others move to its edge, and the darkest ink becomes black. The perceptual intent differs
/// only where a profile has a table for it, and depends on that profile's maker.
///
/// One thread at a time may use it.
package final class SRGBTransform {
    /// What is converted.
    enum Source: Hashable {
        /// Grey stays grey, and alpha stays as it is.
        case pixels(PixelLayout.Channels, PixelLayout.SampleDepth)
        /// C, M, Y, K of 8 bits, where 255 is no ink; they become RGB.
        case invertedCMYK
    }

    private enum Method {
        case littleCMS(OpaquePointer)
        case matrix(MatrixConversion, PixelLayout.Channels)
    }

    private let method: Method
    private let source: Source

    /// - Throws: `UnusableProfile`; `CodecError.outOfMemory`.
    init(_ profile: ICCProfile, from source: Source) throws {
        self.source = source
        if case .pixels(let channels, .sixteen) = source, channels.hasColour,
            let matrix = MatrixConversion(profile)
        {
            method = .matrix(matrix, channels)
            return
        }
        let created = profile.bytes.withUnsafeBytes {
            clcms_transform_create($0.baseAddress, $0.count, source.format)
        }
        guard let created else { throw CodecError.outOfMemory }
        if let failure = clcms_transform_failure(created) {
            let detail = String(cString: failure)
            clcms_transform_destroy(created)
            throw UnusableProfile(detail: detail)
        }
        method = .littleCMS(created)
    }

    deinit { if case .littleCMS(let transform) = method { clcms_transform_destroy(transform) } }

    /// - Parameters:
    ///   - from: interleaved samples in native byte order.
    ///   - to: may be `from`, except for inks.
    func convert(_ from: UnsafeRawPointer, to: UnsafeMutableRawPointer, pixelCount: Int) {
        switch method {
        case .littleCMS(let transform): clcms_transform_convert(transform, from, to, pixelCount)
        case .matrix(let matrix, let channels):
            if from != UnsafeRawPointer(to) {
                to.copyMemory(from: from, byteCount: 2 * channels.rawValue * pixelCount)
            }
            matrix.convert(to.assumingMemoryBound(to: UInt16.self), channels, pixelCount: pixelCount)
        }
    }

    /// Whether a colour changes by more than 1 of 255. Profiles of sRGB differ by that, through rounding.
    ///
    /// - Precondition: the source is not inks.
    var changesColours: Bool {
        guard case .pixels(let channels, let depth) = source else {
            preconditionFailure("inks always change")
        }
        return switch depth {
        case .eight: changes(channels, UInt8.self)
        case .sixteen: changes(channels, UInt16.self)
        }
    }

    /// Tries all greys of 8 bits, or a grid of 9 x 9 x 9 colours.
    private func changes<Sample: FixedWidthInteger & UnsignedInteger>(
        _ channels: PixelLayout.Channels, _: Sample.Type
    ) -> Bool {
        let levels = channels.hasColour ? 9 : 256
        let pixels = (0..<(channels.hasColour ? 9 * 9 * 9 : 256)).map { index in
            [index % levels, index / 9 % 9, index / 81].map { Sample(Int(Sample.max) * $0 / (levels - 1)) }
        }
        let colourCount = channels.hasColour ? 3 : 1
        let before = pixels.flatMap { $0.prefix(colourCount) + (channels.hasAlpha ? [Sample.max] : []) }
        var after = before
        after.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            convert(base, to: base, pixelCount: pixels.count)
        }
        return zip(before, after).contains { max($0, $1) - min($0, $1) > Sample.max / 255 }
    }
}

/// LittleCMS cannot convert from a colour profile.
struct UnusableProfile: Error {
    /// The reason, in LittleCMS's words or ours.
    let detail: String
}

extension SRGBTransform.Source {
    fileprivate var format: clcms_format {
        switch self {
        case .pixels(let channels, let depth):
            clcms_format(
                colours: channels.hasColour ? CLCMS_COLOURS_RGB : CLCMS_COLOURS_GREY,
                has_alpha: channels.hasAlpha, is_16_bit: depth == .sixteen)
        case .invertedCMYK:
            clcms_format(colours: CLCMS_COLOURS_INVERTED_CMYK, has_alpha: false, is_16_bit: false)
        }
    }
}
