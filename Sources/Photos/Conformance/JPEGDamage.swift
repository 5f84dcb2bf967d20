/// What was done to a sound JPEG.
enum JPEGDamage: Hashable, Sendable {
    /// Cut off at this part of the data, 0 to 1; nothing is left after it, EOI neither.
    case cut(at: Double)
    /// So many of the last bytes are missing; EOI has two.
    case endMissing(Int)
    case flippedBit(Int, at: Double)
    case insertedByte(UInt8, at: Double)
    /// FF and another byte in the data, which is then a marker.
    case unstuffed(at: Double)
    /// A long run of ones, which no code is.
    case ones(at: Double)
    /// A restart marker of another number; a new one in data that have none.
    case wrongRestart
    /// Without a restart marker that belongs there.
    case missingRestart
    /// Bytes between the data and EOI.
    case beforeEnd([UInt8])
    case afterEnd([UInt8])
    /// The photo once more after its end.
    case twice
    /// The header says so many more rows, or fewer.
    case rows(Int)
    /// The header says this quantisation step for all coefficients, so that samples lie far outside of 0...255.
    case steps(UInt8)

    static let all: [JPEGDamage] = [
        .cut(at: 0), .cut(at: 0.5), .cut(at: 0.99), .endMissing(1), .endMissing(2), .endMissing(3),
        .flippedBit(7, at: 0), .flippedBit(0, at: 0.3), .flippedBit(4, at: 0.6), .flippedBit(5, at: 0.97),
        .flippedBit(0, at: 1), .insertedByte(0, at: 0.2), .insertedByte(0x5A, at: 0.7), .unstuffed(at: 0.5),
        .ones(at: 0.4), .ones(at: 1), .wrongRestart, .missingRestart,
        // A byte too many, fill bytes, a comment, another EOI.
        .beforeEnd([0]), .beforeEnd([0xFF, 0xFF]), .beforeEnd([0xFF, 0xFE, 0, 4, 65, 66]),
        .beforeEnd([0xFF, 0xD9]), .afterEnd([0]), .afterEnd([1, 2, 3]), .twice, .rows(16), .rows(-16),
        .steps(2), .steps(16), .steps(255),
    ]

    func damaged(_ sound: [UInt8]) -> [UInt8] {
        var file = JPEGParts(sound)
        let data = file.data
        func insert(_ bytes: [UInt8], at place: Int) { file.replace(place..<place, with: bytes) }
        switch self {
        case .cut(let part):
            return Array(sound.prefix(data.lowerBound + Int(part * Double(data.count))))
        case .endMissing(let count): return Array(sound.dropLast(count))
        case .flippedBit(let bit, let part):
            let place = file.place(at: part)
            file.replace(place..<place + 1, with: [sound[place] ^ 1 << UInt8(bit)])
        case .insertedByte(let byte, let part): insert([byte], at: file.place(at: part))
        case .unstuffed(let part): insert([0xFF, 0x3C], at: file.place(at: part))
        case .ones(let part): insert([0xFF, 0, 0xFF, 0, 0xFF, 0, 0xFF, 0], at: file.place(at: part))
        case .wrongRestart:
            let markers = file.restartMarkers
            if markers.isEmpty {
                insert([0xFF, 0xD3], at: file.place(at: 0.5))
            } else {
                let place = markers[markers.count / 2]
                file.replace(place..<place + 1, with: [0xD0 + (sound[place] + 3) % 8])
            }
        case .missingRestart:
            let markers = file.restartMarkers
            guard !markers.isEmpty else { break }
            let place = markers[markers.count / 2]
            file.replace(place - 1..<place + 1, with: [])
        case .beforeEnd(let bytes): insert(bytes, at: data.upperBound)
        case .afterEnd(let bytes): return sound + bytes
        case .twice: return sound + sound
        case .rows(let count): file.setSize((file.size.width, file.size.height + count))
        case .steps(let step): file.setSteps(step)
        }
        return file.bytes
    }
}

extension JPEGDamage: CustomStringConvertible {
    var description: String {
        func bytes(_ bytes: [UInt8]) -> String { bytes.map { "\($0)" }.joined(separator: " ") }
        func place(_ part: Double) -> String { "at \(Int(100 * part)) % of the data" }
        return switch self {
        case .cut(let part): "cut off \(place(part))"
        case .endMissing(let count): "without its last \(count) bytes"
        case .flippedBit(let bit, let part): "bit \(bit) flipped in a byte \(place(part))"
        case .insertedByte(let byte, let part): "a byte \(byte) inserted \(place(part))"
        case .unstuffed(let part): "bytes 255 60 inserted \(place(part))"
        case .ones(let part): "ones inserted \(place(part))"
        case .wrongRestart: "with a wrong restart marker"
        case .missingRestart: "without one of its restart markers"
        case .beforeEnd(let inserted): "bytes \(bytes(inserted)) before EOI"
        case .afterEnd(let added): "bytes \(bytes(added)) after EOI"
        case .twice: "the photo once more after EOI"
        case .rows(let count): "\(abs(count)) \(count > 0 ? "more" : "fewer") rows in its header"
        case .steps(let step): "quantisation steps of \(step) in its header"
        }
    }
}
