import Foundation
import FoundationXML

/// The elements of an S3 server's XML, in the order of their ends.
package struct S3Document {
    /// An element, and the groups that it is in, such as `Contents`.
    struct Element: Equatable {
        let name: String
        let parent: String
        let text: String
    }

    let elements: [Element]
    /// The name of the outermost element; nil for anything but XML.
    package let root: String?

    package init(_ bytes: [UInt8]) {
        guard !Self.hasDocumentType(bytes) else {
            (elements, root) = ([], nil)
            return
        }
        let reader = Reader()
        // S3 sends blanks while it joins parts, and XML allows none before its declaration.
        let parser = XMLParser(data: Data(bytes.drop { " \t\r\n".utf8.contains($0) }))
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        let isWhole = parser.parse()
        elements = reader.elements
        root = isWhole ? reader.root : nil
    }

    /// Whether a document type comes before the first element. No server sends one, and its entities may take any time.
    private static func hasDocumentType(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while let tag = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[tag...]
            if rest.starts(with: "<!DOCTYPE".utf8) { return true }
            // What may precede it, in which anything may look like a tag.
            let opaque = [("<!--", "-->"), ("<?", "?>")].first { rest.starts(with: $0.0.utf8) }
            guard let opaque, let end = rest.firstRange(of: Array(opaque.1.utf8)) else { return false }
            rest = rest[end.upperBound...]
        }
        return false
    }

    /// The text of the first element of this name, without blanks at its ends.
    package func first(_ name: String) -> String? {
        elements.first { $0.name == name }?.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The elements of each group of this name, by their names.
    package func groups(_ name: String) -> [[String: String]] {
        var groups: [[String: String]] = []
        var group: [String: String] = [:]
        for element in elements {
            if element.parent == name { group[element.name] = element.text }
            if element.name == name {
                groups.append(group)
                group = [:]
            }
        }
        return groups
    }

    private final class Reader: NSObject, XMLParserDelegate {
        var elements: [Element] = []
        var root: String?
        private var open: [(name: String, text: String)] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            if root == nil { root = name }
            open.append((name, ""))
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            guard !open.isEmpty else { return }
            open[open.count - 1].text += text
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) {
            guard let ended = open.popLast() else { return }
            elements.append(Element(name: ended.name, parent: open.last?.name ?? "", text: ended.text))
        }
    }
}
