import Foundation
import TintypeImaging
import TintypeStages

/// Why a device could not be used.
public enum DeviceError: Error, Equatable, Sendable {
    /// No device matches the request. `known` are the valid names.
    case notFound(asked: String, known: [String])
    /// OpenCL's devices could not all be listed, so the request may mean one that is missing. `reason` is the call that failed.
    case notListed(asked: String, reason: String)
    /// The driver rejected a kernel. `log` is the compiler's own text.
    case buildFailed(kernel: String, device: String, log: String)
    /// The device's pixels differ from the SIMD ones.
    case failedSelfTest(device: String, kernels: String)
    /// The device has passed its test, but rendered a photo's `row` differently from the CPU later.
    case wrongPixels(device: String, row: Int)
    /// The same of a photo that the device has encoded: its file has other bytes than the CPU's.
    case wrongFile(device: String)
    /// An OpenCL call failed with OpenCL's `code`.
    case callFailed(call: String, code: Int32, device: String)
    /// The device or its driver hangs: it did not answer within the time limit. `after` is the time waited.
    case stoppedAnswering(device: String, after: Duration)
    /// The process of the device's driver has ended, by a crash for example. `reason` says how, and `isRestarted` whether
    /// the device may be tried once more.
    case driverEnded(device: String, reason: String, isRestarted: Bool)
    /// A photo needs more device memory at once than there is, or than kernels can address.
    case tooLarge(device: String, byteCount: Int, limit: Int)
    /// A filter's stage does not fit its kernel: a mistake in the filter.
    case invalidStage(PointKernelError)
    /// The driver mapped memory to another address than before. Data at the old address is stale.
    case movedMemory(device: String)
}

extension DeviceError {
    /// Whether memory of the device or of this machine did not suffice: `CL_MEM_OBJECT_ALLOCATION_FAILURE` and
    /// `CL_OUT_OF_HOST_MEMORY`.
    package var isCertainLackOfMemory: Bool { callCode.map { [-4, -6].contains($0) } ?? false }

    /// Whether memory may not have sufficed: also `CL_OUT_OF_RESOURCES`, which drivers say of a broken context as well.
    package var mayBeLackOfMemory: Bool { isCertainLackOfMemory || callCode == -5 }

    private var callCode: Int32? {
        guard case .callFailed(_, let code, _) = self else { return nil }
        return code
    }
}

extension DeviceError: AdvisedError {
    public var problem: String {
        switch self {
        case .notFound(let asked, let known):
            "No device matches '\(asked)'. This machine has: \(known.joined(separator: ", "))."
        case .notListed(let asked, let reason):
            "No device can be found for '\(asked)': OpenCL's platforms and devices could not be listed, because \(reason). "
                + "\(Wording.useCPU.text) meanwhile."
        case .buildFailed(let kernel, let device, ""):
            "\(device) could not compile \(kernel), and its compiler does not say why. A part of the driver may be missing. "
                + "\(Wording.listDevices.text) \(Wording.useCPU.text) meanwhile."
        case .buildFailed(let kernel, let device, let log):
            "\(device) could not compile \(kernel). \(Wording.useCPU.text) meanwhile; the compiler said:\n\(log)"
        case .failedSelfTest(let device, let kernels):
            "\(device) computes other pixels than the CPU in \(kernels), so it is not used. "
                + "\(Wording.useCPU.text), and please report the driver's version."
        case .wrongPixels(let device, let row):
            "\(device) computes other pixels than the CPU in row \(row), though it passed its test, so it is not used any "
                + "more in this run. \(Wording.useCPU.text), and please report the driver's version."
        case .wrongFile(let device):
            "\(device) encodes other bytes than the CPU, though it passed its test, so it is not used any more in this run. "
                + "\(Wording.useCPU.text), and please report the driver's version."
        case .callFailed(let call, let code, let device):
            "\(device): \(call) failed with OpenCL error \(code)."
        case .stoppedAnswering(let device, let waited):
            "\(device) has not answered for \((waited / .milliseconds(100)).rounded() / 10) s, so it is not used any "
                + "more in this run. \(Wording.useCPU.text) meanwhile; "
                + "\(Wording.moreTime.text)."
        case .driverEnded(let device, let reason, isRestarted: true):
            "\(device): the driver's process has ended (\(reason)); it is started once more."
        case .driverEnded(let device, let reason, isRestarted: false):
            "\(device) is not used any more in this run: the driver's process has ended (\(reason)). "
                + "\(Wording.useCPU.text) meanwhile, and please report the driver's version."
        case .tooLarge(let device, let byteCount, let limit):
            "This photo needs \(byteCount.mebibytes) MiB of \(device)'s memory at once with these filters, and "
                + "\(limit.mebibytes) MiB are the most."
        case .invalidStage(let error):
            "A filter is wrong. \(error)"
        case .movedMemory(let device):
            "\(device) maps memory to another address than before, so its results cannot be trusted. "
                + "\(Wording.useCPU.text) meanwhile, and please report the driver's version."
        }
    }

    public var recoverySuggestion: String? {
        switch self {
        case .notFound: Wording.listDevices.text
        case .tooLarge: Wording.useCPUForSuchPhotos.text
        default: nil
        }
    }
}

extension Int {
    /// MiB, rounded up.
    fileprivate var mebibytes: Int { self >> 20 + (self & 0xFFFFF == 0 ? 0 : 1) }
}
