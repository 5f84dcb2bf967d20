import Tintype

/// What the process's exit code says.
enum ExitStatus: Int32 {
    case done = 0
    /// Some photos failed; each was named.
    case photosFailed = 1
    case usage = 2
    /// The inputs hold no photo.
    case noInputs = 3
    /// A device is missing, or failed where no fallback was allowed.
    case device = 4
    /// The disk or the memory is full.
    case resourceLimit = 6

    /// The code for a run with these failures: where every one has the same cause, and it lies in the
    /// machine, that.
    init(failures: Set<PhotoError.Kind>) {
        self =
            switch failures {
            case []: .done
            case [.device]: .device
            case [.resourceLimit]: .resourceLimit
            default: .photosFailed
            }
    }
}
