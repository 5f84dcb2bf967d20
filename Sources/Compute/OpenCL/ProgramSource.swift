import Filters
import Imaging
import Kernels

/// The OpenCL source of one segment of a plan: its layouts and its fused point stages.
///
/// Parameters are not part of it: one source serves every setting of the same filters.
struct ProgramSource: Hashable {
    /// The files that make this program what it is, for messages.
    let name: String
    let text: String

    /// The passes of a part of a blur, which are the same for every layout.
    init(passesOf gaussian: Gaussian, axis: MaskedBlur.Axis, blocks: Segment.Blocks) {
        let changes = gaussian.kernelOfPlace != nil
        self.init(
            factor: gaussian.factor, byRow: changes && axis == .rows, byColumn: changes && axis == .columns,
            blocks: blocks)
    }

    /// One of several steps of shrinking.
    init(shrinkingBy factor: Int, blocks: Segment.Blocks) {
        self.init(factor: factor, byRow: false, byColumn: false, blocks: blocks)
    }

    private init(factor: Int, byRow: Bool, byColumn: Bool, blocks: Segment.Blocks) {
        let lines = [
            "#define FACTOR \(factor)", "#define SPAN \(blocks.blurSpan)", "#define BY_ROW \(byRow ? 1 : 0)",
            "#define BY_COLUMN \(byColumn ? 1 : 0)",
        ]
        self.init(
            name: "blur_passes.cl", blocks: blocks, lines: lines, files: ["common", "blur", "blur_passes"])
    }

    init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    private init(name: String, blocks: Segment.Blocks, lines: [String], files: [String]) {
        let begin = "#define LOOPS \(blocks == .loops ? 1 : 0)"
        let texts = [begin, Self.file("opencl")] + lines + files.map(Self.file)
        self.init(name: name, text: texts.joined(separator: "\n"))
    }

    init(_ segment: Segment) {
        var lines = Self.macros("IN", segment.input) + Self.macros("OUT", segment.output)
        lines += [
            "#define HAS_ALPHA \(segment.hasAlpha ? 1 : 0)",
            "#define FLATTENS \(segment.flattens ? 1 : 0)",
            "#define BLOCK_W \(segment.blockWidth)",
            Self.points("POINTS_BEFORE", segment.before),
            Self.points("POINTS_AFTER", segment.after),
        ]
        if let blur = segment.blur {
            lines.append("#define MASK_BY_ROW \(blur.axis == .rows ? 1 : 0)")
            // Parts of several factors have been widened before.
            lines.append("#define FACTOR \(blur.sigmaChanges ? 1 : blur.parts[0].gaussian.factor)")
        }
        let kernels = Set((segment.before + segment.after).map(\.stage.kernel)).sorted()
        let files = ["common", "ycc", "blur"] + kernels + ["block", segment.blocks.file, "strip"]
        self.init(
            name: (kernels + ["strip"]).map { "\($0).cl" }.joined(separator: ", "), blocks: segment.blocks,
            lines: lines, files: files)
    }

    private static func macros(_ prefix: String, _ format: Segment.Format) -> [String] {
        let subsampling = format.subsampling
        let sizes = [
            "#define \(prefix)_H \(subsampling.horizontal)", "#define \(prefix)_V \(subsampling.vertical)",
        ]
        switch format {
        case .floats: return sizes + ["#define \(prefix)_FLOATS"]
        case .strip(.yCbCr): return sizes + ["#define \(prefix)_YCC"]
        case .strip(.interleaved(let channels, let depth)):
            return sizes + [
                "#define \(prefix)_CHANNELS \(channels.rawValue)",
                "#define \(prefix)_DEPTH \(depth.rawValue)",
            ]
        }
    }

    /// The macro that runs fused point stages on one pixel; their input is limited to 0...1, as each one's
    /// output is.
    private static func points(_ name: String, _ points: [Segment.Point]) -> String {
        let limits = points.isEmpty ? "" : "r = unit(r); g = unit(g); b = unit(b); "
        let calls = points.map { "\($0.stage.kernel)(&r, &g, &b, arguments + \($0.offset));" }
        return "#define \(name)(r, g, b) \(limits)\(calls.joined(separator: " "))"
    }

    /// The text of one embedded file.
    private static func file(_ stem: String) -> String {
        guard let text = files[stem] else {
            preconditionFailure("Kernels/cpu/sources.c does not embed \(stem).cl")
        }
        return "#line 1 \"\(stem).cl\"\n" + text
    }

    /// Tells one state of the kernels from another.
    static let version: String = {
        let texts = files.sorted { $0.key < $1.key }.map(\.value)
        return String(DeviceCache.hash(texts.joined().utf8), radix: 16)
    }()

    private static let files: [String: String] = {
        var count = 0
        guard let sources = kernels_sources(&count) else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: UnsafeBufferPointer(start: sources, count: count).map { source in
                let bytes = UnsafeRawBufferPointer(start: source.text, count: source.byte_count)
                return (String(cString: source.name), String(decoding: bytes, as: UTF8.self))
            })
    }()
}
