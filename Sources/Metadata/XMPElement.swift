/// An element with what is in it. RDF has several forms for the same (XMP Specification Part 1, 7): a field of a structure is an
/// attribute or an element, and an element may be around the structure.
struct XMPElement {
    struct Attribute {
        let name: String
        /// Including the blanks before it.
        let range: Range<Int>
        /// The text between the quotes.
        let value: Range<Int>
    }

    /// Without its prefix: within a property, no two namespaces have names in common.
    let name: String
    /// With both tags, and the blanks before.
    var range: Range<Int>
    /// Between the tags.
    var content: Range<Int>
    let attributes: [Attribute]
    var children: [XMPElement] = []

    private var structure: XMPElement {
        children.count == 1 && children[0].name == "Description" ? children[0] : self
    }

    /// A field that is a structure or an array.
    func field(_ name: String) -> XMPElement? { structure.children.first { $0.name == name } }

    /// The text of a field.
    func value(_ name: String) -> Range<Int>? {
        if let attribute = structure.attributes.first(where: { $0.name == name }) { return attribute.value }
        return field(name).flatMap { $0.children.isEmpty ? $0.content : nil }
    }

    /// The items of an array.
    var items: [XMPElement] {
        let array = children.first { ["Bag", "Seq", "Alt"].contains($0.name) }
        return array?.children.filter { $0.name == "li" } ?? []
    }
}
