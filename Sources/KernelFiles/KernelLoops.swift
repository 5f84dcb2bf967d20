import Files
import Filters
import Kernels
import Locking
import Stages

/// A kernel's loops over rows: compiled for an instruction-set level by the system's C compiler, kept on the disk, and
/// loaded into this process. Loaded once for each level.
final class KernelLoops: Sendable {
    private let stem, text, path: String
    private let trial: KernelTrial
    private let environment: [String: String]
    private let loaded = Locked<[String: LoadedPoint]>([:])

    /// - Parameters:
    ///   - text: the kernel's.
    ///   - path: its file, for messages.
    ///   - trial: what it must pass once, before it gets photos.
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

    /// The loops for a level. The first call for a level may compile, which takes about half a second.
    func point(_ level: String) throws(KernelFileError) -> kernels_named_point {
        let point = try loaded.withLock { (loaded) throws(KernelFileError) in
            if let point = loaded[level] { return point }
            let point = try load(level)
            loaded[level] = point
            return point
        }
        return point.pointer.pointee
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
