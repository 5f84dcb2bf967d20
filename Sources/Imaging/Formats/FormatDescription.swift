/// What a file format is called, and how its files look.
///
/// The module of codecs conforms each format's type to `PhotoCodec`, which adds how photos of it are read and written.
/// So modules that only need names do not link any codec.
package protocol FormatDescription: Sendable {
    /// The name in recipes and on the command line, in lower case: `jpeg`. It never changes, because journals have it.
    var identifier: String { get }
    /// For messages: `JPEG`.
    var name: String { get }
    /// For messages, with its article: `a JPEG`.
    var nameWithArticle: String { get }
    /// In lower case and without a dot; the first is that of outputs.
    var fileExtensions: [String] { get }
    /// As HTTP names it: `image/jpeg`.
    var mediaType: String { get }
    /// How a file begins: it matches one of these.
    var firstBytes: [BytePattern] { get }
    /// Whether a file is of the format.
    ///
    /// - Parameter beginning: its first `PhotoFormat.detectionByteCount` bytes, or all of a shorter file.
    func isFormat(ofFile beginning: [UInt8]) -> Bool
    /// Whether outputs may have the format.
    var isWritten: Bool { get }
    /// Whether common web browsers show the format.
    var isShownByBrowsers: Bool { get }
}

extension FormatDescription {
    package var nameWithArticle: String { "a \(name)" }
    package var isWritten: Bool { true }
    package var isShownByBrowsers: Bool { false }
    package func isFormat(ofFile beginning: [UInt8]) -> Bool {
        firstBytes.contains { $0.match(beginning) }
    }
}

/// A pattern of a file's first bytes.
package struct BytePattern: Sendable {
    /// Nil is any byte.
    private let pattern: [UInt8?]

    /// No pattern is longer.
    private static let maxByteCount = 16

    package init(_ bytes: [UInt8]) { self.init(pattern: bytes) }

    /// - Parameter text: ASCII, in which `?` is any byte: `RIFF????WEBP`.
    package init(_ text: String) {
        self.init(pattern: text.utf8.map { $0 == UInt8(ascii: "?") ? nil : $0 })
    }

    private init(pattern: [UInt8?]) {
        precondition(1...Self.maxByteCount ~= pattern.count, "a pattern has 1 to \(Self.maxByteCount) bytes")
        self.pattern = pattern
    }

    /// Whether a file that starts with these bytes matches.
    package func match(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count >= pattern.count && agree(with: bytes)
    }

    /// Whether a file that was cut off after these bytes may have matched.
    package func mayMatch(_ bytes: some Collection<UInt8>) -> Bool { agree(with: bytes) }

    private func agree(with bytes: some Collection<UInt8>) -> Bool {
        zip(pattern, bytes).allSatisfy { $0 == nil || $0 == $1 }
    }
}
