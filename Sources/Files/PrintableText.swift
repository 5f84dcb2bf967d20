extension String {
    /// A name for messages, on one line: characters that control a terminal, break lines or change the text's
    /// direction are escaped.
    package var printableName: String {
        guard unicodeScalars.contains(where: \.steersText) else { return self }
        return unicodeScalars.map(\.spelledOut).joined()
    }

    /// What users wrote, for messages that quote it: at most `length` characters, on one line. Not for paths, which users
    /// need whole.
    package func excerpt(_ length: Int = 80) -> String {
        // By scalars, because one character may have any number of accents.
        let start = unicodeScalars.prefix(length + 1)
        guard start.count > length else { return printableName }
        return (String(start.prefix(length - 3)) + "...").printableName
    }

    /// Like `printableName`, but keeps newlines and tabs.
    package var printable: String {
        guard unicodeScalars.contains(where: \.steersText) else { return self }
        return unicodeScalars.map { $0 == "\n" || $0 == "\t" ? String($0) : $0.spelledOut }.joined()
    }
}

extension Unicode.Scalar {
    fileprivate var spelledOut: String {
        if self == "\n" { return "\\n" }
        if self == "\t" { return "\\t" }
        return steersText ? "\\u{\(String(value, radix: 16))}" : String(self)
    }

    fileprivate var steersText: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // The characters that change the direction of text: UAX #9, explicit formatting.
        case .format: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
        default: false
        }
    }
}

extension Collection<UInt8> {
    /// Bytes that are not UTF-8, as text: printable ASCII as it is, other bytes as `\xE9`.
    package var spelledOut: String {
        map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return (0x20..<0x7F).contains(byte)
                ? String(Unicode.Scalar(byte)) : "\\x\(byte < 16 ? "0" : "")\(digits)"
        }.joined()
    }
}

extension Collection<UInt8> {
    /// The bytes without the mark that Windows' editors put before UTF-8.
    package var withoutByteOrderMark: SubSequence { starts(with: "\u{FEFF}".utf8) ? dropFirst(3) : self[...] }
}
