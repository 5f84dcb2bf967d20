import Dispatch
import TintypeCompute
import TintypeFilters
import TintypeImaging
import TintypeLocking
import TintypePhotos

/// The devices of a run. The pool distributes photos among them, and retires devices that hang, give wrong pixels or keep
/// failing.
public final class DevicePool: Sendable {
    fileprivate struct Slot {
        let device: any Device
        /// The same device with its checks; nil for the CPU.
        let checked: CheckedDevice?
        /// Whether it gets photos; false once others have taken over.
        var isInUse = true
        var photosAtWork = 0
        var photosTaken = 0
        var times = DeviceTimes()
        /// The most photos at work at once: fewer after its memory was full.
        var mostAtWork = Int.max
        /// Photos that it has failed, with fewer than `forgivingCount` others between them. Those that were at work together
        /// count as one, because they may have had one cause.
        var failures = 0
        /// Increases with each failure that counts.
        var failureNumber = 0
        var successesSinceFailure = 0
        var isRetired = false

        init(_ device: any Device, checkedShare: Double) {
            self.device = device
            // What a device encodes is checked once at least.
            let isChecked =
                device.info.kind != .simd && (checkedShare > 0 || device.abilities.coding != nil)
            checked = isChecked ? CheckedDevice(device, share: checkedShare) : nil
        }
    }

    /// A device that has failed this many photos is retired for the rest of the run. Chosen to tolerate a few
    /// odd photos.
    static let toleratedFailures = 5
    /// So many photos in a row show that the failures before them had a cause that has passed, such as full memory.
    static let forgivingCount = 100

    /// After so many photos in a row, a device whose memory was full gets one more photo at once.
    static let roomCount = 25

    /// The devices in the order in which they were requested. While a GPU starts, the CPU.
    public var devices: [any Device] { state.withLock { $0.slots.filter(\.isInUse).map(\.device) } }
    /// Takes over photos that the devices have failed; nil lets such photos fail.
    public let fallback: (any Device)?

    private let state: Locked<State>
    private let checkedShare: Double
    private let start = ContinuousClock.now

    private struct State {
        /// Those of all devices so far, so that an index stays valid.
        var slots: [Slot]
        /// Signalled once when a photo is given back, or devices change.
        var waiters: [DispatchSemaphore] = []

        mutating func wakeWaiters() {
            for waiter in waiters { waiter.signal() }
            waiters = []
        }
    }

    /// A photo's time on a device.
    fileprivate struct Turn {
        let slot: Int
        let device: any Device
        /// In seconds of the run.
        let begin: Double
        /// As `DeviceTimes.Choice` has it.
        let isTry: Bool
        /// Those of the slot when the turn began, with this photo.
        let failureNumber, mostAtWork, photosAtWork: Int
    }

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
        state = Locked(State(slots: devices.map { Slot($0, checkedShare: checkedShare) }))
    }

    /// Gives all photos from now on to these devices. Photos at work stay where they are.
    ///
    /// - Precondition: `devices` is not empty.
    package func use(_ devices: [any Device]) {
        precondition(!devices.isEmpty, "a run needs a device")
        state.withLock { state in
            for index in state.slots.indices {
                state.slots[index].isInUse = devices.contains { $0 === state.slots[index].device }
            }
            let known = state.slots.map { ObjectIdentifier($0.device) }
            state.slots += devices.filter { !known.contains(ObjectIdentifier($0)) }
                .map { Slot($0, checkedShare: checkedShare) }
            state.wakeWaiters()
        }
    }

    /// Runs `body` with one device after another until it succeeds, finally with the fallback. First comes the device that will be
    /// done first, as far as the run has shown: see `DeviceTimes`.
    ///
    /// A `DeviceError` counts against its device, except `tooLarge`. A device that has stopped answering, that gives wrong pixels,
    /// or whose driver has crashed again, is retired at once. After a first crash, the photo is tried once more. If a device has
    /// no memory for all photos at work, it gets fewer at once, and the photo is tried once more.
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
        while let turn = take(except: tried) {
            do {
                let result = try body(turn.device, false)
                _ = giveBack(turn, after: nil)
                return result
            } catch {
                let allowsAnotherTry = giveBack(turn, after: error)
                guard let error = error as? DeviceError else { throw error }
                // That others left it no memory is nothing to tell.
                if allowsAnotherTry, error.mayBeLackOfMemory { continue }
                if !allowsAnotherTry { tried.insert(turn.device.info.identifier) }
                failure = error
                failed(error)
            }
        }
        if let fallback, !tried.contains(fallback.info.identifier) { return try body(fallback, true) }
        throw failure.map { $0 as any Error } ?? PhotoError.noDeviceLeft
    }

    /// Devices that are no longer used, because they hang or have failed too often.
    public var retired: [any Device] { state.withLock { $0.slots.filter(\.isRetired).map(\.device) } }

    /// Takes the outputs that devices have made before they were found to give wrong pixels, and that may be wrong as well, by
    /// the devices' identifiers: they are named once. A `Batch` does so, and makes them again.
    public func takeSuspectOutputs() -> [String: [String]] {
        let taken = state.withLock { $0.slots.compactMap(\.checked) }.map {
            ($0.info.identifier, $0.takeSuspectOutputs())
        }
        return Dictionary(taken, uniquingKeysWith: +).filter { !$0.value.isEmpty }
    }

    /// Whether no photo is at work.
    package var isIdle: Bool { state.withLock { $0.slots.allSatisfy { $0.photosAtWork == 0 } } }

    /// Whether a photo can be filtered at all: a device is left, or there is a fallback.
    package var isUsable: Bool {
        fallback != nil || state.withLock { $0.slots.contains { $0.isInUse && !$0.isRetired } }
    }

    /// The names of the devices and of the fallback, by identifier.
    public var names: [String: String] {
        let all = state.withLock { $0.slots.map(\.device) } + (fallback.map { [$0] } ?? [])
        return Dictionary(
            all.map { ($0.info.identifier, $0.info.name) }, uniquingKeysWith: { first, _ in first })
    }

    /// Waits while all devices that may be tried have as many photos as they have memory for.
    ///
    /// - Returns: nil if no device may be tried.
    private func take(except tried: Set<String>) -> Turn? {
        enum Answer { case turn(Turn?), later(DispatchSemaphore) }
        while true {
            let answer: Answer = state.withLock { state in
                let usable = state.slots.indices.filter {
                    let slot = state.slots[$0]
                    return slot.isInUse && !slot.isRetired && !tried.contains(slot.device.info.identifier)
                }
                guard !usable.isEmpty else { return .turn(nil) }
                let free = usable.filter { state.slots[$0].photosAtWork < state.slots[$0].mostAtWork }
                let candidates = free.map { state.slots[$0].candidate }
                let now = secondsSinceStart
                guard let choice = DeviceTimes.choice(of: candidates, now: now) else {
                    let waiter = DispatchSemaphore(value: 0)
                    state.waiters.append(waiter)
                    return .later(waiter)
                }
                let index = free[choice.index]
                return .turn(state.slots[index].begin(index, now, isTry: choice.isTry))
            }
            switch answer {
            case .turn(let turn): return turn
            case .later(let waiter): PhotoPhase.device.measure { waiter.wait() }
            }
        }
    }

    private var secondsSinceStart: Double { start.duration(to: .now) / .seconds(1) }

    /// - Parameter error: nil after a success. A `DeviceError` counts against the device; others are the photo's.
    /// - Returns: whether the same photo may succeed on the same device.
    private func giveBack(_ turn: Turn, after error: (any Error)?) -> Bool {
        state.withLock { state in
            state.wakeWaiters()
            return state.slots[turn.slot].giveBack(turn, after: error, now: secondsSinceStart)
        }
    }
}

extension DevicePool.Slot {
    fileprivate var candidate: DeviceTimes.Candidate {
        DeviceTimes.Candidate(times: times, atWork: photosAtWork, taken: photosTaken)
    }

    /// - Parameters:
    ///   - index: the slot's own.
    ///   - now: in seconds of the run.
    fileprivate mutating func begin(_ index: Int, _ now: Double, isTry: Bool) -> DevicePool.Turn {
        photosAtWork += 1
        photosTaken += 1
        times.begin(now, isTry: isTry)
        return DevicePool.Turn(
            slot: index, device: checked ?? device, begin: now, isTry: isTry, failureNumber: failureNumber,
            mostAtWork: mostAtWork, photosAtWork: photosAtWork)
    }

    fileprivate mutating func giveBack(
        _ turn: DevicePool.Turn, after error: (any Error)?, now: Double
    ) -> Bool {
        defer { photosAtWork -= 1 }
        guard let error else {
            times.add(from: turn.begin, to: now, atWork: turn.photosAtWork, isTry: turn.isTry)
            succeeded()
            return false
        }
        switch error as? DeviceError {
        case nil, .tooLarge: return false
        // One crash ends all photos at work, and crashes are counted already. The next process has all memory again.
        case .driverEnded(_, _, isRestarted: true):
            mostAtWork = .max
            return true
        case .stoppedAnswering, .wrongPixels, .wrongFile, .driverEnded(_, _, isRestarted: false):
            isRetired = true
            return false
        case let error?:
            successesSinceFailure = 0
            if error.mayBeLackOfMemory {
                // Another one has made room meanwhile.
                if mostAtWork < turn.mostAtWork { return true }
                if photosAtWork > 1 {
                    mostAtWork = photosAtWork / 2
                    return true
                }
            }
            guard turn.failureNumber == failureNumber else { return false }
            failureNumber += 1
            failures += 1
            if failures >= DevicePool.toleratedFailures { isRetired = true }
            return false
        }
    }

    private mutating func succeeded() {
        successesSinceFailure += 1
        if successesSinceFailure >= DevicePool.forgivingCount { failures = 0 }
        if mostAtWork < Int.max, successesSinceFailure % DevicePool.roomCount == 0 { mostAtWork += 1 }
    }
}
