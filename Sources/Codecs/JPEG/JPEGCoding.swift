import TintypeImaging

/// A JPEG's coding parameters, used to code another JPEG alike.
public struct JPEGCoding: Hashable, Sendable {
    /// The chroma subsampling, if both chroma planes have the same factors and the encoder supports them; nil
    /// for grey and for other factors.
    public let subsampling: ChromaSubsampling?
    /// The quantisation table of each component: 64 steps, row-major. At least one.
    public let quantTables: [[UInt16]]

    /// - Precondition: there is at least one table, and each has 64 entries.
    public init(subsampling: ChromaSubsampling?, quantTables: [[UInt16]]) {
        precondition(!quantTables.isEmpty && quantTables.allSatisfy { $0.count == 64 })
        self.subsampling = subsampling
        // Steps are limited to 1...8191. A valid file has no step 0, and libjpeg would divide by it.
        // libjpeg's divisors have 16 bits for 8 times the step. Coefficients of 8-bit samples are at most
        // 1024, so larger steps code the same zeros.
        self.quantTables = quantTables.map { table in table.map { min(max($0, 1), 8191) } }
    }

    /// The coding of the photo turned upright, in which each step applies to the same coefficient.
    package func upright(from orientation: Orientation) -> JPEGCoding {
        guard orientation.swapsAxes else { return self }
        return JPEGCoding(
            subsampling: subsampling?.transposed,
            quantTables: quantTables.map { table in (0..<64).map { table[$0 % 8 * 8 + $0 / 8] } })
    }

    /// The table for a component. If the source lacks it, as when a grey photo got colour, this is the first
    /// table.
    func table(forComponent component: Int) -> [UInt16] {
        component < quantTables.count ? quantTables[component] : quantTables[0]
    }
}

/// The quantisation of a JPEG that is written.
public enum JPEGQuality: Hashable, Sendable {
    /// The source's own quantisation, so that unchanged parts of the photo stay the same.
    case keep(JPEGCoding)
    /// libjpeg's scale: 1 (worst) to 100 (best).
    case value(Int)
}
