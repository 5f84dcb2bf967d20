import TintypeImaging

/// How a JPEG tells of the HDR gain map that follows it. The index of a multi-picture file lists it in any case.
package struct GainMapMention: Hashable, Sendable {
    /// XMP has a version and a list of the files (Ultra HDR 1.0).
    package let isInXMP: Bool
    /// A segment has a version (ISO 21496-1, annex C).
    package let isInSegment: Bool

    package static let inSegment = GainMapMention(isInXMP: false, isInSegment: true)

    package init(isInXMP: Bool, isInSegment: Bool) {
        self.isInXMP = isInXMP
        self.isInSegment = isInSegment
    }
}

extension PhotoMetadata {
    /// How the photo's metadata tell of its gain map.
    package var gainMapMention: GainMapMention {
        var isInXMP = false, isInSegment = false
        for item in items {
            switch item {
            case .xmp(let bytes): isInXMP = isInXMP || XMPPacket(bytes: bytes).hasProperties(of: .gainMap)
            case .jpegSegment(let marker, let bytes):
                isInSegment = isInSegment || JPEGSegments.isGainMapVersion(marker, bytes)
            default: break
            }
        }
        return GainMapMention(isInXMP: isInXMP, isInSegment: isInSegment)
    }

    /// The metadata of a JPEG that a gain map follows, with an index whose numbers are not known yet.
    ///
    /// - Parameter byteCount: of the map's file.
    /// - Returns: nil if the photo's XMP cannot tell of it.
    package func telling(of mention: GainMapMention, byteCount: Int) -> PhotoMetadata? {
        var metadata = self
        if mention.isInXMP {
            let text = XMPPacket.gainMap(byteCount: byteCount)
            if let place = items.firstIndex(where: { if case .xmp = $0 { true } else { false } }),
                case .xmp(let bytes) = items[place]
            {
                // A larger packet would be split, and readers look into its first part alone.
                let packets = [bytes, XMPPacket.withoutPadding(bytes)].lazy
                    .compactMap { XMPPacket(bytes: $0).adding(text) }
                guard let packet = packets.first(where: { $0.count <= JPEGSegments.maxXMPByteCount })
                else { return nil }
                metadata.items[place] = .xmp(packet)
            } else {
                metadata.items.append(.xmp(XMPPacket.packet(of: text)))
            }
        }
        if mention.isInSegment {
            let version: [UInt8] = [0, 0, 0, 0]  // the least for readers, and the writer's
            metadata.items.append(
                .jpegSegment(marker: JPEGSegments.app2, JPEGSegments.gainMapPrefix + version))
        }
        metadata.items.append(
            .jpegSegment(
                marker: JPEGSegments.app2,
                MultiPictureIndex.segment(photoByteCount: 0, pictureByteCount: byteCount, offset: 0)))
        // A packet that readers cannot follow says nothing.
        return metadata.gainMapMention == mention ? metadata : nil
    }
}

extension XMPPacket {
    func hasProperties(of namespace: Namespace) -> Bool {
        let start = XMPWalk(bytes: bytes, isRemoved: { $0.namespace == namespace })
        return walk(start, [namespace.rawValue])?.removed.isEmpty == false
    }

    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

    /// What Ultra HDR 1.0 says in the photo: that there is a map, and a list of both files.
    ///
    /// - Parameter about: the resource of the packet's other properties.
    fileprivate static func gainMap(byteCount: Int) -> (_ about: String) -> String {
        let attributes =
            #"xmlns:rdf="\#(rdf)" xmlns:hdrgm="\#(Namespace.gainMap.rawValue)" "#
            + #"xmlns:Container="\#(Namespace.container.rawValue)" "#
            + #"xmlns:Item="\#(Namespace.containerItem.rawValue)" hdrgm:Version="1.0""#
        let items = [
            #"Item:Semantic="Primary" Item:Mime="image/jpeg""#,
            #"Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="\#(byteCount)""#,
        ].map { #"<rdf:li rdf:parseType="Resource"><Container:Item \#($0)/></rdf:li>"# }.joined()
        return { about in
            #"<rdf:Description rdf:about="\#(about)" \#(attributes)><Container:Directory><rdf:Seq>"#
                + items + "</rdf:Seq></Container:Directory></rdf:Description>"
        }
    }

    static func packet(of description: (_ about: String) -> String) -> [UInt8] {
        Array(
            (#"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\#(rdf)">"# + description("")
                + "</rdf:RDF></x:xmpmeta>").utf8)
    }

    /// A copy with further properties at its end; nil if the packet is malformed.
    fileprivate func adding(_ description: (_ about: String) -> String) -> [UInt8]? {
        var tags = XMLTags(bytes), end: Int?, about: String?
        do throws(XMLTags.Malformed) {
            while let tag = try tags.next() {
                // The namespace of RDF has no other name in any packet that is written.
                switch (String(decoding: bytes[tag.name], as: UTF8.self), tag.kind) {
                case ("rdf:RDF", .end): end = tag.range.lowerBound
                case ("rdf:Description", .start), ("rdf:Description", .empty):
                    let attribute = tag.attributes.first { bytes[$0.name].elementsEqual("rdf:about".utf8) }
                    about = about ?? attribute.map { String(decoding: bytes[$0.value], as: UTF8.self) }
                default: break
                }
            }
        } catch {
            return nil
        }
        guard let end else { return nil }
        // Its value may have been between other quotes.
        let resource = about.flatMap { $0.contains("\"") ? nil : $0 } ?? ""
        return bytes[..<end] + Array(description(resource).utf8) + bytes[end...]
    }
}
