import TintypePNGCore

/// An instruction-set level of PNGCore. All give the same bytes.
// @unchecked: the table is constant and lives as long as the program.
struct PNGCoreLevel: @unchecked Sendable {
    let functions: OpaquePointer

    /// `baseline`, `x86-64-v3` or `x86-64-v4`.
    var name: String { String(cString: pngcore_level_name(functions)) }

    /// The levels that this machine runs, lowest first; never empty.
    static let supported: [PNGCoreLevel] = {
        var count = 0
        guard let table = pngcore_levels(&count) else { return [] }
        return (0..<count).compactMap { table[$0].map(PNGCoreLevel.init(functions:)) }
            .filter { pngcore_level_is_supported($0.functions) }
    }()

    static let best = supported[supported.count - 1]
}
