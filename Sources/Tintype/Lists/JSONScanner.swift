/// Reads JSON (RFC 8259) from a cursor, as far as flat values go: strings, numbers and the punctuation
/// between them.
///
/// Nested values are passed over without recursion, so that depth costs no stack.
struct JSONScanner {
    let bytes: ByteCursor

    init(_ bytes: ByteCursor) { self.bytes = bytes }

    /// What kind of value comes next, in words; nil at the end.
    func kind() throws(ListError) -> String? {
        try bytes.skipWhitespace()
        return switch try bytes.peek() {
        case nil: nil
        case UInt8(ascii: "\""): "text"
        case UInt8(ascii: "{"): "an object"
        case UInt8(ascii: "["): "an array"
        case UInt8(ascii: "n"): "null"
        case UInt8(ascii: "t"), UInt8(ascii: "f"): "true or false"
        default: "a number"
        }
    }

    /// Takes a punctuation mark where it is next, white space or not.
    func take(_ mark: Unicode.Scalar) throws(ListError) -> Bool {
        try bytes.skipWhitespace()
        return try bytes.take(UInt8(ascii: mark))
    }

    func expect(_ mark: Unicode.Scalar) throws(ListError) {
        guard try take(mark) else { throw error(expected: "'\(mark)'") }
    }

    func expectEnd() throws(ListError) {
        try bytes.skipWhitespace()
        guard try bytes.peek() == nil else { throw error(expected: "the end") }
    }

    func error(expected: String) -> ListError {
        ListError(.syntax(format: "JSON", expected: expected), line: bytes.line)
    }

    func string() throws(ListError) -> String {
        try bytes.skipWhitespace()
        let line = bytes.line
        guard try bytes.take(UInt8(ascii: "\"")) else { throw error(expected: "text in quotes") }
        var text: [UInt8] = []
        while let byte = try bytes.next() {
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: text, as: UTF8.self) else {
                    throw error(expected: "UTF-8")
                }
                return text
            case UInt8(ascii: "\\"):
                for unit in try escaped().utf8 { try text.appendListByte(unit, line: line) }
            case 0..<0x20: throw error(expected: "an escape such as \\n in place of the control character")
            default: try text.appendListByte(byte, line: line)
            }
        }
        throw error(expected: "a quote that closes the text")
    }

    /// A number, `true`, `false` or `null`, as it is written.
    func word() throws(ListError) -> String {
        try bytes.skipWhitespace()
        var word: [UInt8] = []
        while let byte = try bytes.peek(), isWordByte(byte) {
            try word.appendListByte(byte, line: bytes.line)
            _ = try bytes.next()
        }
        let text = String(decoding: word, as: UTF8.self)
        guard ["true", "false", "null"].contains(text) || isNumber(word) else {
            throw error(expected: "a value")
        }
        return text
    }

    /// Passes over a value of any kind and depth.
    func skipValue() throws(ListError) {
        var closers: [Unicode.Scalar] = []
        repeat {
            switch try kind() {
            case "text": _ = try string()
            case "an object":
                try expect("{")
                if try !take("}") {
                    try skipKey()
                    closers.append("}")
                    continue
                }
            case "an array":
                try expect("[")
                if try !take("]") {
                    closers.append("]")
                    continue
                }
            default: _ = try word()
            }
            while let closer = closers.last, try take(closer) { closers.removeLast() }
            if let closer = closers.last {
                try expect(",")
                if closer == "}" { try skipKey() }
            }
            guard closers.count < 512 else { throw error(expected: "less nesting") }
        } while !closers.isEmpty
    }

    private func skipKey() throws(ListError) {
        _ = try string()
        try expect(":")
    }

    /// What stands behind a backslash.
    private func escaped() throws(ListError) -> String {
        switch try bytes.next() {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let first = try hexadecimalUnit()
            var units = [first]
            if UTF16.isLeadSurrogate(first), try bytes.take("\\u") { units.append(try hexadecimalUnit()) }
            guard let text = String(validating: units, as: UTF16.self) else {
                throw error(expected: "a pair of surrogates")
            }
            return text
        default: throw error(expected: "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
        }
    }

    private func hexadecimalUnit() throws(ListError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = try bytes.next(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue,
                byte < 0x80
            else { throw error(expected: "four hexadecimal digits") }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    private func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// RFC 8259, section 6.
    private func isNumber(_ word: [UInt8]) -> Bool {
        var rest = word[...]
        func digits() -> Int {
            let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        guard whole == 1 || whole > 1 && !startsWithZero else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard digits() > 0 else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
