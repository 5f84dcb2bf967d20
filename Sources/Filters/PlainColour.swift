/// An opaque colour, sRGB-encoded.
public struct PlainColour: Hashable, Sendable, CustomStringConvertible {
    /// The values of the channels.
    public let red, green, blue: UInt8

    /// The colour of these sRGB-encoded values.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Reads `#rrggbb` or `#rgb`, in which each digit stands for two, as CSS does.
    public init?(_ text: String) {
        let digits = text.dropFirst().compactMap(\.hexDigitValue)
        guard text.first == "#", text.allSatisfy(\.isASCII), digits.count == text.count - 1 else {
            return nil
        }
        let values: [Int]
        switch digits.count {
        case 3: values = digits.map { 17 * $0 }
        case 6: values = [0, 2, 4].map { 16 * digits[$0] + digits[$0 + 1] }
        default: return nil
        }
        self.init(UInt8(values[0]), UInt8(values[1]), UInt8(values[2]))
    }

    /// `#rrggbb`, in lower case.
    public var description: String {
        "#"
            + [red, green, blue].map { value in
                let digits = String(value, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
    }

    /// Red, green and blue, 0...1.
    var values: [Double] { [red, green, blue].map { Double($0) / 255 } }

    /// The luma (ITU-R BT.709), 0...1.
    var luma: Double { 0.2126 * values[0] + 0.7152 * values[1] + 0.0722 * values[2] }
}
