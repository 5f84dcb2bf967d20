import TintypeJPEGCore

/// What decodes and encodes the planes of sequential JPEGs. The results are equal.
package enum JPEGCodec: Hashable, Sendable {
    /// libjpeg-turbo alone.
    case libjpeg
    /// JPEGCore; what it does not support, and damaged data, is libjpeg-turbo's.
    case core(Level)

    /// The core at the best level of this machine.
    package static let best = JPEGCodec.core(Level.supported[Level.supported.count - 1])

    /// An instruction-set level of the core.
    // @unchecked: the table is constant and lives as long as the program.
    package struct Level: @unchecked Sendable, Hashable {
        /// The core's functions.
        let functions: OpaquePointer

        /// `baseline`, `x86-64-v3` or `x86-64-v4`.
        package var name: String { String(cString: jpegcore_level_name(functions)) }

        /// The levels that this machine runs, lowest first; never empty.
        package static let supported: [Level] = {
            var count = 0
            guard let table = jpegcore_levels(&count) else { return [] }
            return (0..<count).compactMap { table[$0].map(Level.init(functions:)) }
                .filter { jpegcore_level_is_supported($0.functions) }
        }()
    }

    /// The core's functions; nil for libjpeg alone.
    var level: OpaquePointer? {
        switch self {
        case .libjpeg: nil
        case .core(let level): level.functions
        }
    }
}
