/// JSON: an object from names to addresses, or an array of addresses or of objects with `url` and maybe
/// `name`.
struct JSONListParser: ListParser {
    private enum Place {
        case start
        /// Between two elements of the array or object that this mark closes.
        case within(closer: Unicode.Scalar)
        case end
    }

    private let json: JSONScanner
    private var place = Place.start
    private var isFirst = true

    init(_ bytes: ByteCursor) { json = JSONScanner(bytes) }

    mutating func next() throws(ListError) -> RawListEntry? {
        if case .start = place {
            if try json.take("{") {
                place = .within(closer: "}")
            } else {
                try json.expect("[")
                place = .within(closer: "]")
            }
        }
        guard case .within(let closer) = place else { return nil }
        if try json.take(closer) {
            place = .end
            try json.expectEnd()
            return nil
        }
        if !isFirst { try json.expect(",") }
        isFirst = false
        try json.bytes.skipWhitespace()
        let line = json.bytes.line
        guard closer == "}" else { return try element(line) }
        let name = try json.string()
        try json.expect(":")
        return RawListEntry(name: name, target: try text(), line: line)
    }

    private func element(_ line: Int) throws(ListError) -> RawListEntry {
        guard try json.take("{") else { return RawListEntry(target: try text(), line: line) }
        var name: String?
        var target: String?
        var problem: ListError?
        var isDone = try json.take("}")
        while !isDone {
            let key = try json.string()
            try json.expect(":")
            do throws(ListError) {
                switch key {
                case "url": target = try text()
                case "name": name = try json.kind() == "null" ? skipNull() : text()
                default: try json.skipValue()
                }
            } catch {
                // The value was passed over; the object is read to its end before it is refused.
                if error.endsList { throw error }
                problem = error
            }
            isDone = try json.take("}")
            if !isDone { try json.expect(",") }
        }
        if let problem { throw problem }
        guard let target else { throw ListError(.noLocation, line: line) }
        return RawListEntry(name: name, target: target, line: line)
    }

    private func skipNull() throws(ListError) -> String? {
        _ = try json.word()
        return nil
    }

    private func text() throws(ListError) -> String {
        let kind = try json.kind()
        guard let kind, kind != "text" else { return try json.string() }
        let line = json.bytes.line
        try json.skipValue()
        throw ListError(.notText(kind), line: line)
    }
}
