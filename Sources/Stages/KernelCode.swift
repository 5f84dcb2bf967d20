import TintypeFiles
import TintypeKernels

/// The code of a point function from outside of `Kernels/`: its OpenCL text, and the same compiled for the CPU.
///
/// Codes of equal texts are equal.
package struct KernelCode: Hashable, Sendable {
    /// Finds the loops for an instruction-set level, once they have stood a trial with these arguments.
    package typealias Loops =
        @Sendable (_ level: String, _ arguments: [Float]) throws(PointKernelError) -> kernels_named_point

    /// The text for OpenCL.
    package let text: String
    /// The name of the text in the messages of compilers.
    package let path: String
    /// The first digits of the text's SHA-256, which tell recipes with other texts apart.
    package let contentHash: String
    /// The text's macros. In a program they would change the texts behind it.
    private let macros: [String]
    private let loops: Loops

    /// - Parameter loops: may compile, and so take seconds.
    package init(text: String, path: String, loops: @escaping Loops) {
        self.text = text
        self.path = path
        contentHash = ContentHash.short(of: Array(text.utf8))
        macros = Self.macros(in: text).filter { !Self.ownMacros.contains($0) }
        self.loops = loops
    }

    /// The text after a line that tells compilers its name, and then without its macros.
    package var numberedText: String {
        ([Self.numbered(text, path)] + macros.map { "#undef \($0)" }).joined(separator: "\n")
    }

    /// Those of `Kernels/`, which a text may define for editors.
    private static let ownMacros = Set(KernelSources.texts.values.flatMap(macros))

    /// The names that a text defines as macros.
    private static func macros(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let line = line.drop { $0.isWhitespace }
            guard line.first == "#" else { return nil }
            let words = line.dropFirst().drop { $0.isWhitespace }
            guard words.hasPrefix("define") else { return nil }
            let name = words.dropFirst("define".count).drop { $0.isWhitespace }
                .prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
            return name.isEmpty ? nil : String(name)
        }
    }

    /// A text after a line that tells compilers its name.
    package static func numbered(_ text: String, _ path: String) -> String {
        let name = path.unicodeScalars.map { scalar in
            scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : scalar.value < 32 ? "?" : "\(scalar)"
        }
        return "#line 1 \"\(name.joined())\"\n" + text
    }

    /// The function over rows, compiled for a level such as `x86-64-v3`.
    ///
    /// - Parameter arguments: those that it will get.
    /// - Throws: `PointKernelError.notCompiled`, or `.wrongSetting` if it crashes or hangs with these arguments.
    package func point(
        _ level: String, with arguments: [Float]
    ) throws(PointKernelError) -> kernels_named_point { try loops(level, arguments) }

    package static func == (one: Self, other: Self) -> Bool { one.text == other.text }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension PointKernel {
    /// The point function of another package, from the C function that `KERNELS_FILTER` defines there
    /// (`kernels_filter.h`).
    public init(_ filter: UnsafePointer<kernels_filter>) {
        let name = String(cString: filter.pointee.source.name)
        // The table is constant and lives as long as the program.
        nonisolated(unsafe) let points = filter.pointee.points
        let text = String(cString: filter.pointee.source.text)
        let code = KernelCode(text: text, path: "\(name).cl") { (level, _) throws(PointKernelError) in
            guard let points, let index = Self.levels.firstIndex(of: level) else {
                throw .unknown(kernel: name)
            }
            return points[index]
        }
        self.init(name, code)
    }

    /// The first digits of the SHA-256 of the kernel's text. Nil for the kernels of this package, whose version stands
    /// for them.
    public var contentHash: String? { code?.contentHash }

    /// The names of `kernels_levels`.
    private static let levels: [String] = {
        var count = 0
        guard let levels = kernels_levels(&count) else { return [] }
        return (0..<count).compactMap { levels[$0].map { String(cString: $0.pointee.name) } }
    }()
}
