/// Devices that a run uses, and what the user should know about how they were chosen.
public struct DeviceSelection: Sendable {
    /// In the order in which they were asked for; never empty.
    public let devices: [any Device]
    /// One line each: a fallback that was taken, a device that was passed over.
    public let notes: [String]

    /// Finds what `--device` asks for.
    ///
    /// - Parameter requests: each `auto`, `gpu`, `cpu`, an index, `platform.device`, or part of a name; empty is `auto`.
    /// - Throws: `DeviceError.notFound`.
    public init(_ requests: [String]) throws(DeviceError) {
        throw .notFound(asked: requests.joined(separator: ", "), known: [])
    }

    /// Every device of this machine: OpenCL's in the order of `clinfo -l`, then SIMD.
    public static func all() -> [any Device] { [] }
}
