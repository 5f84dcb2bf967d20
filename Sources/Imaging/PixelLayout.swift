/// The layout of a photo's samples in memory.
///
/// Every layout is row-major; rows start on 64-byte boundaries. 16-bit samples have the machine's byte order.
public enum PixelLayout: Hashable, Sendable {
    /// One plane of interleaved samples: grey, grey + alpha, RGB or RGBA, with straight alpha.
    case interleaved(Channels, SampleDepth)
    /// Three 8-bit planes Y, Cb, Cr (full-range JFIF, BT.601), as in a JPEG.
    case yCbCr(ChromaSubsampling)

    /// Samples of an interleaved pixel; the raw value is their number.
    public enum Channels: Int, CaseIterable, Hashable, Sendable {
        /// Grey only.
        case grey = 1
        /// Grey, alpha.
        case greyAlpha = 2
        /// Red, green, blue.
        case rgb = 3
        /// Red, green, blue, alpha.
        case rgba = 4

        /// True for `.greyAlpha` and `.rgba`.
        public var hasAlpha: Bool { self == .greyAlpha || self == .rgba }
        /// True for `.rgb` and `.rgba`.
        public var hasColour: Bool { self == .rgb || self == .rgba }

        fileprivate var name: String {
            switch self {
            case .grey: "grey"
            case .greyAlpha: "grey and alpha"
            case .rgb: "RGB"
            case .rgba: "RGBA"
            }
        }

        /// The channels of pixels with or without colour and alpha.
        public init(colour: Bool, alpha: Bool) {
            self = colour ? (alpha ? .rgba : .rgb) : (alpha ? .greyAlpha : .grey)
        }
    }

    /// Bits of a sample.
    public enum SampleDepth: Int, CaseIterable, Hashable, Sendable {
        /// Samples of 0...255.
        case eight = 8
        /// Samples of 0...65,535.
        case sixteen = 16

        /// Bytes of a sample: 1 or 2.
        public var byteCount: Int { rawValue / 8 }
    }

    /// Grey, 8 bits a sample.
    public static let grey8 = interleaved(.grey, .eight)
    /// Red, green, blue, 8 bits a sample.
    public static let rgb8 = interleaved(.rgb, .eight)
    /// Red, green, blue and straight alpha, 8 bits a sample.
    public static let rgba8 = interleaved(.rgba, .eight)
    /// Grey, 16 bits a sample.
    public static let grey16 = interleaved(.grey, .sixteen)
    /// Red, green, blue, 16 bits a sample.
    public static let rgb16 = interleaved(.rgb, .sixteen)
    /// Red, green, blue and straight alpha, 16 bits a sample.
    public static let rgba16 = interleaved(.rgba, .sixteen)

    /// Bytes of a pixel, rounded up for subsampled chroma.
    package var bytesPerPixel: Int {
        switch self {
        case .interleaved(let channels, let depth): channels.rawValue * depth.byteCount
        case .yCbCr(let subsampling):
            1 + 2.dividedRoundingUp(by: subsampling.horizontal * subsampling.vertical)
        }
    }

    /// For messages, such as "RGBA pixels of 16 bits" or "planes of 2x2 subsampling".
    package var name: String {
        switch self {
        case .interleaved(let channels, let depth): "\(channels.name) pixels of \(depth.rawValue) bits"
        case .yCbCr(let subsampling): "planes of \(subsampling) subsampling"
        }
    }

    /// Bits of a sample; 8 in planes.
    public var depth: SampleDepth {
        switch self {
        case .interleaved(_, let depth): depth
        case .yCbCr: .eight
        }
    }

    /// Whether pixels have alpha. Planes have none.
    public var hasAlpha: Bool {
        switch self {
        case .interleaved(let channels, _): channels.hasAlpha
        case .yCbCr: false
        }
    }

    /// This layout, or that of the pixels into which planes are converted.
    package var withoutPlanes: PixelLayout {
        switch self {
        case .interleaved: self
        case .yCbCr: .interleaved(.rgb, .eight)
        }
    }

    /// Whether pixels may have colour: true for RGB, RGBA and planes.
    public var hasColour: Bool {
        switch self {
        case .interleaved(let channels, _): channels.hasColour
        case .yCbCr: true
        }
    }

    /// Chroma subsampling of the planes; 1 x 1 for interleaved layouts.
    public var subsampling: ChromaSubsampling {
        switch self {
        case .interleaved: .s444
        case .yCbCr(let subsampling): subsampling
        }
    }

    /// The greatest width of a JPEG, from the 16 bits in its header.
    private static let widestJPEG = 65_535

    /// Strips of this layout start at a row, and have a capacity in rows, that is a multiple of this: the
    /// height in pixels of a JPEG's row of blocks, 8 x vertical subsampling. It is 1 for a photo that is too
    /// wide for a JPEG, because its rows are large.
    ///
    /// - Parameter width: the photo's width in pixels.
    public func rowGranularity(width: Int) -> Int {
        width > Self.widestJPEG ? subsampling.vertical : 8 * subsampling.vertical
    }
}

/// Pixels, horizontally and vertically, that share one chroma sample.
public struct ChromaSubsampling: Hashable, Sendable, CustomStringConvertible {
    /// 1, 2 or 4.
    public let horizontal: Int
    /// 1, 2 or 4.
    public let vertical: Int

    /// A pixel's column shifted right by this number of bits is its chroma sample's column.
    @inlinable
    public var horizontalShift: Int { horizontal.trailingZeroBitCount }
    /// A pixel's row shifted right by this number of bits is its chroma sample's row.
    @inlinable
    public var verticalShift: Int { vertical.trailingZeroBitCount }

    /// Nil unless both numbers are 1, 2 or 4.
    public init?(horizontal: Int, vertical: Int) {
        guard [1, 2, 4].contains(horizontal), [1, 2, 4].contains(vertical) else { return nil }
        self.horizontal = horizontal
        self.vertical = vertical
    }

    private init(_ horizontal: Int, _ vertical: Int) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// The subsampling of a photo whose rows become columns.
    package var transposed: ChromaSubsampling { ChromaSubsampling(vertical, horizontal) }

    /// 4:4:4: each pixel has a chroma sample of its own.
    public static let s444 = ChromaSubsampling(1, 1)
    /// 4:2:2: 2 x 1 pixels (columns x rows) share a chroma sample.
    public static let s422 = ChromaSubsampling(2, 1)
    /// 4:2:0: 2 x 2 pixels share a chroma sample.
    public static let s420 = ChromaSubsampling(2, 2)
    /// 4:4:0: 1 x 2 pixels share a chroma sample.
    public static let s440 = ChromaSubsampling(1, 2)
    /// 4:1:1: 4 x 1 pixels share a chroma sample.
    public static let s411 = ChromaSubsampling(4, 1)
    /// 4:1:0: 4 x 2 pixels share a chroma sample.
    public static let s410 = ChromaSubsampling(4, 2)

    /// The subsamplings of JPEGs in practice.
    public static let common: [ChromaSubsampling] = [.s444, .s422, .s420, .s440, .s411, .s410]

    public var description: String { "\(horizontal)x\(vertical)" }
}
