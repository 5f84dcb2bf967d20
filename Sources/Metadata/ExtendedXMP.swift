import TintypeCryptography

/// XMP that exceeds a JPEG's segment (XMP Specification Part 3, 1.1.3.1). A short packet has its digest, and
/// separate segments hold the text in parts.
package struct ExtendedXMP {
    /// The short packet that replaces the large one.
    package let standIn: [UInt8]
    /// The contents of the segments.
    package let parts: [[UInt8]]

    package init(_ packet: [UInt8]) {
        let digest = MD5.hash(packet)
            .map { String($0 >> 4, radix: 16, uppercase: true) + String($0 & 15, radix: 16, uppercase: true) }
            .joined()
        let capacity = JPEGSegments.maxByteCount - JPEGSegments.extendedXMPHeaderByteCount
        parts = stride(from: 0, to: packet.count, by: capacity).map { offset in
            let numbers = UInt32(packet.count).bigEndianBytes + UInt32(offset).bigEndianBytes
            return JPEGSegments.extendedXMPPrefix + Array(digest.utf8) + numbers
                + packet[offset..<min(offset + capacity, packet.count)]
        }
        let text = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/">\
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description rdf:about="" xmlns:xmpNote="http://ns.adobe.com/xmp/note/" \
            xmpNote:HasExtendedXMP="\(digest)"/></rdf:RDF></x:xmpmeta>
            """
        standIn = Array(text.utf8)
    }
}
