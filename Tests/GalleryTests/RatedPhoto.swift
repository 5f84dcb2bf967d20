import Foundation
import TestSupport
import Tintype

/// Photos with stars in their XMP.
enum RatedPhoto {
    /// A small JPEG.
    static func jpeg(_ rating: Int, seed: UInt64 = 1) throws -> [UInt8] {
        let photo = try TestPhoto.jpeg(width: 64, height: 48, seed: seed)
        let content = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + XMPRating.packet(with: rating)
        let count = UInt16(content.count + 2)
        return photo.prefix(2) + [0xFF, 0xE1, UInt8(count >> 8), UInt8(count & 255)] + content
            + photo.dropFirst(2)
    }

    /// What exiftool prints.
    @discardableResult
    static func exiftool(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/exiftool")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
