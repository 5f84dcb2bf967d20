import TintypeImaging
import TintypeRendering
import TintypeStages

/// OpenCL sources: kernels, after macros for layouts and fused point stages.
extension ProgramSource {
    /// - Parameter segment: knows the point functions from outside.
    private init(_ file: String, macros: [String], with files: [String], of segment: Segment? = nil) {
        let texts =
            ["opencl", "params", "common", "srgb", "point"].map(Self.file) + macros
            + (files + [file]).map { segment?.code(of: $0)?.numberedText ?? Self.file($0) }
        self.init(name: "\(file).cl", text: texts.joined(separator: "\n"))
    }

    /// A segment without a blur: `filter_points`.
    init(pointsOf segment: Segment) {
        // As a whole, a block of up to 16 pixels needs hardly more registers, and PoCL makes better vectors of it.
        let block = BlockSize(segment.input, segment.output)
        let macros =
            Self.block(
                segment.input, segment.output, segment.hasAlpha, byCells: block.width * block.height > 16)
            + Self.allPoints(of: segment)
        self.init(
            "filter_points", macros: macros,
            with: ["ycc"] + segment.kernelFiles(before: true, after: true) + [
                "block", "load", "store", "points",
            ], of: segment)
    }

    /// The stages before a segment's blur or resampling: `linearise`.
    ///
    /// - Parameter converts: whether values become linear light.
    init(linearisingFor segment: Segment, converts: Bool = true) {
        let macros =
            Self.block(segment.input, .floats, segment.hasAlpha, byCells: true)
            + [Self.points("POINTS_BEFORE", segment.before), Self.flag("CONVERTS", converts)]
        self.init(
            "linearise", macros: macros,
            with: ["ycc", "blur"] + segment.kernelFiles(before: true, after: false) + [
                "block", "load", "points",
            ], of: segment)
    }

    /// The stages after a segment's blur: `mix_blur`.
    init(mixing blur: MaskedBlur, in segment: Segment) {
        // With several parts, each part was already upsampled to full size.
        let upsamples = !blur.sigmaChanges && blur.parts[0].gaussian.factor > 1
        let macros =
            Self.block(segment.input, segment.output, segment.hasAlpha, byCells: true)
            + Self.allPoints(of: segment)
            + [
                Self.flag("MASK_BY_ROW", blur.axis == .rows), Self.flag("UPSAMPLES", upsamples),
                Self.flag("BLENDS", segment.own != nil),
                "#define RUN_BLEND(c, blurred, at) \(Self.call(of: segment.own, "&c, blurred, at"))",
            ]
        self.init(
            "mix_blur", macros: macros,
            with: ["ycc", "blur", "blend"] + [segment.own?.kernel].compactMap { $0 }
                + segment.kernelFiles(before: true, after: true) + [
                    "block", "load", "store", "points",
                ], of: segment)
    }

    /// The gaussian itself, the same for every layout and factor.
    init(blurring gaussian: Gaussian, axis: MaskedBlur.Axis) {
        let changes = gaussian.kernelOfPlace != nil
        self.init(
            "blur_passes",
            macros: [
                Self.flag("BY_ROW", changes && axis == .rows),
                Self.flag("BY_COLUMN", changes && axis == .columns),
            ], with: ["blur", "planes"])
    }

    /// A resampling after `linearise`.
    init(resizing resampling: Resampling, hasAlpha: Bool) {
        self.init(
            "resize_passes",
            macros: [
                Self.flag("HAS_ALPHA", hasAlpha), Self.flag("CONVERTS", !resampling.onlyMoves),
            ], with: ["blur", "planes"])
    }

    /// A segment's function of windows, after `linearise`.
    init(windowOf segment: Segment) {
        self.init(
            "window_pass",
            macros: [
                Self.flag("HAS_ALPHA", segment.hasAlpha),
                "#define RUN_WINDOW(c, w, at) \(Self.call(of: segment.own, "&c, w, at"))",
            ], with: ["window", "median"] + [segment.own?.kernel].compactMap { $0 } + ["planes"])
    }

    /// Downsampling and upsampling by a factor. If it is 1, upsampling copies.
    init(resamplingBy factor: Int) {
        self.init("resample_passes", macros: ["#define FACTOR \(factor)"], with: ["blur", "planes"])
    }

    /// A part of the JPEG codec.
    ///
    /// - Parameters:
    ///   - file: has what all `parts` need.
    ///   - macros: names and values.
    init(jpeg file: String, parts: [String], _ macros: [String] = []) {
        let texts =
            [Self.file("opencl")] + macros.map { "#define \($0)" }
            + (["prefix_sum", file] + parts).map(Self.file)
        self.init(name: "\(file).cl", text: texts.joined(separator: "\n"))
    }

    // MARK: Macros

    private static func flag(_ name: String, _ isSet: Bool) -> String { "#define \(name) \(isSet ? 1 : 0)" }

    /// - Parameter byCells: whether a work-item takes its block by the smallest cells, not as a whole.
    private static func block(
        _ input: Segment.Format, _ output: Segment.Format, _ hasAlpha: Bool, byCells: Bool
    ) -> [String] {
        let block = BlockSize(input, output)
        return layout("IN", input) + layout("OUT", output) + [
            flag("HAS_ALPHA", hasAlpha), "#define BLOCK_W \(block.width)",
            "#define CELL_W \(byCells ? block.cellWidth : block.width)",
        ]
    }

    private static func layout(_ prefix: String, _ format: Segment.Format) -> [String] {
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

    private static func allPoints(of segment: Segment) -> [String] {
        [
            flag("FLATTENS", segment.flattens), points("POINTS_BEFORE", segment.before),
            points("POINTS_AFTER", segment.after),
        ]
    }

    /// The macro that runs fused point stages on one pixel. Their input and output are limited to 0...1.
    private static func points(_ name: String, _ points: [Segment.Point]) -> String {
        let calls = points.map { point in
            call(of: point, "&c, &alpha, at")
        }
        return
            "#define \(name)(c, alpha, at) \((points.isEmpty ? [] : ["limit(&c);"] + calls).joined(separator: " "))"
    }

    /// The call of a function with `values` before its arguments; empty without a function.
    private static func call(of point: Segment.Point?, _ values: String) -> String {
        point.map { "run_\($0.kernel)(\(values), (ARGUMENTS_OF(\($0.kernel)))(arguments + \($0.offset)));" }
            ?? ""
    }

    /// The text of one embedded file.
    private static func file(_ stem: String) -> String {
        guard let text = KernelSources.texts[stem] else {
            preconditionFailure("Kernels/cpu/sources.c does not embed \(stem).cl")
        }
        return "#line 1 \"\(stem).cl\"\n" + text
    }
}
