import Glibc

/// An XMP packet (ISO 16684-1). Properties can be removed; all other bytes stay unchanged.
struct XMPPacket {
    /// Namespaces with properties about pictures.
    enum Namespace: String, CaseIterable {
        /// Ultra HDR 1.0.
        case gainMap = "http://ns.adobe.com/hdr-gain-map/1.0/"
        case appleGainMap = "http://ns.apple.com/HDRGainMap/1.0/"
        /// Google's list of the files behind a photo, in Ultra HDR and Motion Photo 1.0.
        case container = "http://ns.google.com/photos/1.0/container/"
        case containerItem = "http://ns.google.com/photos/1.0/container/item/"
        /// Google's copy of the photo before its effects.
        case image = "http://ns.google.com/photos/1.0/image/"
        case camera = "http://ns.google.com/photos/1.0/camera/"
        case xmp = "http://ns.adobe.com/xap/1.0/"
        case xmpNote = "http://ns.adobe.com/xmp/note/"
        case tiff = "http://ns.adobe.com/tiff/1.0/"
        case exif = "http://ns.adobe.com/exif/1.0/"
        /// Faces and other things in the photo, and where they are: Metadata Working Group, 2.0, 5.9.
        case regions = "http://www.metadataworkinggroup.com/schemas/regions/"
        /// Where a panorama's pixels are on a sphere: Google's Photo Sphere XMP Metadata.
        case panorama = "http://ns.google.com/photos/1.0/panorama/"

        /// Whether all its properties are about pictures.
        fileprivate var describesOnlyPictures: Bool {
            switch self {
            case .gainMap, .appleGainMap, .container, .containerItem: true
            case .image, .camera, .xmp, .xmpNote, .tiff, .exif, .regions, .panorama: false
            }
        }
    }

    struct Name: Hashable {
        let namespace: Namespace
        let local: String

        /// Whether it is about pictures or a video behind the photo.
        var describesFurtherPictures: Bool {
            namespace.describesOnlyPictures
                || namespace == .camera && (local.hasPrefix("MotionPhoto") || local.hasPrefix("MicroVideo"))
        }
        var isPreview: Bool {
            namespace == .image || self == Name(namespace: .xmp, local: "Thumbnails")
        }
        var isOrientation: Bool { self == Name(namespace: .tiff, local: "Orientation") }
        /// Whether it tells where something is in the photo, as shares of it, or where the photo is in a panorama.
        var isPlaceInPhoto: Bool { namespace == .regions || namespace == .panorama }
        /// Whether it has the photo's size in pixels, or places in pixels.
        var isInPixels: Bool {
            switch namespace {
            case .tiff: ["ImageWidth", "ImageLength"].contains(local)
            case .exif:
                ["PixelXDimension", "PixelYDimension", "SubjectArea", "SubjectLocation"].contains(local)
            default: false
            }
        }
        var namesExtendedXMP: Bool { self == Name(namespace: .xmpNote, local: "HasExtendedXMP") }
    }

    struct Property: Hashable {
        let name: Name
        /// The text, if it is short.
        let value: String
    }

    let bytes: [UInt8]

    /// Every packet with a removable property contains one of these, except for those of places. The search is fast, and
    /// spares most packets the parsing.
    private static let signs = [
        "http://ns.google.com/photos/1.0/", Namespace.gainMap.rawValue, Namespace.appleGainMap.rawValue,
        "Thumbnails", "HasExtendedXMP", "Orientation",
    ]

    /// Every packet with properties of places contains one of these. Many packets do.
    static let signsOfPlaces = [
        Namespace.regions.rawValue, Namespace.panorama.rawValue, "ImageWidth", "ImageLength", "Dimension",
        "SubjectArea", "SubjectLocation",
    ]

    /// Extended XMP with previews contains one of these.
    static let signsOfPreviews = ["Thumbnails", "photos/1.0/image/", "GImage:"]

    /// A copy without the properties for which `isRemoved` is true, and these properties, including nested
    /// ones.
    ///
    /// - Parameter signs: every packet with such a property contains one of them; nil for `XMPPacket.signs`.
    /// - Returns: nil if there are none, or if the packet is malformed or exceeds the limits of `XMPWalk`.
    func removing(
        _ isRemoved: @escaping (Name) -> Bool, signs: [String]? = nil
    ) -> (bytes: [UInt8], properties: [Property])? {
        guard (signs ?? Self.signs).contains(where: { bytes.contains(text: $0) }) else { return nil }
        var walk = XMPWalk(bytes: bytes, isRemoved: isRemoved)
        guard (try? walk.run()) != nil, !walk.removed.isEmpty else { return nil }
        let names = Set(walk.removed.map(\.name.namespace))
        let declarations = walk.declarations.filter { names.contains($0.namespace) }
        var kept: [UInt8] = [], end = 0
        for cut in RangeSet(sorting: walk.cuts + declarations.map(\.range)).ranges {
            kept += bytes[end..<cut.lowerBound]
            end = cut.upperBound
        }
        return (kept + bytes[end...], walk.removed)
    }
}

/// Finds the properties to remove, and tracks namespace declarations.
private struct XMPWalk {
    private struct Element {
        let start: Range<Int>
        let name: XMPPacket.Name?
        let tagName: Range<Int>
        let prefixes: [ArraySlice<UInt8>]
        let isCut: Bool
    }

    /// Far more than real packets have. A tag takes 4 bytes, and what is stored of it up to 100, so without limits a
    /// packet could take many times its size in memory.
    private static let maxDepth = 256, maxItemCount = 4096

    let bytes: [UInt8]
    let isRemoved: (XMPPacket.Name) -> Bool
    var cuts: [Range<Int>] = []
    var removed: [XMPPacket.Property] = []
    /// The declarations of namespaces that may have no use afterwards.
    var declarations: [(namespace: XMPPacket.Namespace, range: Range<Int>)] = []
    private var open: [Element] = []
    /// The innermost binding is last; nil for other namespaces.
    private var bindings: [ArraySlice<UInt8>: [XMPPacket.Namespace?]] = [:]
    /// Whether an enclosing element is removed as a whole.
    private var isInCut = false

    init(bytes: [UInt8], isRemoved: @escaping (XMPPacket.Name) -> Bool) {
        self.bytes = bytes
        self.isRemoved = isRemoved
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
        for attribute in tag.attributes {
            guard bytes[attribute.name].contains(UInt8(ascii: ":")), let name = self.name(attribute.name),
                isRemoved(name)
            else { continue }
            removed.append(XMPPacket.Property(name: name, value: text(attribute.value)))
            if !isInCut { cuts.append(attribute.range) }
        }
        open.append(
            Element(start: tag.range, name: name, tagName: tag.name, prefixes: prefixes, isCut: isCut))
    }

    private mutating func leave(_ tag: XMLTags.Tag) throws(XMLTags.Malformed) {
        guard let element = open.popLast(), bytes[element.tagName] == bytes[tag.name] else {
            throw XMLTags.Malformed()
        }
        for prefix in element.prefixes {
            bindings[prefix]?.removeLast()
            if bindings[prefix]?.isEmpty == true { bindings[prefix] = nil }
        }
        if let name = element.name, isRemoved(name) {
            let content = element.start.upperBound..<tag.range.lowerBound
            removed.append(XMPPacket.Property(name: name, value: text(content)))
        }
        guard element.isCut else { return }
        isInCut = false
        let before = bytes[..<element.start.lowerBound].reversed().prefix { $0 <= 0x20 }.count
        cuts.append(element.start.lowerBound - before..<tag.range.upperBound)
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

extension [UInt8] {
    func contains(text: String) -> Bool {
        let text = Array(text.utf8)
        return withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            var position = 0
            while position + text.count <= bytes.count,
                let found = memchr(start + position, Int32(text[0]), bytes.count - position - text.count + 1)
            {
                if memcmp(found, text, text.count) == 0 { return true }
                position = UnsafeRawPointer(found) - start + 1
            }
            return false
        }
    }
}
