import CTintypeChildren
import Glibc
import SystemPackage
import TintypeFiles
import TintypeFilters
import TintypeKernels
import TintypeStages

/// Trials of a user's point function in a process of its own, before it gets photos: there, an endless loop or a crash would
/// be that of the run.
struct KernelTrial: Sendable {
    /// The arguments that every compiled function is tried with, in the kernel's own order.
    let usualArguments: [[Float]]
    /// In the order of the kernel's arguments.
    private let parameters: [KernelParameter]

    /// Why a function cannot be used.
    enum Failure {
        case crash(signal: String)
        case hang
        /// There can be no process.
        case noProcess(Errno)
    }

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
        self.parameters = members.compactMap { member in parameters.first { $0.member == member.name } }
        usualArguments = try sets.map { (set) throws(PointKernelError) in
            try PointKernel.floats(set, of: members, kernel: kernel)
        }
    }

    /// The settings that have become these arguments: `amount=0.3,tint=#336699`.
    func settings(of arguments: [Float]) -> String {
        var rest = arguments[...]
        let settings = parameters.map { parameter in
            let floats = rest.prefix(parameter.value.count)
            rest = rest.dropFirst(floats.count)
            return "\(parameter.name)=\(parameter.value.text(of: Array(floats)))"
        }
        return settings.joined(separator: ",")
    }

    /// Calls the function with each set of arguments.
    ///
    /// - Returns: nil if it has come back from all.
    static func failure(of point: LoadedPoint, with arguments: [[Float]]) -> Failure? {
        let floats = arguments.flatMap(\.self)
        let end = floats.withUnsafeBufferPointer { floats in
            var trial = kernels_trial(
                point: point.pointer, arguments: floats.baseAddress, argument_count: arguments[0].count,
                set_count: arguments.count)
            return cchildren_call(
                kernels_try, &trial, Self.stackByteCount, Int32(1000 * Self.secondCount), cchildren_memory())
        }
        switch end.signal {
        case 0: return end.error == 0 ? nil : .noProcess(Errno(rawValue: end.error))
        case SIGVTALRM: return .hang
        default:
            return .crash(
                signal: strsignal(end.signal).map { String(cString: $0) } ?? "signal \(end.signal)")
        }
    }
}
