import Tintype

/// The result of a chain on the SIMD baseline, with which devices are compared before they are measured.
struct DeviceCheck {
    let plan: RenderPlan
    private let chain: FilterChain
    private let jpeg: [UInt8]
    private let photo: MemoryPhoto
    private let expected: MemoryPhoto

    /// Where a device's result differs from the baseline's.
    enum Difference: Error, CustomStringConvertible {
        case samples(MemoryPhoto.Difference)
        /// The first byte of the file.
        case file(byte: Int)

        var description: String {
            let place =
                switch self {
                case .samples(let place): "\(place)"
                case .file(let byte): "byte \(byte) of the file"
                }
            return "other bytes than the SIMD baseline, first in \(place)"
        }
    }

    /// - Parameter photo: `jpeg`, decoded.
    /// - Throws: `CodecError`.
    init(_ chain: FilterChain, jpeg: [UInt8], decoded photo: MemoryPhoto) throws {
        plan = try PhotoPass.withPath(jpeg, chain, PhotoPass.limits) { path in
            // A photo that is copied is read at a smaller size.
            path.isCopy
                ? RenderPlan([], for: photo.geometry, input: photo.layout, output: photo.layout) : path.plan
        }
        self.chain = chain
        self.jpeg = jpeg
        self.photo = photo
        expected = MemoryPhoto(plan.outputGeometry, layout: plan.output)
        try SIMDDevice(level: .baseline).render(
            plan, from: photo.makeSource(), to: expected.makeSink(), isCancelled: { false })
    }

    /// - Throws: `Difference`, or what the device throws.
    func run(on device: any Device, isCancelled: () -> Bool) throws {
        let result = MemoryPhoto(plan.outputGeometry, layout: plan.output)
        try device.render(plan, from: photo.makeSource(), to: result.makeSink(), isCancelled: isCancelled)
        if let place = result.firstDifference(from: expected) { throw Difference.samples(place) }
        guard device.abilities.coding != nil else { return }
        let file = try file(on: device, isCancelled)
        let wanted = try self.file(on: SIMDDevice(level: .baseline), isCancelled)
        guard file != wanted else { return }
        let common = zip(file, wanted).prefix { $0 == $1 }.count
        throw Difference.file(byte: common)
    }

    /// The JPEG that a device makes, if it encodes it.
    private func file(on device: any Device, _ isCancelled: () -> Bool) throws -> [UInt8] {
        let file = try MemoryFile()
        _ = try PhotoPass(jpeg: jpeg, chain: chain, device: device)
            .run(into: file, isCancelled: isCancelled)
        return file.bytes()
    }

    static func decode(_ photo: BenchmarkPhoto) throws -> MemoryPhoto {
        let reader = try PhotoReader(bytes: photo.jpeg, limits: PhotoPass.limits)
        let decoded = MemoryPhoto(photo.geometry, layout: photo.layout)
        try reader.makeSource(layout: photo.layout).read(into: decoded.strip)
        return decoded
    }
}
