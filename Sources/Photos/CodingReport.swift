import TintypeImaging

/// Whether the device that filtered a photo has also decoded it, and encoded an output of it. The CPU did the rest.
public struct CodingReport: Hashable, Sendable {
    /// Why the device did not decode the photo; nil if it did.
    public let decodingObstacle: CodingObstacle?
    /// Why the device did not encode the output; nil if it did.
    public let encodingObstacle: CodingObstacle?

    package init(decodingObstacle: CodingObstacle?, encodingObstacle: CodingObstacle?) {
        self.decodingObstacle = decodingObstacle
        self.encodingObstacle = encodingObstacle
    }
}

/// Why a device does not decode a photo, or encode an output.
public enum CodingObstacle: Error, Hashable, Sendable {
    /// The run's `DeviceCodec` does not include it.
    case excluded
    /// It works on samples only.
    case unable
    /// No device decodes such a photo ("a PNG").
    case photo(String)
    /// The photo's colours become sRGB.
    case convertedColours
    /// The output needs other samples than a device decodes.
    case otherSamples
    /// The photo's outputs need different samples or sizes.
    case severalDecodings
    /// The photo's data is not as the device expects, or damaged.
    case irregular
    /// The device needs the photo as a whole, and the run may take less memory.
    case memory
    /// No device encodes the output's format.
    case format(PhotoFormat)
    /// The output is a progressive JPEG.
    case progressive
    /// The output is turned upright after the filters.
    case turned
    /// The output may have so many bytes only, and is encoded until it has.
    case sized
    /// The device can do others.
    case refused
}

extension CodingObstacle: CustomStringConvertible {
    public var description: String {
        switch self {
        case .excluded: "This run leaves decoding and encoding to the CPU."
        case .unable: "The device has no codec of its own."
        case .photo(let kind): "No device decodes \(kind)."
        case .convertedColours: "The photo's colours are converted to sRGB, which the CPU does as it decodes."
        case .otherSamples: "The output needs other samples than a device decodes, such as means of them."
        case .severalDecodings: "The photo's outputs need different samples or sizes of it."
        case .irregular: "The photo's data is irregular."
        case .memory: "The device's codec needs more memory than this run may take."
        case .format(let format): "No device encodes \(format.nameWithArticle)."
        case .progressive: "No device encodes a progressive JPEG."
        case .turned: "The output is turned upright after the filters."
        case .sized: "The output is encoded several times, until its file is small enough."
        case .refused: "The device does not support this image."
        }
    }
}
