import Codecs

extension Recipe {
    /// Rises whenever the same photo and the same recipe give other bytes than before, so that journals
    /// notice.
    package static let outputVersion = 3

    /// Everything that the output's bytes depend on besides the input, in one line that reads the same on
    /// every run.
    ///
    /// Devices are not in it: they all give the same bytes.
    public var canonicalText: String {
        let quality =
            switch quality {
            case .keep: "keep"
            case .value(let value): "\(value)"
            }
        let filters = chain.filters.isEmpty ? "none" : chain.recipe
        return
            "v\(Self.outputVersion) filters=\(filters) format=\(format?.rawValue ?? "keep") quality=\(quality) "
            + "scale=\(halvesSize ? "0.5" : "1") metadata=\(stripsMetadata ? "strip" : "keep")"
    }
}
