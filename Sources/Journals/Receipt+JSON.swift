import Foundation
import TintypeFiles

extension Receipt {
    /// The receipt as one line of JSON, with the newline. `state` and `output` come first, because the index
    /// needs only these.
    var line: [UInt8] {
        var json = JSONLineWriter()
        json.add("state", state.rawValue)
        json.add("output", output)
        json.add("input", input.location)
        json.add("inputBytes", input.byteCount)
        json.add("inputModified", input.modified)
        json.add("inputValidator", input.validator)
        json.add(input.digest, blake3: "inputBLAKE3", sha256: "inputSHA256")
        json.add("recipe", recipe)
        json.add("ownRecipe", ownRecipe)
        json.add("variant", variant)
        json.add("bytes", file?.byteCount)
        json.add("modified", file?.modified)
        json.add(file?.digest, blake3: "blake3", sha256: "sha256")
        json.add("temporary", temporary)
        json.add("device", device)
        json.add("fallback", fallback)
        json.add("pixels", pixelCount)
        json.add("seconds", seconds)
        json.add("time", time)
        json.add("error", error)
        if isRecovered { json.add("recovered", 1) }
        if isSuspect { json.add("suspect", 1) }
        return json.line
    }

    /// Parses a line, with or without its newline; nil if it is damaged. Unknown members, which later
    /// versions may add, are ignored.
    init?(line: some Collection<UInt8>) {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(line)) else { return nil }
        let input = InputIdentity(
            location: fields.input, byteCount: fields.inputBytes, modified: fields.inputModified,
            validator: fields.inputValidator,
            digest: ContentDigest(blake3: fields.inputBLAKE3, sha256: fields.inputSHA256))
        self.init(fields.state, output: fields.output, input: input, recipe: fields.recipe, time: fields.time)
        if let digest = ContentDigest(blake3: fields.blake3, sha256: fields.sha256),
            let byteCount = fields.bytes, let modified = fields.modified
        {
            file = FileFingerprint(byteCount: byteCount, modified: modified, digest: digest)
        }
        if state == .done || state == .publishing, file == nil { return nil }
        // Sums over all receipts must not overflow.
        let counts = [fields.bytes, fields.pixels].map { $0 ?? 0 }
        guard counts.allSatisfy({ Self.plausibleCounts ~= $0 }) else { return nil }
        ownRecipe = fields.ownRecipe
        variant = fields.variant
        temporary = fields.temporary
        device = fields.device
        fallback = fields.fallback
        pixelCount = fields.pixels ?? 0
        seconds = fields.seconds ?? 0
        error = fields.error
        isRecovered = fields.recovered != nil
        isSuspect = fields.suspect != nil && state != .done
    }

    /// Bytes or pixels of a photo.
    private static let plausibleCounts = 0...1 << 44

    /// A line's members.
    private struct Fields: Decodable {
        var state: State
        var output, input, recipe: String
        var time: Double
        var inputBytes: Int?
        var inputModified: Int64?
        var inputValidator, inputBLAKE3, inputSHA256: String?
        var bytes: Int?
        var modified: Int64?
        var ownRecipe, variant, blake3, sha256, temporary, device, fallback, error: String?
        var pixels, recovered, suspect: Int?
        var seconds: Double?
    }
}

extension ContentDigest {
    /// The hash of a receipt's members; nil without one.
    fileprivate init?(blake3: String?, sha256: String?) {
        if let blake3 {
            self.init(.blake3, blake3)
        } else if let sha256 {
            self.init(.sha256, sha256)
        } else {
            return nil
        }
    }
}

/// Writes one flat JSON object on one line, with its members in the order of the calls.
struct JSONLineWriter {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    var line: [UInt8] { bytes + Array("}\n".utf8) }

    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        begin(name)
        bytes.append(UInt8(ascii: "\""))
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20, 0x7F: bytes += Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds a hash under the name of its algorithm.
    mutating func add(_ digest: ContentDigest?, blake3: String, sha256: String) {
        guard let digest else { return }
        add(digest.algorithm == .blake3 ? blake3 : sha256, digest.hexadecimal)
    }

    mutating func add(_ name: String, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        begin(name)
        bytes += Array("\(value)".utf8)
    }

    /// - Precondition: `value` is finite, because JSON has no other numbers.
    mutating func add(_ name: String, _ value: Double) {
        precondition(value.isFinite, "\(name) is no number")
        begin(name)
        bytes += Array("\(value)".utf8)
    }

    private mutating func begin(_ name: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes += Array("\"\(name)\":".utf8)
    }
}
