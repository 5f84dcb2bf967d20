import Foundation

/// Why the kernel in a user's file cannot be used.
public enum KernelFileError: Error, Equatable, Sendable {
    /// The file cannot be read.
    case unreadable(path: String, reason: String)
    /// The file is wrong. `line` is counted from 1; nil is the whole file. `problem` says what is expected.
    case invalid(path: String, line: Int?, problem: String)
    /// There is no C compiler. `asked` is the one that `$CC` names.
    case noCompiler(path: String, asked: String?)
    /// No folder for compiled kernels is this user's own.
    case noFolder(path: String)
    /// The C compiler rejected the text. `log` is its own text.
    case rejected(path: String, log: String)
    /// The C compiler cannot run, or does not come to an end.
    case notCompiled(path: String, reason: String)
    /// The function crashes on the CPU. `signal` is the system's word for it.
    case crashes(path: String, signal: String)
    /// The function does not come to an end on the CPU.
    case hangs(path: String)
    /// The function crashes on the CPU with some settings, such as `amount=0.3`.
    case crashesWith(settings: String, path: String, signal: String)
    /// The function does not come to an end on the CPU with some settings.
    case hangsWith(settings: String, path: String)
    /// The compiled kernel cannot be stored or loaded.
    case notLoaded(path: String, reason: String)
}

extension KernelFileError: LocalizedError {
    public var errorDescription: String? { description }
}

extension KernelFileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "'\(path)' cannot be read: \(reason)."
        case .invalid(let path, let line, let problem):
            "'\(path)'\(line.map { ", line \($0)" } ?? ""): \(problem)."
        case .noCompiler(let path, let asked):
            "'\(path)' needs a C compiler, because every device is compared with the CPU: "
                + (asked.map { "$CC names '\($0)', which cannot be found." }
                    ?? "install gcc or clang, or name one in $CC.")
        case .noFolder(let path):
            "'\(path)' is compiled into a folder that only you can write, and there is none: "
                + "set XDG_CACHE_HOME to a folder of your own."
        case .rejected(let path, let log):
            "'\(path)' cannot be compiled for the CPU; the compiler said:\n\(log)"
        case .notCompiled(let path, let reason):
            "'\(path)' cannot be compiled for the CPU: \(reason)."
        case .crashes(let path, let signal):
            "'\(path)' crashes on the CPU (\(signal)). Look for an index beyond the end of an array, for arrays larger than "
                + "\(KernelTrial.stackByteCount >> 10) KiB, and for a division of whole numbers by 0, also with parameters at the "
                + "ends of their ranges."
        case .hangs(let path):
            "'\(path)' takes too long on the CPU: a thousand pixels were not done after \(KernelTrial.secondCount) seconds. Look for "
                + "a loop that does not end, also with parameters at the ends of their ranges."
        case .crashesWith(let settings, let path, let signal):
            "'\(path)' crashes on the CPU with \(settings) (\(signal)). Look for an index beyond the end of an array, and for a "
                + "division of whole numbers by 0."
        case .hangsWith(let settings, let path):
            "'\(path)' takes too long on the CPU with \(settings): a thousand pixels were not done after "
                + "\(KernelTrial.secondCount) seconds. Look for a loop that does not end."
        case .notLoaded(let path, let reason):
            "'\(path)' was compiled, and cannot be loaded: \(reason)."
        }
    }
}

extension KernelFileError {
    /// Whether the function may run with other settings.
    var isOfSettings: Bool {
        switch self {
        case .hangsWith, .crashesWith: true
        default: false
        }
    }

    /// - Parameters:
    ///   - path: the kernel's file.
    ///   - settings: those that the function was tried with; nil for the defaults and the ends of all ranges.
    init(_ failure: KernelTrial.Failure, of path: String, with settings: String? = nil) {
        switch failure {
        case .noProcess(let error):
            self = .notLoaded(path: path, reason: "a process cannot be started: \(error)")
        case .hang: self = settings.map { .hangsWith(settings: $0, path: path) } ?? .hangs(path: path)
        case .crash(let signal):
            self =
                settings.map { .crashesWith(settings: $0, path: path, signal: signal) }
                ?? .crashes(path: path, signal: signal)
        }
    }
}
