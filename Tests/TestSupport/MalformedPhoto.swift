/// A photo's file with one flaw.
package struct MalformedPhoto: CustomStringConvertible {
    /// What was done to the sound file. Unique among the flaws of one file.
    package let description: String
    package let bytes: [UInt8]

    init(_ description: String, _ bytes: some Sequence<UInt8>) {
        self.description = description
        self.bytes = Array(bytes)
    }

    /// Flaws of the parts of any file: the file ends at each of them, and each is left out, doubled, or follows the
    /// next one.
    static func flaws(ofParts parts: [(name: String, bytes: [UInt8])]) -> [MalformedPhoto] {
        func file(_ parts: some Sequence<(name: String, bytes: [UInt8])>) -> [UInt8] {
            parts.map(\.bytes).concatenated
        }
        var flaws: [MalformedPhoto] = []
        for (index, part) in parts.enumerated() {
            let name = "\(part.name) (part \(index))"
            let before = file(parts[..<index])
            for count in Set([0, 1, 2, 3, 4, part.bytes.count / 2, part.bytes.count - 1])
            where 0..<part.bytes.count ~= count {
                flaws.append(
                    MalformedPhoto("ends \(count) bytes into \(name)", before + part.bytes[..<count]))
            }
            var others = parts
            others.remove(at: index)
            flaws.append(MalformedPhoto("without \(name)", file(others)))
            others.insert(part, at: min(index + 1, others.count))
            flaws.append(MalformedPhoto("\(name) one later", file(others)))
            others.insert(part, at: index)
            flaws.append(MalformedPhoto("\(name) once more", file(others)))
        }
        return flaws
    }
}

extension [[UInt8]] {
    /// One array after the other. Without optimisation, `joined` takes a call for each byte.
    var concatenated: [UInt8] { reduce(into: []) { $0 += $1 } }
}
