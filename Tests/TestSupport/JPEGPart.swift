/// A part of a JPEG's file: SOI, a segment, a scan with its data, or EOI.
package struct JPEGPart {
    /// Of the part's marker.
    package let code: UInt8
    /// Without fill bytes.
    package let bytes: [UInt8]

    /// The parts of a sound file, in order.
    package static func parts(of bytes: [UInt8]) -> [JPEGPart] {
        var parts: [JPEGPart] = []
        var position = 0
        while position < bytes.count {
            while bytes[position + 1] == 0xFF { position += 1 }
            let code = bytes[position + 1]
            var end = position + 2
            if code != 0xD8, code != 0xD9 { end += Int(bytes[end]) << 8 | Int(bytes[end + 1]) }
            if code == 0xDA {
                while bytes[end] != 0xFF || bytes[end + 1] == 0 || 0xD0...0xD7 ~= bytes[end + 1] { end += 1 }
            }
            parts.append(JPEGPart(code: code, bytes: Array(bytes[position..<end])))
            position = end
        }
        return parts
    }
}
