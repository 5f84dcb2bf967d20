/// The first bytes of files of each kind: enough to be told apart, not to be decoded.
package enum FirstBytes {
    /// SOI and APP0, ITU-T T.81 and JFIF 1.02.
    package static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 0, 0]
    /// Signature and the head of IHDR, PNG specification 5.2.
    package static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    package static let text = Array("Just some notes about photos.\n".utf8)
}
