import TintypeKernels
import TintypeStages

/// An instruction-set level that the CPU kernels are compiled for.
// @unchecked: the table is constant and lives as long as the program.
package struct SIMDLevel: @unchecked Sendable, Hashable {
    /// The C functions.
    let functions: UnsafePointer<kernels_level>

    /// `baseline`, `x86-64-v3` or `x86-64-v4`.
    package var name: String { String(cString: functions.pointee.name) }

    /// The levels that this machine runs, lowest first; never empty.
    package static let supported: [SIMDLevel] = {
        var count = 0
        guard let table = kernels_levels(&count) else { return [] }
        return (0..<count).compactMap { table[$0].map(SIMDLevel.init(functions:)) }
            .filter { $0.functions.pointee.is_supported() != 0 }
    }()

    package static let baseline = supported[0]
    package static let best = supported[supported.count - 1]

    /// A filter's point function over rows.
    ///
    /// - Parameter arguments: those that it will get.
    /// - Throws: `PointKernelError.unknown` if `Kernels/cpu/filters.h` does not list it;
    ///   `PointKernelError.notCompiled` if it is from a file that cannot be compiled; `.wrongSetting` if such a function
    ///   crashes or hangs with these arguments.
    func point(
        _ kernel: PointKernel, with arguments: [Float]
    ) throws(PointKernelError) -> kernels_named_point {
        if let code = kernel.code { return try code.point(name, with: arguments) }
        return try Self.entry(kernel, in: functions.pointee.points) { $0.name }
    }

    /// A filter's function of a window of pixels.
    ///
    /// - Throws: `PointKernelError.unknown` if `Kernels/cpu/windows.h` does not list it.
    func window(_ kernel: PointKernel) throws(PointKernelError) -> kernels_named_window {
        try Self.entry(kernel, in: functions.pointee.windows) { $0.name }
    }

    /// A filter's blend of a photo with its blur.
    ///
    /// - Throws: `PointKernelError.unknown` if `Kernels/cpu/blends.h` does not list it.
    func blend(_ kernel: PointKernel) throws(PointKernelError) -> kernels_named_blend {
        try Self.entry(kernel, in: functions.pointee.blends) { $0.name }
    }

    /// The entry of a table that ends with one without a name.
    private static func entry<Entry>(
        _ kernel: PointKernel, in table: UnsafePointer<Entry>?, name: (Entry) -> UnsafePointer<CChar>?
    ) throws(PointKernelError) -> Entry {
        var entry = table
        while let current = entry, let text = name(current.pointee) {
            if String(cString: text) == kernel.name { return current.pointee }
            entry = current + 1
        }
        throw .unknown(kernel: kernel.name)
    }
}
