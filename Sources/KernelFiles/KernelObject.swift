import Foundation
import Glibc
import SystemPackage
import TintypeFiles
import TintypeKernels

/// A kernel's shared object for one instruction-set level, in the user's own cache folder.
///
/// Its name is a hash of all that it depends on, so it never changes. It is written under another name first, and gets its
/// own once it has passed its trial.
struct KernelObject {
    private let unit, level, path: String
    private let compiler: CCompiler
    private let folder: PrivateFolder
    private let trial: KernelTrial
    private let name: String

    /// - Parameters:
    ///   - unit: the C text.
    ///   - path: the kernel's file, for messages.
    init(
        unit: String, level: String, compiler: CCompiler, folder: PrivateFolder, path: String,
        trial: KernelTrial
    ) {
        self.trial = trial
        self.unit = unit
        self.level = level
        self.compiler = compiler
        self.folder = folder
        self.path = path
        let hash = ContentHash(.sha256)
        for part in [unit, compiler.identity] + CCompiler.flags(for: level) {
            Array("\(part.utf8.count)\0\(part)".utf8).withUnsafeBytes(hash.observe)
        }
        name = "kernel-\(hash.digest.hexadecimal.prefix(32)).so"
    }

    /// Loads the object, and compiles it first if the folder has none that is good.
    func load() throws(KernelFileError) -> LoadedPoint {
        if let point = try? open() { return point }
        // One process compiles, others wait and then find its object.
        let lock = try lock()
        defer { lock.unlock(0) }
        if let point = try? open() { return point }
        return try compiled()
    }

    private func lock() throws(KernelFileError) -> OpenFile {
        do throws(Errno) {
            let lock = try OpenFile(
                folder.path(of: "kernels.lock"), .writeOnly, .create, permissions: .ownerReadWrite)
            try lock.lock(0)
            return lock
        } catch {
            throw .notLoaded(path: path, reason: "\(error)")
        }
    }

    private func compiled() throws(KernelFileError) -> LoadedPoint {
        removeStrays()
        // A name of its own, because the compiler of a run that was killed may still write.
        let newPath = folder.path(of: "kernel-\(String(UInt64.random(in: .min ... .max), radix: 36)).new")
        defer { unlink(newPath) }
        try compiler.compile(unit, for: level, to: newPath, kernel: path)
        do throws(Errno) {
            let file = try OpenFile(reading: newPath)
            guard fchmod(file.number, 0o700) == 0 else { throw Errno.last }
            try file.sync()
        } catch {
            throw .notLoaded(path: path, reason: "\(error)")
        }
        let point = try open(newPath)
        if let failure = KernelTrial.failure(of: point, with: trial.usualArguments) {
            throw KernelFileError(failure, of: path)
        }
        do throws(Errno) {
            guard rename(newPath, folder.path(of: name)) == 0 else { throw Errno.last }
        } catch {
            throw .notLoaded(path: path, reason: "\(error)")
        }
        return point
    }

    /// Removes what killed runs have left. A run that lives would hold the lock.
    private func removeStrays() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix("kernel-") && name.hasSuffix(".new") {
            unlink(folder.path(of: name))
        }
    }

    /// Loads the object that the folder has.
    private func open() throws(KernelFileError) -> LoadedPoint {
        guard folder.hasPrivateFile(name) else {
            throw .notLoaded(
                path: path, reason: "\(folder.path(of: name)) is missing, or others can write it")
        }
        return try open(folder.path(of: name))
    }

    private func open(_ object: String) throws(KernelFileError) -> LoadedPoint {
        guard let object = dlopen(object, RTLD_NOW | RTLD_LOCAL),
            let table = dlsym(object, "kernels_filter_point")
        else {
            throw .notLoaded(path: path, reason: dlerror().map { String(cString: $0) } ?? "it is damaged")
        }
        return LoadedPoint(pointer: UnsafePointer(table.assumingMemoryBound(to: kernels_named_point.self)))
    }
}
