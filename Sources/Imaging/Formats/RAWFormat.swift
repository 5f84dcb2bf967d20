/// What cameras keep of their sensors' values, with a JPEG inside. Each maker has a form, and most of them are TIFFs.
package struct RAWFormat: FormatDescription {
    package let identifier = "raw"
    package let name = "RAW"
    package let nameWithArticle = "a RAW photo"
    package let fileExtensions = [
        "dng", "cr2", "cr3", "nef", "nrw", "arw", "raf", "orf", "rw2", "pef", "srw",
    ]
    package let mediaType = "image/x-raw"
    package let isWritten = false
    /// Canon's CR2 and CR3, Fujifilm, Olympus and OM System, Panasonic. The others begin like any TIFF.
    package let firstBytes =
        [BytePattern([0x49, 0x49, 42, 0, 16, 0, 0, 0, 0x43, 0x52, 2, 0])]
        + ["????ftypcrx ", "FUJIFILMCCD-RAW ", "IIRO", "IIRS", "MMOR", "IIU\0"].map { BytePattern($0) }

    package func isFormat(ofFile beginning: [UInt8]) -> Bool {
        firstBytes.contains { $0.match(beginning) }
            || TIFFBeginning(beginning).map { Self.isRAW($0.number) } == true
    }

    /// Whether a TIFF is a RAW photo: a DNG; one whose first image has the mosaic of a sensor, or the compression of Sony, Nikon or
    /// Pentax; or one whose first image is a small one, with others below it.
    ///
    /// - Parameter number: the first number of a field of the first directory; nil if there is no such field.
    package static func isRAW(_ number: (_ tag: Int) -> Int?) -> Bool {
        let dngVersion = 0xC612, subfileType = 0x00FE, subdirectories = 0x014A
        let photometric = 0x0106, compression = 0x0103
        if number(dngVersion) != nil { return true }
        if let kind = number(photometric), [32803, 34892].contains(kind) { return true }
        if let kind = number(compression), [32767, 34713, 65535].contains(kind) { return true }
        return number(subfileType).map { $0 & 1 == 1 } == true && number(subdirectories) != nil
    }
}

extension PhotoFormat {
    /// RAW photos of cameras: DNG, CR2, CR3, NEF, NRW, ARW, RAF, ORF, RW2, PEF, SRW. None is written. `RAWReading` is what is read.
    public static let raw = PhotoFormat(RAWFormat())
}

/// What is taken of a RAW photo.
public enum RAWReading: String, CaseIterable, Hashable, Sendable {
    /// The largest JPEG inside: the photo as the camera shows it.
    case preview
    /// The sensor's values, which LibRaw develops to RGB of 16 bits in sRGB, with the camera's white balance.
    case develop
}

/// The first directory of a TIFF (TIFF 6.0, section 2), if it is among the file's first bytes.
private struct TIFFBeginning {
    private let bytes: [UInt8]
    private let isBigEndian: Bool
    private var directory: Range<Int>

    private static let entryByteCount = 12

    init?(_ beginning: [UInt8]) {
        bytes = beginning
        isBigEndian = beginning.starts(with: [0x4D, 0x4D, 0, 42])
        directory = 0..<0
        guard isBigEndian || beginning.starts(with: [0x49, 0x49, 42, 0]),
            let offset = integer(at: 4, byteCount: 4), let count = integer(at: offset, byteCount: 2)
        else { return nil }
        directory = offset + 2..<offset + 2 + Self.entryByteCount * count
    }

    /// The first number of a field, of type BYTE, SHORT or LONG; 0 for another type.
    func number(_ tag: Int) -> Int? {
        for position in stride(from: directory.lowerBound, to: directory.upperBound, by: Self.entryByteCount)
        where integer(at: position, byteCount: 2) == tag {
            guard let type = integer(at: position + 2, byteCount: 2) else { return nil }
            let byteCount = [1: 1, 3: 2, 4: 4, 13: 4][type] ?? 0
            return integer(at: position + 8, byteCount: byteCount)
        }
        return nil
    }

    private func integer(at position: Int, byteCount: Int) -> Int? {
        guard position + byteCount <= bytes.count else { return nil }
        return (0..<byteCount).reduce(0) {
            $0 << 8 | Int(bytes[position + (isBigEndian ? $1 : byteCount - 1 - $1)])
        }
    }
}
