/// Finds the properties to remove or to edit, and tracks namespace declarations.
struct XMPWalk {
    private struct Element {
        let start: Range<Int>
        let name: XMPPacket.Name?
        let tagName: Range<Int>
        let prefixes: [ArraySlice<UInt8>]
        let isCut: Bool
        /// Whether it is in a property to edit.
        let isEdited: Bool
    }

    /// Far more than real packets have. A tag takes 4 bytes, and what is stored of it up to 100, so without limits a
    /// packet could take many times its size in memory.
    private static let maxDepth = 256, maxItemCount = 4096
    /// Of elements and attributes in properties to edit. A region has about ten.
    private static let maxEditedCount = 32768

    let bytes: [UInt8]
    let isRemoved: (XMPPacket.Name) -> Bool
    let isEdited: (XMPPacket.Name) -> Bool
    /// Whether properties are removed whose text is an image in Base64.
    let removesImages: Bool
    var cuts: [Range<Int>] = []
    var removed: [XMPPacket.Property] = []
    /// The declarations of namespaces that may have no use afterwards.
    var declarations: [(namespace: XMPPacket.Namespace, range: Range<Int>)] = []
    /// The properties for which `isEdited` is true, with all that is in them.
    var edited: [(name: XMPPacket.Name, element: XMPElement)] = []
    /// The same for those that are attributes.
    var editedAttributes: [(name: XMPPacket.Name, attribute: XMPElement.Attribute)] = []
    /// False if the properties to edit exceed the limit, so that parts of them are missing.
    var isComplete: Bool { editedCount <= Self.maxEditedCount }
    private var editedCount = 0
    /// The enclosing elements within a property to edit.
    private var openEdited: [XMPElement] = []
    private var open: [Element] = []
    /// The innermost binding is last; nil for other namespaces.
    private var bindings: [ArraySlice<UInt8>: [XMPPacket.Namespace?]] = [:]
    /// Whether an enclosing element is removed as a whole.
    private var isInCut = false

    init(
        bytes: [UInt8], isRemoved: @escaping (XMPPacket.Name) -> Bool,
        isEdited: @escaping (XMPPacket.Name) -> Bool = { _ in false }, removesImages: Bool = false
    ) {
        self.bytes = bytes
        self.isRemoved = isRemoved
        self.isEdited = isEdited
        self.removesImages = removesImages
    }

    mutating func run() throws(XMLTags.Malformed) {
        var tags = XMLTags(bytes)
        while let tag = try tags.next() {
            switch tag.kind {
            case .start: try enter(tag)
            case .end: try leave(tag)
            case .empty:
                try enter(tag)
                try leave(
                    XMLTags.Tag(
                        kind: .end, range: tag.range.upperBound..<tag.range.upperBound, name: tag.name))
            }
        }
        guard open.isEmpty else { throw XMLTags.Malformed() }
    }

    private mutating func enter(_ tag: XMLTags.Tag) throws(XMLTags.Malformed) {
        guard open.count < Self.maxDepth,
            removed.count + declarations.count + bindings.count < Self.maxItemCount
        else { throw XMLTags.Malformed() }
        let prefixes = tag.attributes.compactMap { declare($0) }
        let name = name(tag.name)
        let isCut = !isInCut && name.map(isRemoved) == true
        isInCut = isInCut || isCut
        for attribute in tag.attributes { take(attribute) }
        let isEdited = !isInCut && (!openEdited.isEmpty || name.map(isEdited) == true)
        if isEdited { enterEdited(tag) }
        open.append(
            Element(
                start: tag.range, name: name, tagName: tag.name, prefixes: prefixes, isCut: isCut,
                isEdited: isEdited))
    }

    private mutating func take(_ attribute: XMLTags.Attribute) {
        guard bytes[attribute.name].contains(UInt8(ascii: ":")) else { return }
        let name = name(attribute.name)
        if let name, isRemoved(name) {
            removed.append(XMPPacket.Property(name: name, value: text(attribute.value)))
            if !isInCut { cuts.append(attribute.range) }
        } else if !isInCut, isImage(attribute.value, of: name) {
            cuts.append(attribute.range)
        } else if !isInCut, let name {
            takeEdited(attribute, name)
        }
    }

    private mutating func leave(_ tag: XMLTags.Tag) throws(XMLTags.Malformed) {
        guard let element = open.popLast(), bytes[element.tagName] == bytes[tag.name] else {
            throw XMLTags.Malformed()
        }
        for prefix in element.prefixes {
            bindings[prefix]?.removeLast()
            if bindings[prefix]?.isEmpty == true { bindings[prefix] = nil }
        }
        let content = element.start.upperBound..<tag.range.lowerBound
        if let name = element.name, isRemoved(name) {
            removed.append(XMPPacket.Property(name: name, value: text(content)))
        }
        leaveEdited(element, tag)
        guard element.isCut || !isInCut && isImage(content, of: element.name) else { return }
        isInCut = false
        cuts.append(rangeWithBlanks(from: element, to: tag))
    }

    private func rangeWithBlanks(from element: Element, to tag: XMLTags.Tag) -> Range<Int> {
        let before = bytes[..<element.start.lowerBound].reversed().prefix { $0 <= 0x20 }.count
        return element.start.lowerBound - before..<tag.range.upperBound
    }

    /// Whether the text of a property is an image. A depth map is one, and no preview.
    private func isImage(_ range: Range<Int>, of name: XMPPacket.Name?) -> Bool {
        guard removesImages, name?.namespace != .depth else { return false }
        return EmbeddedImage.isBase64(bytes[range])
    }

    /// - Returns: the prefix that the attribute declares.
    private mutating func declare(_ attribute: XMLTags.Attribute) -> ArraySlice<UInt8>? {
        let name = bytes[attribute.name]
        guard name.starts(with: "xmlns".utf8) else { return nil }
        let prefix = name.dropFirst(5)
        guard prefix.isEmpty || prefix.first == UInt8(ascii: ":") else { return nil }
        let namespace = XMPPacket.Namespace(rawValue: text(attribute.value))
        if let namespace, namespace.describesOnlyPictures, !isInCut {
            declarations.append((namespace, attribute.range))
        }
        bindings[prefix.dropFirst(), default: []].append(namespace)
        return prefix.dropFirst()
    }

    private func name(_ range: Range<Int>) -> XMPPacket.Name? {
        let parts = bytes[range].split(separator: UInt8(ascii: ":"), maxSplits: 1)
        let prefix = parts.count == 2 ? parts[0] : []
        guard let namespace = bindings[prefix]?.last ?? nil, let local = parts.last else { return nil }
        return XMPPacket.Name(namespace: namespace, local: String(decoding: local, as: UTF8.self))
    }

    private func text(_ range: Range<Int>) -> String {
        range.count <= 64 ? String(decoding: bytes[range], as: UTF8.self) : ""
    }
}

// MARK: Properties to edit

extension XMPWalk {
    /// - Returns: false if there are too many.
    private mutating func countEdited(_ items: Int) -> Bool {
        editedCount += items
        return isComplete
    }

    /// Nil for the declaration of a namespace.
    private func attribute(_ attribute: XMLTags.Attribute) -> XMPElement.Attribute? {
        guard !bytes[attribute.name].starts(with: "xmlns".utf8) else { return nil }
        return XMPElement.Attribute(
            name: localName(attribute.name), range: attribute.range, value: attribute.value)
    }

    private mutating func takeEdited(_ attribute: XMLTags.Attribute, _ name: XMPPacket.Name) {
        guard openEdited.isEmpty, isEdited(name), countEdited(1), let attribute = self.attribute(attribute)
        else { return }
        editedAttributes.append((name, attribute))
    }

    private mutating func enterEdited(_ tag: XMLTags.Tag) {
        let fits = countEdited(1 + tag.attributes.count)
        openEdited.append(
            XMPElement(
                name: localName(tag.name), range: tag.range, content: tag.range,
                attributes: fits ? tag.attributes.compactMap(attribute) : []))
    }

    private mutating func leaveEdited(_ element: Element, _ tag: XMLTags.Tag) {
        guard element.isEdited, var last = openEdited.popLast() else { return }
        last.range = rangeWithBlanks(from: element, to: tag)
        last.content = element.start.upperBound..<tag.range.lowerBound
        if !openEdited.isEmpty {
            if isComplete { openEdited[openEdited.count - 1].children.append(last) }
        } else if let name = element.name {
            edited.append((name, last))
        }
    }

    private func localName(_ range: Range<Int>) -> String {
        let name = bytes[range]
        let start = name.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex
        return String(decoding: name[start...], as: UTF8.self)
    }
}
