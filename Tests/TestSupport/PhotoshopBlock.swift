import TintypeMetadata

/// Blocks of Photoshop's resources.
package enum PhotoshopBlock {
    package static func bytes(_ number: Int, name: String = "", _ data: [UInt8]) -> [UInt8] {
        var bytes = Array("8BIM".utf8) + [UInt8(number >> 8), UInt8(number & 0xFF), UInt8(name.utf8.count)]
        bytes += Array(name.utf8)
        if bytes.count % 2 == 1 { bytes.append(0) }
        bytes += [0, UInt8(data.count >> 16), UInt8(data.count >> 8 & 0xFF), UInt8(data.count & 0xFF)] + data
        return data.count % 2 == 1 ? bytes + [0] : bytes
    }

    package static func segment(_ bytes: [UInt8]) -> PhotoMetadata.Item {
        .jpegSegment(marker: 0xED, PhotoshopResources.segmentPrefix + bytes)
    }
}
