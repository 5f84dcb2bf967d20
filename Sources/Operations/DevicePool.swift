import Compute
import Filters
import Imaging
import Locking
import Photos

/// The devices of a run. The pool distributes photos among them, and retires devices that hang or keep
/// failing.
public final class DevicePool: Sendable {
    private struct State {
        var photosAtWork: [Int]
        var photosTaken: [Int]
        var failures: [Int]
        var isRetired: [Bool]
    }

    /// A device that has failed this many photos is retired for the rest of the run. Chosen to tolerate a few
    /// odd photos.
    static let toleratedFailures = 5

    /// The devices in the order in which they were requested.
    public let devices: [any Device]
    /// Takes over photos that the devices have failed; nil lets such photos fail.
    public let fallback: (any Device)?

    private let state: Locked<State>

    /// - Precondition: `devices` is not empty.
    public init(_ devices: [any Device], fallback: (any Device)?) {
        precondition(!devices.isEmpty, "a run needs a device")
        self.devices = devices
        self.fallback = fallback
        let zeros = devices.map { _ in 0 }
        state = Locked(
            State(
                photosAtWork: zeros, photosTaken: zeros, failures: zeros,
                isRetired: devices.map { _ in false }))
    }

    /// Runs `body` with one device after another until it succeeds, finally with the fallback. The device
    /// with the fewest photos at work comes first; among equals, the one with the fewest photos so far.
    ///
    /// A `DeviceError` counts against its device, except `tooLarge`. A device that has stopped answering, or whose driver
    /// has crashed again, is retired at once. After a first crash, the device is tried once more.
    ///
    /// - Parameters:
    ///   - body: receives the device, and whether it is the fallback.
    ///   - failed: called with each device's error.
    /// - Throws: the last `DeviceError` if all devices fail; `PhotoError.noDeviceLeft` if all are retired;
    ///   any other error of `body`, at once.
    func withDevices<Result>(
        _ body: (_ device: any Device, _ isFallback: Bool) throws -> Result,
        failed: (DeviceError) -> Void = { _ in }
    ) throws -> Result {
        var tried: Set<String> = []
        var failure: DeviceError?
        while let index = take(except: tried) {
            do {
                let result = try body(devices[index], false)
                giveBack(index)
                return result
            } catch {
                giveBack(index, after: error as? DeviceError)
                guard let error = error as? DeviceError else { throw error }
                if !error.allowsAnotherTry { tried.insert(devices[index].info.identifier) }
                failure = error
                failed(error)
            }
        }
        if let fallback, !tried.contains(fallback.info.identifier) { return try body(fallback, true) }
        throw failure.map { $0 as any Error } ?? PhotoError.noDeviceLeft
    }

    /// Devices that are no longer used, because they hang or have failed too often.
    public var retired: [any Device] {
        let isRetired = state.withLock { $0.isRetired }
        return devices.indices.filter { isRetired[$0] }.map { devices[$0] }
    }

    /// The names of the devices and of the fallback, by identifier.
    public var names: [String: String] {
        let all = devices + (fallback.map { [$0] } ?? [])
        return Dictionary(
            all.map { ($0.info.identifier, $0.info.name) }, uniquingKeysWith: { first, _ in first })
    }

    private func take(except tried: Set<String>) -> Int? {
        state.withLock { state in
            let usable = devices.indices.filter {
                !state.isRetired[$0] && !tried.contains(devices[$0].info.identifier)
            }
            func load(_ index: Int) -> (Int, Int) { (state.photosAtWork[index], state.photosTaken[index]) }
            guard let index = usable.min(by: { load($0) < load($1) }) else { return nil }
            state.photosAtWork[index] += 1
            state.photosTaken[index] += 1
            return index
        }
    }

    private func giveBack(_ index: Int, after failure: DeviceError? = nil) {
        state.withLock { state in
            state.photosAtWork[index] -= 1
            switch failure {
            case nil, .tooLarge: break
            case .stoppedAnswering, .driverEnded(_, _, isRestarted: false): state.isRetired[index] = true
            default: state.failures[index] += 1
            }
            if state.failures[index] >= Self.toleratedFailures { state.isRetired[index] = true }
        }
    }
}

extension DeviceError {
    /// Whether the same photo may succeed on the same device.
    fileprivate var allowsAnotherTry: Bool {
        if case .driverEnded(_, _, isRestarted: true) = self { true } else { false }
    }
}
