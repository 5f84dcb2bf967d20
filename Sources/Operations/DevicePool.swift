import Compute
import Filters
import Imaging
import Locking
import Photos

/// The devices of a run: shares photos among them, and takes those out of use that hang or keep failing.
public final class DevicePool: Sendable {
    private struct State {
        var photosAtWork: [Int]
        var photosTaken: [Int]
        var failures: [Int]
        var isRetired: [Bool]
    }

    /// A device that has failed this many photos is left alone for the rest of the run. Chosen to let a few
    /// odd photos pass.
    static let toleratedFailures = 5

    /// In the order in which they were asked for.
    public let devices: [any Device]
    /// Steps in where a device fails; nil where a failure is to be one.
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

    /// Runs `body` with one device after another until it succeeds: each time with the device that has the fewest
    /// photos at work, among equals the one that has had the fewest; at last with the fallback.
    ///
    /// A `DeviceError` counts against its device, but for a photo that is too large for it. A device that has
    /// stopped answering is not asked again.
    ///
    /// - Parameters:
    ///   - body: is given the device, and whether it is the fallback.
    ///   - failed: told of each device's error.
    /// - Throws: the last `DeviceError` where all devices fail, `PhotoError.noDeviceLeft` where none may be
    ///   used; whatever else `body` throws, at once.
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
                tried.insert(devices[index].info.identifier)
                failure = error
                failed(error)
            }
        }
        if let fallback, !tried.contains(fallback.info.identifier) { return try body(fallback, true) }
        throw failure.map { $0 as any Error } ?? PhotoError.noDeviceLeft
    }

    /// Devices that hang, or have failed too often, and are not asked again.
    public var retired: [any Device] {
        let isRetired = state.withLock { $0.isRetired }
        return devices.indices.filter { isRetired[$0] }.map { devices[$0] }
    }

    /// The devices' names, and the fallback's, by identifier.
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
            case .stoppedAnswering: state.isRetired[index] = true
            default: state.failures[index] += 1
            }
            if state.failures[index] >= Self.toleratedFailures { state.isRetired[index] = true }
        }
    }
}
