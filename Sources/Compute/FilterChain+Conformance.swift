import TintypeFilters
import TintypeRendering

extension FilterChain {
    /// Compares the chain's bytes on every device of this machine, and on every instruction-set level of its CPU, with
    /// those of the lowest level: in every pixel layout, at awkward sizes, in strips of several heights.
    ///
    /// It is for tests of filters in other packages. OpenCL compiles for each layout, which may take a minute.
    ///
    /// - Returns: a line for each device whose bytes differ, or that fails, with the first such case. Empty if all are
    ///   equal.
    /// - Throws: `DeviceError` if the lowest level cannot run the chain.
    public func differencesOfDevices() throws -> [String] {
        let run = ConformanceRun(ConformanceRun.allDevices, self)
        return try run.outcomes(progress: { _ in }).compactMap { outcome in
            outcome.difference.map { "\(outcome.device.name): \($0)" }
        }
    }
}
