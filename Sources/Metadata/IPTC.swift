/// IPTC's datasets (Information Interchange Model 4.2).
enum IPTC {
    /// The format, the version and the data of a preview: datasets 2:200 to 2:202.
    private static let previews: ClosedRange<UInt8> = 200...202
    private static let tagMarker: UInt8 = 0x1C, record: UInt8 = 2

    /// The datasets without those of a preview; nil if there is none. The first malformed dataset and all that follows stay
    /// unchanged.
    static func withoutPreview(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var kept: [UInt8] = []
        var rest = bytes
        while let end = endOfFirst(rest) {
            let dataset = rest[..<end]
            let isPreview =
                dataset[dataset.startIndex + 1] == record && previews ~= dataset[dataset.startIndex + 2]
            if !isPreview { kept += dataset }
            rest = rest[end...]
        }
        kept += rest
        return kept.count < bytes.count ? kept : nil
    }

    /// A marker, record, dataset, length in two bytes, data. A length of more than 15 bits has its own length in its place.
    private static func endOfFirst(_ bytes: ArraySlice<UInt8>) -> Int? {
        let start = bytes.startIndex
        guard bytes.count >= 5, bytes[start] == tagMarker else { return nil }
        var byteCount = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4]), dataStart = start + 5
        if byteCount & 0x8000 != 0 {
            let lengthByteCount = byteCount & 0x7FFF
            guard lengthByteCount <= 4, bytes.endIndex - dataStart >= lengthByteCount else { return nil }
            byteCount = bytes[dataStart..<dataStart + lengthByteCount].reduce(0) { $0 << 8 | Int($1) }
            dataStart += lengthByteCount
        }
        guard bytes.endIndex - dataStart >= byteCount else { return nil }
        return dataStart + byteCount
    }
}
