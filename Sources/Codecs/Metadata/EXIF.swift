import Imaging

/// EXIF: a TIFF stream of tags in directories. Format: Exif 2.32, TIFF 6.0.
///
/// Files in the wild have damaged EXIF; nothing here trusts an offset or a count.
public struct EXIF: Hashable, Sendable {
    public private(set) var bytes: [UInt8]
    private let isBigEndian: Bool

    private enum Tag {
        static let imageWidth = 0x0100
        static let imageHeight = 0x0101
        static let orientation = 0x0112
        static let thumbnailOffset = 0x0201
        static let exifDirectory = 0x8769
        static let gpsDirectory = 0x8825
        static let pixelXDimension = 0xA002
        static let pixelYDimension = 0xA003
        static let interoperabilityDirectory = 0xA005
    }

    /// Nil where the bytes do not begin as a TIFF stream does.
    public init?(bytes: [UInt8]) {
        if bytes.starts(with: [0x49, 0x49, 42, 0]) {
            isBigEndian = false
        } else if bytes.starts(with: [0x4D, 0x4D, 0, 42]) {
            isBigEndian = true
        } else {
            return nil
        }
        guard bytes.count >= 8 else { return nil }
        self.bytes = bytes
    }

    /// The least EXIF that says how a photo is turned: one directory with one tag.
    public init(orientation: Orientation) {
        isBigEndian = true
        bytes = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
        bytes += [0, 1]
        bytes += [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.rawValue), 0, 0]
        bytes += [0, 0, 0, 0]
    }

    /// Nil where the tag is absent or its value is none of the eight.
    public var orientation: Orientation? {
        firstDirectory?.entries.first { $0.tag == Tag.orientation }.flatMap(number).flatMap(Orientation.init)
    }

    /// Without the preview in the second directory. Its bytes are cut off where they are the last, as cameras
    /// write them; else only the pointer to them goes.
    public func withoutThumbnail() -> EXIF {
        guard let first = firstDirectory, first.next != 0 else { return self }
        var result = self
        result.setInteger(0, at: first.nextPosition, byteCount: 4)
        let kept = endOfContents(of: first)
        let image = directory(at: first.next)?.entries.first { $0.tag == Tag.thumbnailOffset }.flatMap(number)
        if first.next >= kept, (image ?? kept) >= kept { result.bytes.removeLast(bytes.count - kept) }
        return result
    }

    /// With the tags that hold the photo's size, where there are any, set to another size.
    public func withPixelSize(width: Int, height: Int) -> EXIF {
        guard let first = firstDirectory else { return self }
        var result = self
        for entry in first.entries + subdirectories(of: first).flatMap(\.entries) {
            switch entry.tag {
            case Tag.imageWidth, Tag.pixelXDimension: result.setNumber(width, of: entry)
            case Tag.imageHeight, Tag.pixelYDimension: result.setNumber(height, of: entry)
            default: break
            }
        }
        return result
    }
}

// MARK: Directories

extension EXIF {
    /// 12 bytes: tag, type, count, then the value or its offset.
    private struct Entry {
        let position: Int
        let tag: Int
        let type: Int
        let count: Int

        static let byteCount = 12
        var valuePosition: Int { position + 8 }
    }

    private struct Directory {
        let entries: [Entry]
        /// Where the offset of the next directory stands.
        let nextPosition: Int
        /// Offset of the next directory; 0 for none.
        let next: Int
    }

    private var firstDirectory: Directory? { integer(at: 4, byteCount: 4).flatMap(directory) }

    private func directory(at offset: Int) -> Directory? {
        guard offset >= 8, let count = integer(at: offset, byteCount: 2) else { return nil }
        let nextPosition = offset + 2 + Entry.byteCount * count
        guard nextPosition <= bytes.count else { return nil }
        let entries = (0..<count).compactMap { entry(at: offset + 2 + Entry.byteCount * $0) }
        // Some writers leave the offset of the next directory out.
        return Directory(
            entries: entries, nextPosition: nextPosition, next: integer(at: nextPosition, byteCount: 4) ?? 0)
    }

    private func entry(at position: Int) -> Entry? {
        guard let tag = integer(at: position, byteCount: 2),
            let type = integer(at: position + 2, byteCount: 2),
            let count = integer(at: position + 4, byteCount: 4)
        else { return nil }
        return Entry(position: position, tag: tag, type: type, count: count)
    }

    /// The directories that a first one points to, and those that they point to.
    private func subdirectories(of first: Directory) -> [Directory] {
        let direct = [Tag.exifDirectory, Tag.gpsDirectory].compactMap { subdirectory($0, of: first) }
        return direct + direct.compactMap { subdirectory(Tag.interoperabilityDirectory, of: $0) }
    }

    private func subdirectory(_ tag: Int, of parent: Directory) -> Directory? {
        parent.entries.first { $0.tag == tag }.flatMap(number).flatMap(directory)
    }

    /// Offset behind the last byte that the first directory and its subdirectories use.
    private func endOfContents(of first: Directory) -> Int {
        var end = 8
        for directory in [first] + subdirectories(of: first) {
            end = max(end, directory.nextPosition + 4)
            for entry in directory.entries {
                let byteCount = entry.count * Self.valueByteCount(ofType: entry.type)
                guard byteCount > 4, let offset = integer(at: entry.valuePosition, byteCount: 4) else {
                    continue
                }
                end = max(end, offset + byteCount)
            }
        }
        return min(end, bytes.count)
    }

    /// Bytes of one value of a TIFF type; types that nobody defined count as the largest.
    private static func valueByteCount(ofType type: Int) -> Int {
        switch type {
        case 1, 2, 6, 7: 1
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        default: 8
        }
    }
}

// MARK: Numbers

extension EXIF {
    /// A single BYTE, SHORT or LONG.
    private func number(_ entry: Entry) -> Int? {
        guard entry.count == 1, [1, 3, 4, 13].contains(entry.type) else { return nil }
        return integer(at: entry.valuePosition, byteCount: Self.valueByteCount(ofType: entry.type))
    }

    private mutating func setNumber(_ value: Int, of entry: Entry) {
        guard number(entry) != nil else { return }
        let byteCount = Self.valueByteCount(ofType: entry.type)
        guard value >> (8 * byteCount) == 0 else { return }
        setInteger(value, at: entry.valuePosition, byteCount: byteCount)
    }

    private func integer(at position: Int, byteCount: Int) -> Int? {
        guard position >= 0, position + byteCount <= bytes.count else { return nil }
        return (0..<byteCount).reduce(0) {
            $0 << 8 | Int(bytes[position + (isBigEndian ? $1 : byteCount - 1 - $1)])
        }
    }

    private mutating func setInteger(_ value: Int, at position: Int, byteCount: Int) {
        for index in 0..<byteCount {
            let shift = 8 * (isBigEndian ? byteCount - 1 - index : index)
            bytes[position + index] = UInt8(truncatingIfNeeded: value >> shift)
        }
    }
}
