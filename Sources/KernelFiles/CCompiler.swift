import CTintypeChildren
import Glibc
import SystemPackage
import TintypeFiles

/// The system's C compiler: `$CC`, else `cc`, `clang` or `gcc`, whichever is found first.
struct CCompiler: Sendable {
    /// The program's path, and arguments that `$CC` has after it.
    private let words: [String]
    /// Differs from the identity of other compilers, and of other versions of this one.
    let identity: String

    /// Equal bytes need `-ffp-contract=off`. The other flags let loops become vectors in gcc as they do in clang, which
    /// assumes them, and change no result.
    private static let flags = [
        "-x", "c", "-std=gnu2x", "-O3", "-ffp-contract=off", "-fno-trapping-math", "-fno-math-errno", "-fPIC",
        "-shared", "-Werror=implicit-function-declaration", "-Wl,-z,defs",
        // What needs more than the stack touches the page after it, however large an array is.
        "-fstack-clash-protection",
    ]
    /// A compiler takes half a second for a kernel, on a machine with nothing else to do.
    private static let usualTimeLimit = 60

    private let timeLimit: Int

    /// - Parameter timeLimit: in seconds, for one kernel.
    /// - Throws: `KernelFileError.noCompiler`. `path` is the kernel that needs one.
    init(
        _ environment: [String: String], for path: String, timeLimit: Int = Self.usualTimeLimit
    ) throws(KernelFileError) {
        self.timeLimit = timeLimit
        let asked = (environment["CC"] ?? "").split(separator: " ").map(String.init)
        let candidates = asked.isEmpty ? [["cc"], ["clang"], ["gcc"]] : [asked]
        for candidate in candidates {
            guard let program = Self.program(candidate[0], environment["PATH"] ?? "") else { continue }
            words = [program] + candidate.dropFirst()
            identity = Self.identity(of: program, words: words)
            return
        }
        throw .noCompiler(path: path, asked: asked.first)
    }

    /// All that an object depends on besides its text.
    static func flags(for level: String) -> [String] {
        switch level {
        case "x86-64-v3": flags + ["-march=x86-64-v3"]
        // With vectors as wide as the built-in kernels'.
        case "x86-64-v4": flags + ["-march=x86-64-v4", "-mprefer-vector-width=512"]
        default: flags
        }
    }

    /// Compiles `unit` into a shared object at `output`.
    ///
    /// - Throws: `KernelFileError.rejected` with the compiler's messages, `.notCompiled` if it cannot run or takes too long.
    func compile(
        _ unit: String, for level: String, to output: String, kernel path: String
    ) throws(KernelFileError) {
        let end: cchildren_end, log: [UInt8]
        do throws(Errno) {
            // Files, because a pipe could fill up.
            let input = try OpenFile.inMemory(), messages = try OpenFile.inMemory()
            try input.write(Array(unit.utf8))
            try input.rewind()
            var arguments =
                (words + Self.flags(for: level) + ["-o", output, "-"]).map { strdup($0) } + [nil]
            defer { for argument in arguments { free(argument) } }
            end = cchildren_run(&arguments, input.number, messages.number, Int32(timeLimit))
            log = try messages.firstBytes(Self.maximumLogByteCount)
        } catch {
            throw .notCompiled(path: path, reason: "a temporary file cannot be used: \(error)")
        }
        guard end.error == 0 else {
            throw .notCompiled(path: path, reason: "\(words[0]) cannot run: \(Errno(rawValue: end.error))")
        }
        guard end.signal != SIGALRM else {
            throw .notCompiled(
                path: path, reason: "\(words[0]) was ended, because it took longer than \(timeLimit) s")
        }
        guard end.exit_code == 0, end.signal == 0 else {
            throw .rejected(path: path, log: CompilerLog(log).text)
        }
    }

    private static let maximumLogByteCount = 16 << 10

    /// The program of this name in the folders of `$PATH`.
    private static func program(_ name: String, _ searchPath: String) -> String? {
        let candidates =
            name.contains("/")
            ? [name] : searchPath.split(separator: ":").map { String($0).appendingPathComponent(name) }
        return candidates.first { access($0, X_OK) == 0 && (try? Stat($0).isRegularFile) == true }
    }

    private static func identity(of program: String, words: [String]) -> String {
        let real = program.resolvingLinks ?? program
        var status = stat()
        stat(real, &status)
        return
            (words + [
                real, "\(status.st_size)", "\(status.st_mtim.tv_sec)", "\(status.st_mtim.tv_nsec)",
            ]).joined(separator: "\0")
    }
}
