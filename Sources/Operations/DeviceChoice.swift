import Compute
import Filters
import Locking

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

extension DevicePool {
    /// Finds devices, and tests each on the filters' kernels.
    ///
    /// - Throws: `DeviceError` if no device matches, or a device that was requested by name fails its test.
    public convenience init(_ choice: DeviceChoice = .automatic, for filters: [any Filter] = []) throws {
        let found = try DeviceRoster([choice.request], for: FilterChain(filters), policy: nil).pool
        self.init(found.devices, fallback: found.fallback)
    }

    private static let pools = Locked<[DeviceChoice: DevicePool]>([:])

    /// The process's pool for a choice, made once. A device is tested again before a photo that needs other
    /// kernels.
    static func shared(_ choice: DeviceChoice) throws -> DevicePool {
        try pools.withLock { pools in
            if let pool = pools[choice] { return pool }
            let pool = try DevicePool(choice)
            pools[choice] = pool
            return pool
        }
    }
}
