import Tintype

/// The result of a chain on the SIMD baseline, with which devices are compared before they are measured.
struct DeviceCheck {
    let plan: RenderPlan
    private let photo: MemoryPhoto
    private let expected: MemoryPhoto

    /// Where a device's samples differ from the baseline's.
    struct Difference: Error, CustomStringConvertible {
        let place: MemoryPhoto.Difference

        var description: String { "other bytes than the SIMD baseline, first in \(place)" }
    }

    /// - Parameter photo: `jpeg`, decoded.
    /// - Throws: `CodecError`.
    init(_ chain: FilterChain, jpeg: [UInt8], decoded photo: MemoryPhoto) throws {
        plan = try PhotoPass.withPath(jpeg, chain, PhotoPass.limits) { path in
            // A photo that is copied is read at a smaller size.
            path.isCopy
                ? RenderPlan([], for: photo.geometry, input: photo.layout, output: photo.layout) : path.plan
        }
        self.photo = photo
        expected = MemoryPhoto(plan.outputGeometry, layout: plan.output)
        try SIMDDevice(level: .baseline).render(
            plan, from: photo.makeSource(), to: expected.makeSink(), isCancelled: { false })
    }

    /// - Throws: `Difference`, or what the device throws.
    func run(on device: any Device, isCancelled: () -> Bool) throws {
        let result = MemoryPhoto(plan.outputGeometry, layout: plan.output)
        try device.render(plan, from: photo.makeSource(), to: result.makeSink(), isCancelled: isCancelled)
        if let place = result.firstDifference(from: expected) { throw Difference(place: place) }
    }

    static func decode(_ photo: BenchmarkPhoto) throws -> MemoryPhoto {
        let reader = try PhotoReader(bytes: photo.jpeg, limits: PhotoPass.limits)
        let decoded = MemoryPhoto(photo.geometry, layout: photo.layout)
        try reader.makeSource(layout: photo.layout).read(into: decoded.strip)
        return decoded
    }
}
