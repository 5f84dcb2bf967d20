import CTintypeVersion

/// Which Tintype this is.
enum Version {
    static let number = "0.2.0"

    /// What it was built from; empty where `make` did not say.
    static let commit = String(cString: cversion_commit())

    /// What `--version` prints.
    static let text = commit.isEmpty ? number : "\(number) (commit \(commit))"
}
