import Compute
import Filters
import Locking

/// Which devices filter photos.
public enum DeviceChoice: Hashable, Sendable {
    /// The GPUs that OpenCL offers, and the CPU where there is none or one fails.
    case automatic
    /// The CPU with its widest SIMD instructions.
    case cpu
    /// The GPUs only.
    case gpu
    /// An index from `tintype devices`, an identifier, or a part of a device's name.
    case named(String)

    /// What `--device` takes for it.
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
    /// Finds devices, and has each prove itself on the filters' kernels.
    ///
    /// - Throws: `DeviceError` where nothing matches, or a device that was asked for fails its test.
    public convenience init(_ choice: DeviceChoice = .automatic, for filters: [any Filter] = []) throws {
        let found = try DeviceRoster([choice.request], for: FilterChain(filters), policy: nil).pool
        self.init(found.devices, fallback: found.fallback)
    }

    private static let pools = Locked<[DeviceChoice: DevicePool]>([:])

    /// The process's pool for a choice: devices are looked for once. Before a photo that needs other kernels, a
    /// device proves itself again.
    static func shared(_ choice: DeviceChoice) throws -> DevicePool {
        try pools.withLock { pools in
            if let pool = pools[choice] { return pool }
            let pool = try DevicePool(choice)
            pools[choice] = pool
            return pool
        }
    }
}
