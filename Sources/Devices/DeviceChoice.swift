import Foundation
import TintypeCompute
import TintypeFilters
import TintypeLocking

/// The devices that filter photos.
public enum DeviceChoice: Hashable, Sendable {
    /// What `tintype devices --tune` found to be fastest for many photos of 12 megapixels; where it did not run, the GPUs
    /// that OpenCL offers. The CPU if there is none or one fails.
    case automatic
    /// The CPU with its widest SIMD instructions.
    case cpu
    /// The GPUs only.
    case gpu
    /// An index from `tintype devices`, an identifier, or a part of a device's name.
    case named(String)

    /// The corresponding argument of `--device`.
    public var request: String {
        switch self {
        case .automatic: "auto"
        case .cpu: "cpu"
        case .gpu: "gpu"
        case .named(let name): name
        }
    }
}

/// The devices that `filtered(by:on:)` works on: a `DeviceChoice`, whose devices start at its first use in the process, or
/// a `DevicePool`.
public protocol DeviceSource: Sendable {
    /// The devices, started and tested.
    ///
    /// - Throws: `DeviceError` if no device matches.
    func makePool() async throws -> DevicePool
}

extension DeviceChoice: DeviceSource {
    public func makePool() async throws -> DevicePool { try await .shared(self) }
}

extension DevicePool: DeviceSource {
    /// The pool itself.
    public func makePool() -> DevicePool { self }
}

// For `on: .cpu`. Where the type is `DeviceChoice` itself, its cases are preferred.
extension DeviceSource where Self == DeviceChoice {
    /// See `DeviceChoice.automatic`.
    @_disfavoredOverload public static var automatic: DeviceChoice { DeviceChoice.automatic }
    /// See `DeviceChoice.cpu`.
    @_disfavoredOverload public static var cpu: DeviceChoice { DeviceChoice.cpu }
    /// See `DeviceChoice.gpu`.
    @_disfavoredOverload public static var gpu: DeviceChoice { DeviceChoice.gpu }
    /// See `DeviceChoice.named(_:)`.
    @_disfavoredOverload public static func named(_ name: String) -> DeviceChoice { DeviceChoice.named(name) }
}

extension DevicePool {
    /// Finds devices, and tests each on the filters' kernels. Blocks the calling thread meanwhile, for seconds if a
    /// GPU starts: `make` does not.
    ///
    /// - Throws: `DeviceError` if no device matches, or a device that was requested by name fails its test.
    public convenience init(_ choice: DeviceChoice = .automatic, for filters: [any Filter] = []) throws {
        let found = try DeviceRoster([choice.request], for: FilterChain(filters), policy: nil).pool
        self.init(found.devices, fallback: found.fallback)
    }

    /// Finds devices, and tests each on the filters' kernels, on a thread of its own.
    ///
    /// - Throws: `DeviceError` if no device matches, or a device that was requested by name fails its test.
    public static func make(
        _ choice: DeviceChoice = .automatic, for filters: [any Filter] = []
    ) async throws -> DevicePool {
        try await withCheckedThrowingContinuation { continuation in
            // Not a thread of Swift's tasks or of Dispatch: there are few, and drivers may block this one.
            Thread.detachNewThread {
                continuation.resume(with: Result { try DevicePool(choice, for: filters) })
            }
        }
    }

    private static let pools = Locked<[DeviceChoice: Task<DevicePool, any Error>]>([:])

    /// The process's pool for a choice, made once. A device is tested again before a photo that needs other
    /// kernels.
    package static func shared(_ choice: DeviceChoice) async throws -> DevicePool {
        let making = pools.withLock { pools in
            if let making = pools[choice] { return making }
            let making = Task { try await make(choice) }
            pools[choice] = making
            return making
        }
        do {
            return try await making.value
        } catch {
            // Another time, the device may be there.
            pools.withLock { if $0[choice] == making { $0[choice] = nil } }
            throw error
        }
    }
}
