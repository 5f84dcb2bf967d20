/// The rating of an XMP packet: `xmp:Rating` (XMP Specification Part 1, "The XMP basic namespace"). Users give 0 to 5 stars; -1 is
/// for photos that they have rejected.
///
/// It is a property of the packet's photo only, not of others that the packet tells of.
package struct XMPRating {
    /// Where the property stands.
    private enum Place {
        case attribute(value: Range<Int>)
        case element(content: Range<Int>)
        /// An element without content.
        case emptyElement(tag: Range<Int>, name: Range<Int>)
    }

    private let bytes: [UInt8]
    private let places: [Place]
    /// Where an attribute of the first description begins, and its name's prefix; nil where that has yet to be declared.
    private let newPlace: (position: Int, prefix: String, isDeclared: Bool)

    /// - Returns: nil if the packet is malformed, describes nothing, or has a rating that is no text.
    package init?(of bytes: [UInt8]) {
        var walk = Walk(bytes: bytes)
        guard (try? walk.run()) != nil, let newPlace = walk.newPlace else { return nil }
        self.bytes = bytes
        self.newPlace = newPlace
        places = walk.places
    }

    /// The rating of a packet; nil if there is none, or the packet is malformed.
    package static func value(of packet: [UInt8]) -> Int? {
        // Few packets have one, and the search is fast.
        packet.contains(text: "Rating") ? XMPRating(of: packet)?.value : nil
    }

    /// Nil if the packet has none, or one that is no number.
    package var value: Int? {
        switch places.first {
        case .attribute(let range), .element(let range): number(range)
        case .emptyElement, nil: nil
        }
    }

    private func number(_ range: Range<Int>) -> Int? {
        let text = String(decoding: bytes[range].prefix(64), as: UTF8.self).split(
            whereSeparator: \.isWhitespace)
        // Some programs write it with decimals.
        guard text.count == 1, let number = Double(text[0]), number.isFinite else { return nil }
        return Int(min(max(number.rounded(), -1), 5))
    }

    /// The packet with another rating; all other bytes stay as they are.
    package func setting(_ value: Int) -> [UInt8] {
        let text = Array(String(value).utf8)
        var changed = bytes
        guard !places.isEmpty else {
            let (position, prefix, isDeclared) = newPlace
            let declaration = isDeclared ? "" : " xmlns:\(prefix)=\"\(XMPPacket.Namespace.xmp.rawValue)\""
            changed.insert(contentsOf: "\(declaration) \(prefix):Rating=\"\(value)\"".utf8, at: position)
            return changed
        }
        for place in places.reversed() {
            switch place {
            case .attribute(let range), .element(let range): changed.replaceSubrange(range, with: text)
            case .emptyElement(let tag, let name):
                let start = bytes[tag].dropLast(2), end = "</".utf8 + bytes[name] + ">".utf8
                changed.replaceSubrange(tag, with: start + ">".utf8 + text + end)
            }
        }
        return changed
    }

    /// A packet that says nothing else.
    package static func packet(with value: Int) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="\(Walk.rdf)">
              <rdf:Description rdf:about="" xmlns:xmp="\(XMPPacket.Namespace.xmp.rawValue)" xmp:Rating="\(value)"/>
             </rdf:RDF>
            </x:xmpmeta>

            """.utf8)
    }
}

// MARK: The search

extension XMPRating {
    /// Finds ratings in the descriptions of a packet's RDF.
    private struct Walk {
        static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

        private enum Role { case rdf, description, rating, other }

        private struct Element {
            let name: Range<Int>
            let role: Role
            /// Where its content begins.
            let start: Int
            let prefixes: [ArraySlice<UInt8>]
            var hasChildren = false
        }

        private static let maxDepth = 256

        let bytes: [UInt8]
        var places: [Place] = []
        var newPlace: (position: Int, prefix: String, isDeclared: Bool)?
        private var open: [Element] = []
        /// The names of namespaces; the innermost is last.
        private var bindings: [ArraySlice<UInt8>: [ArraySlice<UInt8>]] = [:]

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func run() throws(XMLTags.Malformed) {
            var tags = XMLTags(bytes)
            while let tag = try tags.next() {
                switch tag.kind {
                case .start: try enter(tag)
                case .empty:
                    try enter(tag)
                    try leave(tag)
                case .end: try leave(tag)
                }
            }
            guard open.isEmpty else { throw XMLTags.Malformed() }
        }

        private mutating func enter(_ tag: XMLTags.Tag) throws(XMLTags.Malformed) {
            guard open.count < Self.maxDepth else { throw XMLTags.Malformed() }
            let prefixes = tag.attributes.compactMap { declare($0) }
            let role = role(of: tag)
            if role == .description {
                for attribute in tag.attributes
                where bytes[attribute.name].contains(UInt8(ascii: ":")) && isRating(attribute.name) {
                    places.append(.attribute(value: attribute.value))
                }
                newPlace = newPlace ?? (tag.name.upperBound, prefix, isDeclared(prefix))
            }
            if !open.isEmpty { open[open.count - 1].hasChildren = true }
            open.append(
                Element(name: tag.name, role: role, start: tag.range.upperBound, prefixes: prefixes))
        }

        private func role(of tag: XMLTags.Tag) -> Role {
            switch open.last?.role {
            case .rdf where isName(tag.name, "Description", in: Self.rdf): .description
            case .description where isRating(tag.name): .rating
            case .description, .rating: .other
            default: isName(tag.name, "RDF", in: Self.rdf) ? .rdf : .other
            }
        }

        private mutating func leave(_ tag: XMLTags.Tag) throws(XMLTags.Malformed) {
            guard let element = open.popLast(), bytes[element.name] == bytes[tag.name] else {
                throw XMLTags.Malformed()
            }
            for prefix in element.prefixes { bindings[prefix]?.removeLast() }
            guard element.role == .rating else { return }
            guard !element.hasChildren else { throw XMLTags.Malformed() }
            places.append(
                tag.kind == .empty
                    ? .emptyElement(tag: tag.range, name: tag.name)
                    : .element(content: element.start..<tag.range.lowerBound))
        }

        /// - Returns: the prefix that the attribute declares.
        private mutating func declare(_ attribute: XMLTags.Attribute) -> ArraySlice<UInt8>? {
            let parts = bytes[attribute.name].split(
                separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard parts[0].elementsEqual("xmlns".utf8), parts.count <= 2, parts.last != [] else { return nil }
            let prefix = parts.count == 2 ? parts[1] : []
            bindings[prefix, default: []].append(bytes[attribute.value])
            return prefix
        }

        private func isRating(_ name: Range<Int>) -> Bool {
            isName(name, "Rating", in: XMPPacket.Namespace.xmp.rawValue)
        }

        private func isName(_ range: Range<Int>, _ local: String, in namespace: String) -> Bool {
            let parts = bytes[range].split(
                separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.last?.elementsEqual(local.utf8) == true else { return false }
            return bindings[parts.count == 2 ? parts[0] : []]?.last?.elementsEqual(namespace.utf8) == true
        }

        /// The prefix of the new attribute: one of its namespace, or else one that stands for no other.
        private var prefix: String {
            let known = bindings.keys.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
                .sorted()
            if let declared = known.first(where: isDeclared) { return declared }
            var unused = "xmp"
            while known.contains(unused) { unused += "_" }
            return unused
        }

        private func isDeclared(_ prefix: String) -> Bool {
            bindings[ArraySlice(prefix.utf8)]?.last?
                .elementsEqual(XMPPacket.Namespace.xmp.rawValue.utf8) == true
        }
    }
}
