import Foundation
import Tintype

/// Measures what `auto` decides by: the cost of photos on a device, by kind of pass and size.
///
/// Several photos are rendered at once, from memory to memory, as a run's workers do.
package struct SpeedMeasurement {
    private static let halving: Resize = {
        var resize = Resize()
        resize.scale = 0.5
        return resize
    }()

    /// A chain for each kind of pass.
    private static let chains: [(kind: PassKind, chain: FilterChain)] = [
        (.points, FilterChain([Sepia()])), (.blur, FilterChain([Blur()])),
        (.lens, FilterChain([TiltShift()])),
        (.resize, FilterChain([halving])), (.window, FilterChain([Median()])),
    ]

    /// Megapixels of the photos.
    var sizes = [0.5, 3, 12]
    /// No size is measured at which a photo is expected to take longer.
    var patience = 3.0
    /// How long a measurement lasts, apart from the first photo.
    var seconds = 0.3
    /// Photos on a device at once: enough to keep it busy.
    private static let mostOnDevice = 16
    private let workerCount = AvailableMachine.current.processorCount

    package init() {}

    /// The cost of all kinds of passes.
    ///
    /// - Throws: `DeviceError`.
    package func renders(on device: any Device) throws -> [DeviceSpeeds.Render] {
        var renders: [DeviceSpeeds.Render] = []
        for (kind, chain) in Self.chains {
            var pace = 0.0
            for size in sizes where pace * size <= patience || size == sizes[0] {
                let render = try render(kind, chain, size, device)
                pace = max(render.deviceSeconds, render.hostSeconds) / size
                renders.append(render)
            }
        }
        return renders
    }

    private func render(
        _ kind: PassKind, _ chain: FilterChain, _ megapixels: Double, _ device: any Device
    ) throws -> DeviceSpeeds.Render {
        let geometry = BenchmarkPhoto.geometry(megapixels: megapixels)
        let photo = MemoryPhoto(noise: geometry, layout: .yCbCr(.s420), seed: 1)
        let plan = RenderPlan(chain, for: geometry, input: photo.layout, output: photo.layout)
        let shared = SharedPhoto(photo), isHost = device.info.kind == .simd
        let cost = try cost(isHost ? workerCount : min(workerCount, Self.mostOnDevice)) { _ in
            try device.render(
                plan, from: shared.photo.makeSource(), to: DiscardingSink(layout: plan.output),
                isCancelled: { false })
        }
        return .init(
            kind: kind, megapixels: Double(geometry.pixelCount) / 1e6,
            deviceSeconds: isHost ? 0 : cost.elapsed, hostSeconds: cost.host)
    }

    /// The cost of decoding and encoding photos.
    ///
    /// - Throws: `CodecError`, `BenchmarkError`.
    package func codecs() throws -> [DeviceSpeeds.Codec] {
        try sizes.map { size in
            let photo = try BenchmarkPhoto(megapixels: size)
            let files = try files(for: photo, count: workerCount)
            let cost = try cost(workerCount) { try CodecFloor.core.run(photo, into: files[$0]) }
            return .init(megapixels: photo.megapixels, hostSeconds: cost.host)
        }
    }

    /// The cost of photos that a device decodes and encodes itself, with a point function between.
    ///
    /// - Returns: empty for a device that does not.
    /// - Throws: `CodecError`, `DeviceError`, `BenchmarkError`.
    package func codedPhotos(on device: any Device) throws -> [DeviceSpeeds.Codec] {
        guard device.abilities.coding != nil else { return [] }
        let workers = min(workerCount, Self.mostOnDevice)
        var costs: [DeviceSpeeds.Codec] = [], pace = 0.0
        for size in sizes where pace * size <= patience || size == sizes[0] {
            let photo = try BenchmarkPhoto(megapixels: size)
            let pass = PhotoPass(jpeg: photo.jpeg, chain: FilterChain([Sepia()]), device: device)
            guard try pass.isCodedOnDevice() else { return [] }
            let files = try files(for: photo, count: workers)
            let cost = try cost(workers) { worker in
                _ = try pass.run(into: files[worker], isCancelled: { false })
            }
            pace = cost.elapsed / size
            costs.append(
                .init(
                    megapixels: photo.megapixels, hostSeconds: cost.host, deviceSeconds: cost.elapsed))
        }
        return costs
    }

    /// For each worker a file that it writes to.
    private func files(for photo: BenchmarkPhoto, count: Int) throws -> [MemoryFile] {
        try (0..<count).map { _ in try MemoryFile(capacity: CodecFloor.capacity(for: photo)) }
    }

    /// Seconds of one photo, of elapsed time and of the processors' clocks, while all workers are busy.
    private func cost(
        _ workerCount: Int, _ body: @escaping @Sendable (_ worker: Int) throws -> Void
    ) throws -> (elapsed: Double, host: Double) {
        // The first photo compiles, and tells how many to measure.
        try body(0)
        let one = try ContinuousClock().measure { try body(0) } / .seconds(1)
        let repeats = min(max(1, Int(seconds / max(one, 1e-4))), 200)
        let before = Self.processorSeconds
        let elapsed = try Workers.run(workerCount) { worker in for _ in 0..<repeats { try body(worker) } }
        let count = Double(workerCount * repeats)
        return (elapsed / count, (Self.processorSeconds - before) / count)
    }

    /// Of all threads of this process, drivers' too.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// A photo in memory, for several threads.
// @unchecked: it is only read.
private final class SharedPhoto: @unchecked Sendable {
    let photo: MemoryPhoto

    init(_ photo: MemoryPhoto) { self.photo = photo }
}

/// The result is not needed, and would take much memory with many workers.
private final class DiscardingSink: StripSink {
    let layout: PixelLayout

    init(layout: PixelLayout) { self.layout = layout }

    func write(_ strip: Strip) {}
}
