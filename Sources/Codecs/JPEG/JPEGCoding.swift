import Imaging

/// How a JPEG was coded: what it takes to code another just like it.
public struct JPEGCoding: Hashable, Sendable {
    /// How chroma is subsampled, where both chroma planes have the same factors and an encoder of planes can
    /// repeat them; nil for grey and for odd factors.
    public let subsampling: ChromaSubsampling?
    /// The quantisation table of each component: 64 steps, row-major. At least one.
    public let quantTables: [[UInt16]]

    /// - Precondition: there is a table, and each has 64 entries.
    public init(subsampling: ChromaSubsampling?, quantTables: [[UInt16]]) {
        precondition(!quantTables.isEmpty && quantTables.allSatisfy { $0.count == 64 })
        self.subsampling = subsampling
        // No step is 0 in a valid file, and libjpeg would divide by it. Its dividers have 16 bits for 8 times
        // the step; a coefficient of 8-bit samples is at most 1024, so larger steps code the same zeros.
        self.quantTables = quantTables.map { table in table.map { min(max($0, 1), 8191) } }
    }

    /// The table for a component, which the source need not have had: a grey photo that got colour uses its
    /// only one.
    func table(forComponent component: Int) -> [UInt16] {
        component < quantTables.count ? quantTables[component] : quantTables[0]
    }
}

/// Which quantisation a JPEG is written with.
public enum JPEGQuality: Hashable, Sendable {
    /// The source's own, so that what the filter left alone stays as it was.
    case keep(JPEGCoding)
    /// libjpeg's scale: 1 (worst) to 100 (best).
    case value(Int)
}
