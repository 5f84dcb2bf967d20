import Foundation

extension Receipt {
    /// The receipt as one line of JSON, with the newline. `state` and `output` come first: an index needs no
    /// more.
    var line: [UInt8] {
        var json = JSONLineWriter()
        json.add("state", state.rawValue)
        json.add("output", output)
        json.add("input", input.location)
        json.add("inputBytes", input.byteCount)
        json.add("inputModified", input.modified)
        json.add("inputValidator", input.validator)
        json.add("inputSHA256", input.sha256)
        json.add("recipe", recipe)
        json.add("bytes", file?.byteCount)
        json.add("modified", file?.modified)
        json.add("sha256", file?.sha256)
        json.add("temporary", temporary)
        json.add("device", device)
        json.add("fallback", fallback)
        json.add("pixels", pixelCount)
        json.add("seconds", seconds)
        json.add("time", time)
        json.add("error", error)
        if isRecovered { json.add("recovered", 1) }
        return json.line
    }

    /// Reads a line, with or without its newline; nil for one that is damaged, or from a tool that says more.
    init?(line: some Collection<UInt8>) {
        guard let fields = try? Self.fields(Array(line)), let state = fields["state"].flatMap(State.init),
            let output = fields["output"], let location = fields["input"], let recipe = fields["recipe"],
            let time = fields["time"].flatMap(Double.init)
        else { return nil }
        let input = InputIdentity(
            location: location, byteCount: fields["inputBytes"].flatMap { Int($0) },
            modified: fields["inputModified"].flatMap { Int64($0) }, validator: fields["inputValidator"],
            sha256: fields["inputSHA256"])
        self.init(state, output: output, input: input, recipe: recipe, time: time)
        if let sha256 = fields["sha256"], let byteCount = fields["bytes"].flatMap({ Int($0) }),
            let modified = fields["modified"].flatMap({ Int64($0) })
        {
            file = FileFingerprint(byteCount: byteCount, modified: modified, sha256: sha256)
        }
        if state != .failed, file == nil { return nil }
        temporary = fields["temporary"]
        device = fields["device"]
        fallback = fields["fallback"]
        pixelCount = fields["pixels"].flatMap { Int($0) } ?? 0
        seconds = fields["seconds"].flatMap(Double.init) ?? 0
        error = fields["error"]
        isRecovered = fields["recovered"] != nil
    }

    /// The members of a flat object; nested ones are passed over.
    private static func fields(_ line: [UInt8]) throws(ListError) -> [String: String] {
        let json = JSONScanner(ByteCursor(line))
        var fields: [String: String] = [:]
        try json.expect("{")
        var isDone = try json.take("}")
        while !isDone {
            let name = try json.string()
            try json.expect(":")
            switch try json.kind() {
            case "text": fields[name] = try json.string()
            case "an object", "an array": try json.skipValue()
            default: fields[name] = try json.word()
            }
            isDone = try json.take("}")
            if !isDone { try json.expect(",") }
        }
        try json.expectEnd()
        return fields
    }
}

/// Writes one flat JSON object on one line, its members in the order in which they are added.
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

    mutating func add(_ name: String, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        begin(name)
        bytes += Array("\(value)".utf8)
    }

    /// - Precondition: `value` is finite: JSON has no word for anything else.
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
