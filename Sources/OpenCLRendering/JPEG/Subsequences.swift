import TintypeImaging

/// How the kernels cut a scan's bits: see `jpeg_decode.cl`.
package struct Subsequences: Hashable, Sendable {
    /// 32-bit words of a subsequence: a multiple of 8.
    private let words: Int
    /// Subsequences that a work-group decodes: a multiple of 16.
    let groupItems: Int

    package static let usual = Subsequences(words: 128, groupItems: 128)
    /// For tests: small photos have many groups.
    package static let short = Subsequences(words: 8, groupItems: 16)

    // As in the kernels.
    private static let halo = 4

    /// Those of `groupItems` that are not of the group before.
    var ownItems: Int { groupItems - Self.halo }

    /// The most groups that so many bytes have.
    func groups(_ byteCount: Int) -> Int {
        max(1, byteCount.dividedRoundingUp(by: 4 * words).dividedRoundingUp(by: ownItems))
    }

    /// What the kernels do not know: the usual sizes are theirs.
    var macros: [String] { self == .usual ? [] : ["SUB_WORDS \(words)", "GROUP \(groupItems)"] }
}
