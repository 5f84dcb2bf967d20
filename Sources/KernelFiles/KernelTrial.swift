import CChildren
import Files
import Filters
import Glibc
import Kernels
import Stages
import SystemPackage

/// A trial of a user's point function in a process of its own, before it gets photos: there, an endless loop or a crash would
/// be that of the run.
struct KernelTrial: Sendable {
    /// Sets of arguments, in the kernel's own order.
    private let arguments: [[Float]]

    /// The stack that a kernel may use; threads have more.
    static let stackByteCount = 256 << 10
    /// The processor time for some ten thousand pixels, a thousand times what slow kernels take.
    static let secondCount = 2

    /// Trials with the default settings, and with each number at the ends of its range.
    ///
    /// - Parameters:
    ///   - members: what the kernel declares.
    ///   - added: arguments that are no parameters.
    init(
        _ parameters: [KernelParameter], _ members: [PointKernel.Member], _ added: [String: PointArgument],
        kernel: String
    ) throws(PointKernelError) {
        let defaults = Dictionary(uniqueKeysWithValues: parameters.map { ($0.member, $0.value.argument) })
            .merging(added) { $1 }
        var sets = [defaults]
        for parameter in parameters {
            guard case .number = parameter.value else { continue }
            for end in [parameter.range.lowerBound, parameter.range.upperBound] {
                sets.append(defaults.merging([parameter.member: .value(end)]) { $1 })
            }
        }
        arguments = try sets.map { (set) throws(PointKernelError) in
            try PointKernel.floats(set, of: members, kernel: kernel)
        }
    }

    /// - Parameter path: the kernel's file, for messages.
    /// - Throws: `KernelFileError.crashes`, `.hangs`, or `.notLoaded` if there can be no process.
    func run(_ point: LoadedPoint, path: String) throws(KernelFileError) {
        let floats = arguments.flatMap(\.self)
        let end = floats.withUnsafeBufferPointer { floats in
            var trial = kernels_trial(
                point: point.pointer, arguments: floats.baseAddress, argument_count: arguments[0].count,
                set_count: arguments.count)
            return cchildren_call(kernels_try, &trial, Self.stackByteCount, Int32(1000 * Self.secondCount))
        }
        switch end.signal {
        case 0 where end.error != 0:
            throw .notLoaded(path: path, reason: "a process cannot be started: \(Errno(rawValue: end.error))")
        case 0: return
        case SIGVTALRM: throw .hangs(path: path)
        default:
            throw .crashes(
                path: path,
                signal: strsignal(end.signal).map { String(cString: $0) } ?? "signal \(end.signal)")
        }
    }
}
