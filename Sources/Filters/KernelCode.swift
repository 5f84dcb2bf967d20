import Files
import Kernels

/// The code of a point function from outside of `Kernels/`: its OpenCL text, and the same compiled for the CPU.
///
/// Codes of equal texts are equal.
package struct KernelCode: Hashable, Sendable {
    /// Finds the loops for an instruction-set level.
    package typealias Loops = @Sendable (_ level: String) throws(PointKernelError) -> kernels_named_point

    /// The text for OpenCL.
    package let text: String
    /// The name of the text in the messages of compilers.
    package let path: String
    /// The first digits of the text's SHA-256, which tell recipes with other texts apart.
    package let contentHash: String
    private let loops: Loops

    /// - Parameter loops: may compile, and so take seconds.
    package init(text: String, path: String, loops: @escaping Loops) {
        self.text = text
        self.path = path
        contentHash = FilterFile.hash(of: Array(text.utf8))
        self.loops = loops
    }

    /// The text after a line that tells compilers its name.
    package var numberedText: String { Self.numbered(text, path) }

    /// A text after a line that tells compilers its name.
    package static func numbered(_ text: String, _ path: String) -> String {
        let name = path.unicodeScalars.map { scalar in
            scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : scalar.value < 32 ? "?" : "\(scalar)"
        }
        return "#line 1 \"\(name.joined())\"\n" + text
    }

    /// The function over rows, compiled for a level such as `x86-64-v3`.
    ///
    /// - Throws: `PointKernelError.notCompiled`.
    package func point(_ level: String) throws(PointKernelError) -> kernels_named_point { try loops(level) }

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
        let code = KernelCode(text: text, path: "\(name).cl") { (level) throws(PointKernelError) in
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
