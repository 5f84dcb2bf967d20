import Foundation

extension URL {
    /// An address as people write it. Escapes stay as they are; a blank, an accent and what else a URL cannot have are escaped.
    ///
    /// Foundation escapes every `%` of a path in which it has to escape anything, so that `caf%C3%A9 1.jpg` would be another file.
    ///
    /// - Parameter base: where a relative address begins.
    package init?(address text: String, relativeTo base: URL? = nil) {
        if text.utf8.allSatisfy(\.isAllowedInAddress) {
            self.init(string: text, relativeTo: base)
            return
        }
        // Foundation encodes hosts, which have rules of their own.
        let bytes = Array(text.utf8), start = Self.authorityEnd(bytes)
        var encoded = Array(bytes[..<start])
        var hasFragment = false
        for (index, byte) in bytes.enumerated().dropFirst(start) {
            let isKept =
                switch byte {
                case UInt8(ascii: "%"):
                    bytes[(index + 1)...].prefix(2).allSatisfy(\.isHexadecimalDigit)
                        && index + 2 < bytes.count
                case UInt8(ascii: "#"): !hasFragment
                default: byte.isAllowedInAddress
                }
            if byte == UInt8(ascii: "#") { hasFragment = true }
            if isKept { encoded.append(byte) } else { encoded += byte.percentEncoded }
        }
        guard let url = URL(string: String(decoding: encoded, as: UTF8.self), relativeTo: base) else {
            return nil
        }
        self = url
    }

    /// The offset behind `scheme://host`; 0 without a host.
    private static func authorityEnd(_ bytes: [UInt8]) -> Int {
        let isMark = { (byte: UInt8) in "/?#".utf8.contains(byte) }
        guard let mark = bytes.firstIndex(where: isMark), bytes[mark...].starts(with: "//".utf8),
            mark == 0 || bytes[mark - 1] == UInt8(ascii: ":")
        else { return 0 }
        return bytes[(mark + 2)...].firstIndex(where: isMark) ?? bytes.count
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool { Character(Unicode.Scalar(self)).isHexDigit }

    /// Source: RFC 3986, `pchar`, and the slash and the question mark.
    fileprivate var isAllowedInAddress: Bool {
        let letter = self | 0x20
        return UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter
            // From & to ; are the digits and &'()*+,-./:;
            || UInt8(ascii: "&")...UInt8(ascii: ";") ~= self || "_~!$=@?".utf8.contains(self)
    }

    /// `%` and two digits.
    var percentEncoded: [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(self >> 4)], digits[Int(self & 15)]]
    }
}
