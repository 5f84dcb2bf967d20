import ArgumentParser
import Tintype

/// Which code decodes and encodes JPEGs: for tests and comparisons, because the outputs are equal.
struct CodecFlags: ParsableArguments {
    enum Codec: String, ExpressibleByArgument {
        case core, libjpeg
    }

    enum Level: String, ExpressibleByArgument {
        case baseline, v3, v4

        /// The core's name of it.
        var name: String { self == .baseline ? rawValue : "x86-64-\(rawValue)" }
    }

    @Option(help: .hidden)
    var jpegCodec = Codec.core

    @Option(help: .hidden)
    var simdLevel: Level?

    func validate() throws { _ = try codec() }

    /// - Throws: `ValidationError` if this processor lacks the level.
    func codec() throws -> JPEGCodec {
        guard jpegCodec == .core else { return .libjpeg }
        guard let simdLevel else { return .best }
        guard let level = JPEGCodec.Level.supported.first(where: { $0.name == simdLevel.name }) else {
            throw ValidationError("--simd-level \(simdLevel.rawValue): this processor does not support it.")
        }
        return .core(level)
    }
}
