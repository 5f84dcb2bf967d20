import Compute
import Filters
import Imaging
import Locking
import Photos

/// The devices of a run. The pool distributes photos among them, and retires devices that hang, give wrong pixels or keep
/// failing.
public final class DevicePool: Sendable {
    private struct Slot {
        let device: any Device
        /// The same device with its checks; nil for the CPU.
        let checked: CheckedDevice?
        /// Whether it gets photos; false once others have taken over.
        var isInUse = true
        var photosAtWork = 0
        var photosTaken = 0
        /// Photos that it has failed, with fewer than `forgivingCount` others between them.
        var failures = 0
        var successesSinceFailure = 0
        var isRetired = false

        init(_ device: any Device, checkedShare: Double) {
            self.device = device
            let isChecked = device.info.kind != .simd && checkedShare > 0
            checked = isChecked ? CheckedDevice(device, share: checkedShare) : nil
        }
    }

    /// A device that has failed this many photos is retired for the rest of the run. Chosen to tolerate a few
    /// odd photos.
    static let toleratedFailures = 5
    /// So many photos in a row show that the failures before them had a cause that has passed, such as full memory.
    static let forgivingCount = 100

    /// The devices in the order in which they were requested. While a GPU starts, the CPU.
    public var devices: [any Device] { slots.withLock { $0.filter(\.isInUse).map(\.device) } }
    /// Takes over photos that the devices have failed; nil lets such photos fail.
    public let fallback: (any Device)?

    /// Those of all devices so far, so that an index stays valid.
    private let slots: Locked<[Slot]>
    private let checkedShare: Double

    /// The share of a device's pixels that is compared with the CPU's by default: a 256th.
    public static let usualCheckedShare = CheckedDevice.usualShare

    /// - Parameters:
    ///   - devices: at least one.
    ///   - fallback: takes over photos that the devices have failed; nil lets such photos fail.
    ///   - checkedShare: the share of an OpenCL device's pixels, 0 to 1, that the CPU renders as well, to compare them. A
    ///     device that gives other pixels gets no more photos.
    public init(
        _ devices: [any Device], fallback: (any Device)?, checkedShare: Double = usualCheckedShare
    ) {
        precondition(!devices.isEmpty, "a run needs a device")
        self.fallback = fallback
        self.checkedShare = checkedShare
        slots = Locked(devices.map { Slot($0, checkedShare: checkedShare) })
    }

    /// Gives all photos from now on to these devices. Photos at work stay where they are.
    ///
    /// - Precondition: `devices` is not empty.
    func use(_ devices: [any Device]) {
        precondition(!devices.isEmpty, "a run needs a device")
        slots.withLock { slots in
            for index in slots.indices {
                slots[index].isInUse = devices.contains { $0 === slots[index].device }
            }
            let known = slots.map { ObjectIdentifier($0.device) }
            slots += devices.filter { !known.contains(ObjectIdentifier($0)) }
                .map { Slot($0, checkedShare: checkedShare) }
        }
    }

    /// Runs `body` with one device after another until it succeeds, finally with the fallback. The device
    /// with the fewest photos at work comes first; among equals, the one with the fewest photos so far.
    ///
    /// A `DeviceError` counts against its device, except `tooLarge`. A device that has stopped answering, that gives wrong pixels,
    /// or whose driver has crashed again, is retired at once. After a first crash, the photo is tried once more.
    ///
    /// - Parameters:
    ///   - body: receives the device, and whether it is the fallback. Asks the device to approve outputs before they get
    ///     their names.
    ///   - failed: called with each device's error.
    /// - Throws: the last `DeviceError` if all devices fail; `PhotoError.noDeviceLeft` if all are retired;
    ///   any other error of `body`, at once.
    package func withDevices<Result>(
        _ body: (_ device: any Device, _ isFallback: Bool) throws -> Result,
        failed: (DeviceError) -> Void = { _ in }
    ) throws -> Result {
        var tried: Set<String> = []
        var failure: DeviceError?
        while let (index, device) = take(except: tried) {
            do {
                let result = try body(device, false)
                giveBack(index, after: nil)
                return result
            } catch {
                giveBack(index, after: error)
                guard let error = error as? DeviceError else { throw error }
                if !error.allowsAnotherTry { tried.insert(device.info.identifier) }
                failure = error
                failed(error)
            }
        }
        if let fallback, !tried.contains(fallback.info.identifier) { return try body(fallback, true) }
        throw failure.map { $0 as any Error } ?? PhotoError.noDeviceLeft
    }

    /// Devices that are no longer used, because they hang or have failed too often.
    public var retired: [any Device] { slots.withLock { $0.filter(\.isRetired).map(\.device) } }

    /// Takes the outputs that devices have made before they were found to give wrong pixels, and that may be wrong as well, by
    /// the devices' identifiers: they are named once. A `Batch` does so, and makes them again.
    public func takeSuspectOutputs() -> [String: [String]] {
        let taken = slots.withLock { $0.compactMap(\.checked) }.map {
            ($0.info.identifier, $0.takeSuspectOutputs())
        }
        return Dictionary(taken, uniquingKeysWith: +).filter { !$0.value.isEmpty }
    }

    /// Whether no photo is at work.
    package var isIdle: Bool { slots.withLock { $0.allSatisfy { $0.photosAtWork == 0 } } }

    /// Whether a photo can be filtered at all: a device is left, or there is a fallback.
    package var isUsable: Bool {
        fallback != nil || slots.withLock { $0.contains { $0.isInUse && !$0.isRetired } }
    }

    /// The names of the devices and of the fallback, by identifier.
    public var names: [String: String] {
        let all = slots.withLock { $0.map(\.device) } + (fallback.map { [$0] } ?? [])
        return Dictionary(
            all.map { ($0.info.identifier, $0.info.name) }, uniquingKeysWith: { first, _ in first })
    }

    private func take(except tried: Set<String>) -> (index: Int, device: any Device)? {
        slots.withLock { slots in
            let usable = slots.indices.filter {
                slots[$0].isInUse && !slots[$0].isRetired && !tried.contains(slots[$0].device.info.identifier)
            }
            func load(_ index: Int) -> (Int, Int) { (slots[index].photosAtWork, slots[index].photosTaken) }
            guard let index = usable.min(by: { load($0) < load($1) }) else { return nil }
            slots[index].photosAtWork += 1
            slots[index].photosTaken += 1
            return (index, slots[index].checked ?? slots[index].device)
        }
    }

    /// - Parameter error: nil after a success. A `DeviceError` counts against the device; others are the photo's.
    private func giveBack(_ index: Int, after error: (any Error)?) {
        slots.withLock { slots in
            slots[index].photosAtWork -= 1
            guard let error else {
                slots[index].successesSinceFailure += 1
                if slots[index].successesSinceFailure >= Self.forgivingCount { slots[index].failures = 0 }
                return
            }
            switch error as? DeviceError {
            // One crash ends all photos at work, and crashes are counted already.
            case nil, .tooLarge, .driverEnded(_, _, isRestarted: true): break
            case .stoppedAnswering, .wrongPixels, .driverEnded(_, _, isRestarted: false):
                slots[index].isRetired = true
            default:
                slots[index].failures += 1
                slots[index].successesSinceFailure = 0
            }
            if slots[index].failures >= Self.toleratedFailures { slots[index].isRetired = true }
        }
    }
}

extension DeviceError {
    /// Whether the same photo may succeed on the same device.
    fileprivate var allowsAnotherTry: Bool {
        if case .driverEnded(_, _, isRestarted: true) = self { true } else { false }
    }
}
