/// An XML property list: a dictionary from names to addresses, or an array of addresses or of dictionaries
/// with `url` and maybe `name`.
struct XMLPropertyListParser: ListParser {
    private enum Place { case start, dictionary, array, end }

    private var xml: XMLScanner
    private var place = Place.start

    init(_ bytes: ByteCursor) { xml = XMLScanner(bytes) }

    mutating func next() throws(ListError) -> RawListEntry? {
        if place == .start { try begin() }
        switch place {
        case .start, .end: return nil
        case .dictionary:
            guard let (name, line) = try key(closedBy: "dict") else { return try end() }
            return RawListEntry(name: name, target: try string(opened: try opening()), line: line)
        case .array:
            guard let element = try openingOrClose("array") else { return try end() }
            let line = xml.line
            if element == "dict" { return try record(line) }
            return RawListEntry(target: try string(opened: element), line: line)
        }
    }

    private mutating func begin() throws(ListError) {
        guard try opening() == "plist" else { throw xml.error(expected: "<plist>") }
        switch try opening() {
        case "dict": place = .dictionary
        case "array": place = .array
        default: throw xml.error(expected: "<dict> or <array>")
        }
    }

    private mutating func end() throws(ListError) -> RawListEntry? {
        place = .end
        guard try openingOrClose("plist") == nil else { throw xml.error(expected: "</plist>") }
        while let token = try xml.next() {
            guard case .text(let text) = token, text.allSatisfy(\.isWhitespace) else {
                throw xml.error(expected: "the end")
            }
        }
        return nil
    }

    /// Behind `<dict>`.
    private mutating func record(_ line: Int) throws(ListError) -> RawListEntry {
        var name: String?
        var target: String?
        var problem: ListError?
        while let (key, _) = try key(closedBy: "dict") {
            let element = try opening()
            do throws(ListError) {
                switch key {
                case "url": target = try string(opened: element)
                case "name": name = try string(opened: element)
                default: try skip(opened: element)
                }
            } catch {
                if error.endsList { throw error }
                problem = error
            }
        }
        if let problem { throw problem }
        guard let target else { throw ListError(.noLocation, line: line) }
        return RawListEntry(name: name, target: target, line: line)
    }

    private mutating func key(closedBy parent: String) throws(ListError) -> (String, line: Int)? {
        guard let element = try openingOrClose(parent) else { return nil }
        guard element == "key" else { throw xml.error(expected: "<key>") }
        let line = xml.line
        return (try string(opened: element), line)
    }

    private mutating func opening() throws(ListError) -> String {
        guard let name = try openingOrClose(nil) else { throw xml.error(expected: "an element") }
        return name
    }

    /// The next element that opens; nil where `parent` closes first.
    private mutating func openingOrClose(_ parent: String?) throws(ListError) -> String? {
        while let token = try xml.next() {
            switch token {
            case .open(let name): return name
            case .close(let name) where name == parent: return nil
            case .text(let text) where text.allSatisfy(\.isWhitespace): continue
            case .close, .text: throw xml.error(expected: "an element")
            }
        }
        throw xml.error(expected: parent.map { "</\($0)>" } ?? "an element")
    }

    /// The text of the element that has just opened.
    private mutating func string(opened element: String) throws(ListError) -> String {
        guard element == "string" || element == "key" else {
            let line = xml.line
            try skip(opened: element)
            throw ListError(.notText("<\(element)>"), line: line)
        }
        var text = ""
        while let token = try xml.next() {
            switch token {
            case .text(let more):
                text += more
                guard text.utf8.count <= [UInt8].maxListEntryByteCount else {
                    throw ListError(.entryTooLong(limit: [UInt8].maxListEntryByteCount), line: xml.line)
                }
            case .close(element): return text
            default: throw xml.error(expected: "</\(element)>")
            }
        }
        throw xml.error(expected: "</\(element)>")
    }

    /// Passes over an element that has just opened, with all that is in it.
    private mutating func skip(opened element: String) throws(ListError) {
        var open = [element]
        while let innermost = open.last {
            guard open.count < 512 else { throw xml.error(expected: "less nesting") }
            switch try xml.next() {
            case .open(let name): open.append(name)
            case .close(innermost): open.removeLast()
            case .text: continue
            default: throw xml.error(expected: "</\(innermost)>")
            }
        }
    }
}
