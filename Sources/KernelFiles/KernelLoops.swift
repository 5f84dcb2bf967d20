import TintypeFiles
import TintypeFilters
import TintypeKernels
import TintypeLocking
import TintypeStages

/// A kernel's loops over rows: compiled for an instruction-set level by the system's C compiler, kept on the disk, and
/// loaded into this process. Loaded once for each level.
final class KernelLoops: Sendable {
    private let stem, text, path: String
    private let trial: KernelTrial
    private let environment: [String: String]
    private let loaded = Locked<[String: LoadedLoops]>([:])

    /// - Parameters:
    ///   - text: the kernel's.
    ///   - path: its file, for messages.
    ///   - trial: what it must stand before it gets photos.
    ///   - environment: names the compiler and the cache folder.
    init(
        _ stem: String, _ text: String, _ path: String, _ trial: KernelTrial, _ environment: [String: String]
    ) {
        self.stem = stem
        self.text = text
        self.path = path
        self.trial = trial
        self.environment = environment
    }

    /// The loops for a level. The first call for a level may compile, which takes about half a second. The first one with
    /// other arguments tries them, which takes about 2 ms.
    ///
    /// - Parameter arguments: those that the loops will get, in the kernel's own order.
    func point(_ level: String, with arguments: [Float]) throws(KernelFileError) -> kernels_named_point {
        try loaded.withLock { (loaded) throws(KernelFileError) in
            // `??` takes no typed throws.
            var loops: LoadedLoops
            if let known = loaded[level] {
                loops = known
            } else {
                loops = LoadedLoops(try load(level), passing: trial.usualArguments)
            }
            defer { loaded[level] = loops }
            if let failure = loops.failure(with: arguments) {
                throw KernelFileError(failure, of: path, with: trial.settings(of: arguments))
            }
            return loops.point.pointer.pointee
        }
    }

    private func load(_ level: String) throws(KernelFileError) -> LoadedPoint {
        let compiler = try CCompiler(environment, for: path)
        guard let folder = PrivateFolder.cache(environment) else { throw .noFolder(path: path) }
        let unit = KernelUnit.text(stem, KernelCode.numbered(text, path))
        let object = KernelObject(
            unit: unit, level: level, compiler: compiler, folder: folder, path: path, trial: trial)
        return try object.load()
    }
}

/// Loops for a level, and the arguments that they were tried with.
private struct LoadedLoops {
    let point: LoadedPoint
    /// By the bits of the arguments; nil is a pass.
    private var results: [[UInt32]: KernelTrial.Failure?]

    /// So many results are kept: a page's user may try any number of settings.
    private static let maximumResultCount = 1000

    /// - Parameter arguments: those that the object has been tried with, before it got its name.
    init(_ point: LoadedPoint, passing arguments: [[Float]]) {
        self.point = point
        results = Dictionary(arguments.map { (Self.bits($0), nil) }) { first, _ in first }
    }

    private static func bits(_ arguments: [Float]) -> [UInt32] { arguments.map(\.bitPattern) }

    /// Why the loops cannot get these arguments; nil if they can. Tries them once.
    mutating func failure(with arguments: [Float]) -> KernelTrial.Failure? {
        let bits = Self.bits(arguments)
        if let result = results[bits] { return result }
        if results.count == Self.maximumResultCount { results = [:] }
        let result = KernelTrial.failure(of: point, with: [arguments])
        // There may be a process later.
        if case .noProcess = result { return result }
        results[bits] = .some(result)
        return result
    }
}

/// A table in a loaded shared object.
// @unchecked: the table is constant, and its object is never unloaded.
struct LoadedPoint: @unchecked Sendable {
    let pointer: UnsafePointer<kernels_named_point>
}

/// The C text of a shared object.
enum KernelUnit {
    /// - Parameter kernel: the text of the `.cl` file, after a line with its name.
    static func text(_ stem: String, _ kernel: String) -> String {
        var count = 0
        guard let parts = kernels_filter_parts(&count) else { return kernel }
        let texts = (0..<count).map { index -> String in
            guard let name = parts[index].name, let text = parts[index].text else {
                return "#define STEM \(stem)\n" + kernel
            }
            return "#line 1 \"\(String(cString: name))\"\n" + withoutIncludes(String(cString: text))
        }
        return texts.joined(separator: "\n")
    }

    /// The files that the parts include stand before them.
    private static func withoutIncludes(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("#include \"") || $0 == "#pragma once" ? "" : $0 }
            .joined(separator: "\n")
    }
}
