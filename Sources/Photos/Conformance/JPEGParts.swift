/// A sequential JPEG of one scan in memory, in which parts can be replaced.
struct JPEGParts {
    private(set) var bytes: [UInt8]
    /// The scan's coded data, without EOI.
    private(set) var data: Range<Int>

    private static let frames: Set<UInt8> = [0xC0, 0xC1]
    private static let quantisation: UInt8 = 0xDB, scan: UInt8 = 0xDA

    /// - Precondition: the package's own encoder has written the file.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        data = 0..<0
        data = (segments { $0 == Self.scan }.first?.upperBound ?? 2)..<bytes.count - 2
    }

    /// The segments with some markers, without marker and length.
    private func segments(_ isWanted: (UInt8) -> Bool) -> [Range<Int>] {
        var found: [Range<Int>] = [], next = 2
        while next + 4 <= bytes.count, bytes[next] == 0xFF {
            let marker = bytes[next + 1], end = next + 2 + Int(bytes[next + 2]) << 8 + Int(bytes[next + 3])
            if isWanted(marker) { found.append(next + 4..<end) }
            if marker == Self.scan { break }
            next = end
        }
        return found
    }

    /// Says another size. The data stay.
    mutating func setSize(_ size: (width: Int, height: Int)) {
        guard let frame = segments(Self.frames.contains).first else { return }
        let words = [size.height, size.width].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        // After the bits of a sample.
        bytes.replaceSubrange(frame.lowerBound + 1..<frame.lowerBound + 5, with: words)
    }

    /// The size that the frame says.
    var size: (width: Int, height: Int) {
        guard let frame = segments(Self.frames.contains).first else { return (0, 0) }
        let words = bytes[(frame.lowerBound + 1)...].prefix(4).map(Int.init)
        return (words[2] << 8 | words[3], words[0] << 8 | words[1])
    }

    /// Says other quantisation steps, one for all coefficients. The data stay.
    mutating func setSteps(_ step: UInt8) {
        for table in segments({ $0 == Self.quantisation }) {
            for index in table where (index - table.lowerBound) % 65 > 0 { bytes[index] = step }
        }
    }

    /// A place in the data that a marker or a stuffed byte does not touch.
    ///
    /// - Parameter part: of the data, 0 to 1.
    func place(at part: Double) -> Int {
        var place = data.lowerBound + Int(part * Double(data.count - 1))
        while place < data.upperBound - 1, bytes[place] == 0xFF || bytes[place - 1] == 0xFF { place += 1 }
        return place
    }

    /// The restart markers, each as the place of its second byte.
    var restartMarkers: [Int] {
        data.dropFirst().filter { bytes[$0 - 1] == 0xFF && (0xD0...0xD7).contains(bytes[$0]) }
    }

    mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
        bytes.replaceSubrange(range, with: new)
    }
}
