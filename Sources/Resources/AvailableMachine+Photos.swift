extension AvailableMachine {
    /// Memory of the tool without photos: 10 MiB measured, doubled.
    static let toolByteCount = 20 << 20
    /// Memory of OpenCL's drivers, in a process of their own or not: PoCL takes 110 MiB while it compiles kernels.
    static let driversByteCount = 128 << 20
    /// Small containers give photos so much, if they have it. Chosen so that a progressive photo of 12 megapixels fits.
    private static let photosInSmallContainers = 48 << 20

    /// Whether there is memory for OpenCL's drivers beside photos.
    public var fitsDrivers: Bool {
        memoryByteCount >= Self.toolByteCount + Self.driversByteCount + Self.photosInSmallContainers
    }

    /// The memory that all photos at work may take together: half of this machine's, but no more than the tool itself
    /// leaves of it.
    ///
    /// - Parameter withDrivers: whether OpenCL's drivers are loaded, too.
    /// - Throws: `ProcessLimitError.machineMemory` if that is too little for a photo.
    public func photoByteCount(withDrivers: Bool) throws(ProcessLimitError) -> Int {
        let own = Self.toolByteCount + (withDrivers ? Self.driversByteCount : 0)
        let left = memoryByteCount - own
        guard left >= MemoryBudget.leastByteCount else {
            throw .machineMemory(
                available: memoryByteCount, least: own + MemoryBudget.leastByteCount,
                withDrivers: withDrivers)
        }
        return min(left, max(memoryByteCount / 2, Self.photosInSmallContainers))
    }
}
