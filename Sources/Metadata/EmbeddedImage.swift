import Glibc

/// Finds images in metadata of any form by what they are.
enum EmbeddedImage {
    /// The first byte of a JPEG or PNG.
    static func start(in bytes: ArraySlice<UInt8>) -> Int? {
        [0xFF, pngSignature[0]].compactMap { firstStart(with: $0, in: bytes) }.min()
    }

    private static func firstStart(with byte: UInt8, in bytes: ArraySlice<UInt8>) -> Int? {
        var position = bytes.startIndex
        while let offset = offset(of: byte, in: bytes[position...]) {
            position += offset
            if isStart(bytes[position...]) { return position }
            position += 1
        }
        return nil
    }

    private static func offset(of byte: UInt8, in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return nil }
            return memchr(start, Int32(byte), bytes.count).map { UnsafeRawPointer($0) - start }
        }
    }

    /// Whether text in Base64 begins like one. Paths and words with these letters are shorter.
    static func isBase64(_ text: ArraySlice<UInt8>) -> Bool {
        let text = text.drop { $0 <= 0x20 }
        guard text.starts(with: "/9j/".utf8) || text.starts(with: "iVBORw0KGgo".utf8) else { return false }
        let start = text.prefix(leastBase64Count)
        return start.count == leastBase64Count && start.allSatisfy(isBase64Digit)
    }

    /// Such an image has headers alone of more bytes.
    private static let leastBase64Count = 100
    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let endOfImage: UInt8 = 0xD9, startOfScan: UInt8 = 0xDA

    private static func isBase64Digit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="),
            UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: " "):
            true
        default: false
        }
    }

    private static func isStart(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.starts(with: pngSignature) {
            return bytes.dropFirst(pngSignature.count + 4).starts(with: "IHDR".utf8)
        }
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return false }
        // Three marks in a row do not come about by chance: among 64 KB of any numbers, once in some billion times.
        var position = bytes.startIndex + 2
        for _ in 0..<3 {
            guard bytes.endIndex - position >= 4, bytes[position] == 0xFF, isSegment(bytes[position + 1])
            else {
                return false
            }
            if bytes[position + 1] == startOfScan { break }
            let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            guard length >= 2 else { return false }
            position += 2 + length
        }
        return true
    }

    /// Markers with a length (ITU-T T.81, table B.1).
    private static func isSegment(_ marker: UInt8) -> Bool {
        0xC0...0xFE ~= marker && !(0xD0...endOfImage ~= marker)
    }

    /// Where an image ends that is in several parts.
    struct Reader {
        private enum State {
            case marker
            case code
            case length(high: UInt8?)
            case skipping(Int)
            /// Entropy-coded data.
            case data
        }

        private var state = State.marker
        private var code: UInt8 = 0
        private let isPNG: Bool

        /// Whether the end was seen.
        private(set) var isComplete = false

        /// - Parameter bytes: the first part, from the image's start on.
        init(_ bytes: ArraySlice<UInt8>) {
            isPNG = bytes.first == pngSignature[0]
            take(bytes)
        }

        mutating func take(_ bytes: ArraySlice<UInt8>) {
            if isPNG {
                isComplete = isComplete || Array(bytes).contains(text: "IEND")
                return
            }
            var rest = bytes
            while let byte = rest.first, !isComplete {
                if case .skipping(let count) = state {
                    let skipped = min(count, rest.count)
                    rest = rest.dropFirst(skipped)
                    state =
                        skipped < count ? .skipping(count - skipped) : code == startOfScan ? .data : .marker
                } else {
                    rest = rest.dropFirst()
                    take(byte)
                }
            }
        }

        private mutating func take(_ byte: UInt8) {
            switch state {
            case .marker, .data: if byte == 0xFF { state = .code }
            case .code where isSegment(byte):
                code = byte
                state = .length(high: nil)
            case .code:
                isComplete = byte == endOfImage
                // A fill byte, or a stuffed one, or a marker without a length.
                state = byte == 0xFF ? .code : .data
            case .length(nil): state = .length(high: byte)
            case .length(let high?): state = .skipping(max(0, (Int(high) << 8 | Int(byte)) - 2))
            case .skipping: break
            }
        }
    }
}
