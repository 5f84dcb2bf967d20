import TintypeFiles

/// Reads `.cube` files: Adobe's "Cube LUT Specification" 1.0, and the ranges that DaVinci Resolve writes.
struct CubeFile {
    /// What is wrong with a file, and in which line, from 1 on; nil for the whole file.
    struct Problem: Error, Equatable {
        let line: Int?
        let text: String
    }

    private var shape: ColourTable.Shape?
    private var size = 0
    private var minimum: [Float] = [0, 0, 0]
    private var maximum: [Float] = [1, 1, 1]
    private var values: [Float] = []
    private var line = 0

    /// Parses the text of a file.
    static func table(_ text: [UInt8]) throws(Problem) -> ColourTable {
        var file = CubeFile()
        var rest = text.starts(with: "\u{FEFF}".utf8) ? text.dropFirst(3) : text[...]
        // Old programs end lines with a carriage return alone.
        let (newline, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        while let end = rest.firstIndex(where: { $0 == newline || $0 == carriageReturn }) {
            file.line += 1
            try file.parse(rest[..<end])
            let isPair = rest[end] == carriageReturn && rest[(end + 1)...].first == newline
            rest = rest[(end + (isPair ? 2 : 1))...]
        }
        file.line += 1
        try file.parse(rest)
        return try file.table()
    }

    private func table() throws(Problem) -> ColourTable {
        guard let shape else { throw Problem(line: nil, text: "it has no LUT_1D_SIZE or LUT_3D_SIZE") }
        let count = ColourTable.count(shape, size: size)
        guard values.count == 3 * count else {
            throw Problem(line: nil, text: "it has \(values.count / 3) colours instead of \(count)")
        }
        guard zip(minimum, maximum).allSatisfy({ $0 < $1 }) else {
            throw Problem(line: nil, text: "its domain is empty")
        }
        return ColourTable(shape, size: size, minimum: minimum, maximum: maximum, values: values)
    }

    private mutating func parse(_ line: ArraySlice<UInt8>) throws(Problem) {
        let line = line.drop(while: Self.isBlank)
        guard let first = line.first, first != UInt8(ascii: "#") else { return }
        // No line needs as many; a longer one is not worth the memory of its words.
        let words = line.split(maxSplits: 8, whereSeparator: Self.isBlank)
        if "+-.0123456789".utf8.contains(first) {
            guard let shape else { throw problemBeforeSize(words) }
            guard values.count < 3 * ColourTable.count(shape, size: size) else {
                throw problem("there are more than \(ColourTable.count(shape, size: size)) colours")
            }
            values += try numbers(words, 3)
        } else {
            try set(String(decoding: words[0], as: UTF8.self), words.dropFirst())
        }
    }

    /// Spaces, tabs and other control characters.
    private static func isBlank(_ byte: UInt8) -> Bool { byte <= 32 }

    /// A `.3dl` file begins with `3DMESH`, or with the places of its nodes.
    private func problemBeforeSize(_ words: [ArraySlice<UInt8>]) -> Problem {
        words.count > 3 || words[0].elementsEqual("3DMESH".utf8)
            ? otherFormat("a .3dl table") : problem("a colour comes before the size")
    }

    private func otherFormat(_ name: String) -> Problem {
        problem("it looks like \(name); convert it to a .cube file or a Hald CLUT")
    }

    private mutating func set(_ keyword: String, _ words: ArraySlice<ArraySlice<UInt8>>) throws(Problem) {
        switch keyword {
        case "TITLE": break
        case "LUT_1D_SIZE": try setShape(.line, words)
        case "LUT_3D_SIZE": try setShape(.cube, words)
        case "DOMAIN_MIN": minimum = try numbers(Array(words), 3)
        case "DOMAIN_MAX": maximum = try numbers(Array(words), 3)
        case "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE":
            let range = try numbers(Array(words), 2)
            (minimum, maximum) = (Array(repeating: range[0], count: 3), Array(repeating: range[1], count: 3))
        case "Mesh": throw otherFormat("a .3dl table")
        case "CSPLUTV100": throw otherFormat("a .csp table")
        default: throw problem("'\(keyword.excerpt())' is not known")
        }
    }

    private mutating func setShape(
        _ shape: ColourTable.Shape, _ words: ArraySlice<ArraySlice<UInt8>>
    ) throws(Problem) {
        guard self.shape == nil else { throw problem("only one size is supported") }
        let sizes = ColourTable.sizes(shape)
        guard words.count == 1, let word = words.first, let size = Int(String(decoding: word, as: UTF8.self)),
            sizes.contains(size)
        else { throw problem("the size is not from \(sizes.lowerBound) to \(sizes.upperBound)") }
        (self.shape, self.size) = (shape, size)
        values.reserveCapacity(3 * ColourTable.count(shape, size: size))
    }

    private func numbers(_ words: [ArraySlice<UInt8>], _ count: Int) throws(Problem) -> [Float] {
        let numbers = words.compactMap { Float(String(decoding: $0, as: UTF8.self)) }
        guard words.count == count, numbers.count == count, numbers.allSatisfy(\.isFinite) else {
            throw problem("expected \(count) numbers")
        }
        return numbers
    }

    private func problem(_ text: String) -> Problem { Problem(line: line, text: text) }
}
