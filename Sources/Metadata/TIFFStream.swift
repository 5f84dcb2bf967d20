/// Directories of numbered fields: TIFF 6.0, section 2. EXIF and the index of multi-picture files have this
/// form.
///
/// Files may be damaged, so all offsets and counts are checked.
struct TIFFStream: Hashable, Sendable {
    private(set) var bytes: [UInt8]
    let isBigEndian: Bool

    /// 12 bytes: tag, type, count, then the value or its offset.
    struct Entry {
        let position: Int
        let tag: Int
        let type: Int
        let count: Int

        static let byteCount = 12
        var valuePosition: Int { position + 8 }
        /// Bytes of all values; nil for an undefined type.
        var valuesByteCount: Int? { TIFFField.valueByteCount(ofType: type).map { count * $0 } }
    }

    struct Directory {
        let position: Int
        let entries: [Entry]
        /// The position of the next directory's offset.
        let nextPosition: Int
        /// Offset of the next directory; 0 for none.
        let next: Int

        var range: Range<Int> { position..<nextPosition + 4 }
        /// The number of entries, and the entries.
        var entriesRange: Range<Int> { position..<nextPosition }

        /// Whether the two share a byte of their entries. One of them is none then.
        func overlaps(_ other: Directory) -> Bool { entriesRange.overlaps(other.entriesRange) }

        func entry(_ tag: Int) -> Entry? { entries.first { $0.tag == tag } }
    }

    /// Nil if the bytes do not start like a TIFF stream.
    init?(bytes: [UInt8]) {
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

    /// - Parameter header: 8 bytes.
    init(header: [UInt8]) {
        isBigEndian = header[0] == 0x4D
        bytes = header
    }

    /// - Parameter body: the bytes after the byte order mark of a big-endian stream.
    init(bigEndian body: [UInt8]) {
        isBigEndian = true
        bytes = [0x4D, 0x4D, 0, 42] + body
    }

    var firstDirectory: Directory? { integer(at: 4, byteCount: 4).flatMap(directory) }

    func directory(at offset: Int) -> Directory? {
        guard offset >= 8, let count = integer(at: offset, byteCount: 2) else { return nil }
        let nextPosition = offset + 2 + Entry.byteCount * count
        guard nextPosition <= bytes.count else { return nil }
        let entries = (0..<count).compactMap { entry(at: offset + 2 + Entry.byteCount * $0) }
        // Some writers omit the offset of the next directory.
        return Directory(
            position: offset, entries: entries, nextPosition: nextPosition,
            next: integer(at: nextPosition, byteCount: 4) ?? 0)
    }

    /// The directory that a field of `parent` refers to.
    func subdirectory(_ tag: Int, of parent: Directory) -> Directory? {
        parent.entry(tag).flatMap(number).flatMap(directory)
    }

    private func entry(at position: Int) -> Entry? {
        guard let tag = integer(at: position, byteCount: 2),
            let type = integer(at: position + 2, byteCount: 2),
            let count = integer(at: position + 4, byteCount: 4)
        else { return nil }
        return Entry(position: position, tag: tag, type: type, count: count)
    }
}

// MARK: Values

extension TIFFStream {
    /// The range of values that do not fit into the entry. An undefined type counts as the largest.
    func outOfLineRange(of entry: Entry) -> Range<Int>? {
        let byteCount = entry.valuesByteCount ?? entry.count * 8
        guard byteCount > 4, let offset = integer(at: entry.valuePosition, byteCount: 4) else { return nil }
        return range(at: offset, byteCount: byteCount)
    }

    /// The part of a range that exists.
    func range(at offset: Int, byteCount: Int) -> Range<Int>? {
        guard offset < bytes.count, byteCount > 0 else { return nil }
        return offset..<offset + min(byteCount, bytes.count - offset)
    }

    /// A single BYTE, SHORT or LONG.
    func number(_ entry: Entry) -> Int? { entry.count == 1 ? numbers(entry, atMost: 1).first : nil }

    /// The first values of type BYTE, SHORT or LONG.
    func numbers(_ entry: Entry, atMost limit: Int) -> [Int] {
        guard [1, 3, 4, 13].contains(entry.type), let byteCount = TIFFField.valueByteCount(ofType: entry.type)
        else { return [] }
        let start = outOfLineRange(of: entry)?.lowerBound ?? entry.valuePosition
        return (0..<min(entry.count, limit)).compactMap {
            integer(at: start + byteCount * $0, byteCount: byteCount)
        }
    }

    /// Does nothing if the values have another type, or a type that is too small for the number.
    mutating func setNumber(_ value: Int, of entry: Entry) {
        guard number(entry) != nil, let byteCount = entry.valuesByteCount else { return }
        guard value >> (8 * byteCount) == 0 else { return }
        setInteger(value, at: entry.valuePosition, byteCount: byteCount)
    }

    /// - Returns: false, without a change, if the field has another number of values, if one of them is beyond the file's end,
    ///   or if the type is too small for one.
    mutating func setNumbers(_ values: [Int], of entry: Entry) -> Bool {
        guard !values.isEmpty, numbers(entry, atMost: values.count + 1).count == values.count,
            entry.count == values.count, let byteCount = entry.valuesByteCount.map({ $0 / entry.count }),
            values.allSatisfy({ $0 >= 0 && $0 >> (8 * byteCount) == 0 })
        else { return false }
        let start = outOfLineRange(of: entry)?.lowerBound ?? entry.valuePosition
        for (index, value) in values.enumerated() {
            setInteger(value, at: start + byteCount * index, byteCount: byteCount)
        }
        return true
    }

    /// The range of values of type RATIONAL; nil if the field has others, or not all of them are there.
    private func rationals(_ entry: Entry) -> Range<Int>? {
        guard entry.type == 5, let range = outOfLineRange(of: entry), range.count == 8 * entry.count else {
            return nil
        }
        return range
    }

    /// In ten-thousandths. Does nothing if the field has another type or another number of values.
    mutating func setRationals(_ values: [Double], of entry: Entry) {
        guard entry.count == values.count, let range = rationals(entry) else { return }
        for (start, value) in zip(stride(from: range.lowerBound, to: range.upperBound, by: 8), values) {
            setInteger(Int((value * 10_000).rounded()), at: start, byteCount: 4)
            setInteger(10_000, at: start + 4, byteCount: 4)
        }
    }

    /// Does nothing if one of the fields is not a single RATIONAL.
    mutating func swapRationals(_ first: Entry, _ second: Entry) {
        guard first.count == 1, second.count == 1, let here = rationals(first), let there = rationals(second),
            !here.overlaps(there)
        else { return }
        let value = Array(bytes[here])
        bytes.replaceSubrange(here, with: bytes[there])
        bytes.replaceSubrange(there, with: value)
    }

    /// Whether a field is a text of three letters, and this one.
    func hasText(_ text: String, _ entry: Entry) -> Bool {
        entry.type == 2 && entry.count == 4
            && range(at: entry.valuePosition, byteCount: 4).map { bytes[$0].elementsEqual("\(text)\0".utf8) }
                == true
    }

    /// - Precondition: text and field have three letters.
    mutating func setText(_ text: String, of entry: Entry) {
        for (index, byte) in text.utf8.enumerated() {
            setInteger(Int(byte), at: entry.valuePosition + index, byteCount: 1)
        }
    }

    func integer(at position: Int, byteCount: Int) -> Int? {
        guard position >= 0, position + byteCount <= bytes.count else { return nil }
        return (0..<byteCount).reduce(0) {
            $0 << 8 | Int(bytes[position + (isBigEndian ? $1 : byteCount - 1 - $1)])
        }
    }

    mutating func setInteger(_ value: Int, at position: Int, byteCount: Int) {
        for index in 0..<byteCount {
            let shift = 8 * (isBigEndian ? byteCount - 1 - index : index)
            bytes[position + index] = UInt8(truncatingIfNeeded: value >> shift)
        }
    }

    mutating func keepPrefix(_ count: Int) { bytes.removeSubrange(count...) }

    mutating func appendZeros(_ count: Int) { bytes += [UInt8](repeating: 0, count: count) }

    mutating func overwrite(at position: Int, with slice: ArraySlice<UInt8>) {
        bytes.replaceSubrange(position..<position + slice.count, with: slice)
    }

    /// Appends bytes, at an even offset.
    mutating func append(_ slice: ArraySlice<UInt8>) {
        bytes += slice
        if bytes.count % 2 == 1 { bytes.append(0) }
    }

    /// Removes a directory's entries at these positions. Those behind them move up, zeros take the free places, and all
    /// other bytes stay where they are. So this is only for directories that no other one follows.
    mutating func remove(_ positions: Set<Int>, from directory: Directory) {
        let kept = directory.entries.filter { !positions.contains($0.position) }
        var entries: [UInt8] = []
        for entry in kept { entries += bytes[entry.position..<entry.position + Entry.byteCount] }
        let start = directory.position + 2
        entries += [UInt8](repeating: 0, count: directory.nextPosition - start - entries.count)
        bytes.replaceSubrange(start..<directory.nextPosition, with: entries)
        setInteger(kept.count, at: directory.position, byteCount: 2)
    }

    /// Removes ranges without moving other bytes: a range at the end is cut off, others become zeros.
    mutating func remove(_ ranges: RangeSet<Int>) {
        for range in ranges.ranges {
            for position in range { bytes[position] = 0 }
        }
        if let last = ranges.ranges.last, last.upperBound == bytes.count {
            bytes.removeSubrange(last)
        }
    }
}
