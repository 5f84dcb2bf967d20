import TintypeLocking

/// A file format of photos.
///
/// It is an open value: `all` lists the formats, and everything else asks a format what it is and can do.
public struct PhotoFormat: RawRepresentable, CaseIterable, Hashable, Sendable {
    package let kind: any FormatDescription

    package init(_ kind: any FormatDescription) { self.kind = kind }

    /// The format of this name, such as `jpeg` or `png`; nil if there is none.
    public init?(rawValue: String) {
        guard let format = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = format
    }

    /// That of this name, if outputs may have it.
    package init?(written name: String) {
        guard let format = Self(rawValue: name), format.kind.isWritten else { return nil }
        self = format
    }

    /// The name in recipes and on the command line: `jpeg` or `png`.
    public var rawValue: String { kind.identifier }
    /// For messages: `JPEG` or `PNG`.
    package var name: String { kind.name }
    /// For messages: `a JPEG` or `a PNG`.
    package var nameWithArticle: String { kind.nameWithArticle }
    /// That of outputs, without a dot: `jpg` or `png`.
    public var fileExtension: String { kind.fileExtensions[0] }
    /// As HTTP names it: `image/jpeg` or `image/png`.
    package var mediaType: String { kind.mediaType }

    public static var allCases: [PhotoFormat] { all }
    public static func == (first: Self, second: Self) -> Bool { first.rawValue == second.rawValue }
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension PhotoFormat: CustomStringConvertible {
    public var description: String { rawValue }
}

// MARK: The list

extension PhotoFormat {
    /// This package's formats. Detection, names, help and messages come from this list.
    private static let standard = [jpeg, png, webp, heic, avif, jxl, tiff, raw]
    private static let known = Locked(standard)

    /// The format that a photo is taken to have if nothing tells, and that of pictures without transparency that Tintype makes
    /// for itself.
    package static let usual = jpeg
    /// The format of pictures with transparency that Tintype makes for itself.
    package static let usualWithAlpha = png

    /// All formats: this package's, then those that were registered.
    package static var all: [PhotoFormat] { known.withLock(\.self) }

    /// Those that outputs may have. The others are only read.
    public static var written: [PhotoFormat] { all.filter(\.kind.isWritten) }

    /// Adds a format. Register formats before texts name them or files are read.
    ///
    /// - Precondition: no other format has its identifier or one of its extensions.
    package static func register(_ kind: any FormatDescription) {
        known.withLock { formats in
            let isNew = formats.allSatisfy {
                $0.rawValue != kind.identifier
                    && Set($0.kind.fileExtensions).isDisjoint(with: kind.fileExtensions)
            }
            precondition(isNew, "a name or an extension of \(kind.name) is another format's")
            formats.append(PhotoFormat(kind))
        }
    }

    /// The format of outputs that keep this one: `usual` if it is never written.
    package var ofOutputs: PhotoFormat { kind.isWritten ? self : Self.usual }

    /// So many bytes tell a file's format. Most formats need 16, but many RAW photos begin like a TIFF.
    package static let detectionByteCount = 4096

    /// The format of a file that starts with `firstBytes`; nil for other formats.
    ///
    /// - Parameter firstBytes: the first 4096, or all of a shorter file.
    public static func detect(_ firstBytes: some Collection<UInt8>) -> PhotoFormat? {
        let beginning = Array(firstBytes.prefix(detectionByteCount))
        return all.first { $0.kind.isFormat(ofFile: beginning) }
    }

    /// Whether a file of these bytes only may be the beginning of a photo.
    package static func mayBeCutOff(_ firstBytes: some Collection<UInt8>) -> Bool {
        all.contains { $0.kind.firstBytes.contains { $0.mayMatch(firstBytes) } }
    }

    /// The format that a file name's extension, without its dot, stands for; nil for other extensions.
    package static func named(byExtension fileExtension: String) -> PhotoFormat? {
        let name = fileExtension.lowercased()
        return all.first { $0.kind.fileExtensions.contains(name) }
    }

    /// Bytes of the longest extension that a photo may have, without its dot.
    package static var longestExtensionByteCount: Int {
        all.flatMap(\.kind.fileExtensions).map(\.utf8.count).max() ?? 0
    }

    /// The formats' names as a part of a sentence: `JPEG and PNG`.
    package static func names(_ conjunction: String) -> String {
        all.map(\.name).joined(conjunction: conjunction)
    }

    /// Those of outputs.
    package static func writtenNames(_ conjunction: String) -> String {
        written.map(\.name).joined(conjunction: conjunction)
    }

    /// The extensions of outputs as a part of a sentence: `.jpg or .png`.
    ///
    /// - Parameter more: further words of the list.
    package static func dottedExtensions(_ conjunction: String, more: [String] = []) -> String {
        (written.map { ".\($0.fileExtension)" } + more).joined(conjunction: conjunction)
    }
}

extension [String] {
    /// `a`, `a or b`, `a, b or c`.
    package func joined(conjunction: String) -> String {
        guard count > 1, let last else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }
}
