import Filters
import Foundation
import Imaging
import Rendering

/// How work is cut for an OpenCL device. Any cut gives the same bytes, at another speed.
package struct DeviceTuning: Hashable, Codable, Sendable {
    /// Work-items that share a work-group.
    package var columns: Int
    package var rows: Int
    /// Pixels of a strip, about: enough to keep the device busy while the host works on the next.
    package var pixelsPerStrip: Int

    /// Where nobody has measured.
    init(groupLimit: Int) {
        let isLarge = groupLimit >= 128
        self.init(columns: isLarge ? 32 : groupLimit, rows: isLarge ? 4 : 1, pixelsPerStrip: 1 << 20)
    }

    init(columns: Int, rows: Int, pixelsPerStrip: Int) {
        self.columns = columns
        self.rows = rows
        self.pixelsPerStrip = pixelsPerStrip
    }

    /// Whether a device of at most `groupLimit` work-items a work-group can work with it.
    func isUsable(groupLimit: Int) -> Bool {
        columns > 0 && rows > 0 && columns <= groupLimit && rows <= groupLimit / columns
            && Self.strips.contains(pixelsPerStrip)
    }

    private static let strips = 1 << 12...1 << 26

    // MARK: On disk

    init?(_ bytes: [UInt8], groupLimit: Int) {
        guard let tuning = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
            tuning.isUsable(groupLimit: groupLimit)
        else { return nil }
        self = tuning
    }

    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? Array(encoder.encode(self))) ?? []
    }
}

/// Measures which tuning suits a device.
struct DeviceTuner {
    /// Work-groups to try, columns and rows.
    static let workGroups = [
        (1, 1), (4, 1), (16, 1), (64, 1), (256, 1), (32, 4), (32, 8), (16, 16), (8, 8), (64, 4),
    ]
    /// Sizes of strips to try, in pixels.
    static let strips = [17, 18, 19, 20, 21, 22].map { 1 << $0 }

    let device: OpenCLDevice
    /// Of the photo of noise that is measured with.
    var size = PhotoGeometry(width: 2048, height: 1536)
    var workGroups = Self.workGroups
    var strips = Self.strips
    /// Each is measured so often, and the best time counts: what disturbs only ever adds.
    var repetitions = 3
    /// What is better by less than this is not, so that a tie keeps what is usual.
    private let margin = 0.97

    /// Tries everything, and leaves the best with the device.
    ///
    /// - Throws: what the device reports; it then has its old tuning.
    func tune() throws -> DeviceTuning {
        let old = device.tuning
        do {
            var best = device.usualTuning
            best = try better(
                than: best,
                among: workGroups.map {
                    DeviceTuning(columns: $0.0, rows: $0.1, pixelsPerStrip: best.pixelsPerStrip)
                }, by: kernelTime)
            best = try better(
                than: best,
                among: strips.map {
                    DeviceTuning(columns: best.columns, rows: best.rows, pixelsPerStrip: $0)
                }, by: renderTime)
            device.tuning = best
            return best
        } catch {
            device.tuning = old
            throw error
        }
    }

    private func better(
        than usual: DeviceTuning, among candidates: [DeviceTuning], by time: () throws -> Double
    ) throws -> DeviceTuning {
        func measure(_ tuning: DeviceTuning) throws -> Double {
            device.tuning = tuning
            // The first one compiles.
            _ = try time()
            return try (0..<repetitions).map { _ in try time() }.min() ?? .infinity
        }
        var best = (tuning: usual, time: try measure(usual))
        for tuning in candidates where tuning != usual && tuning.isUsable(groupLimit: device.groupLimit) {
            let time = try measure(tuning)
            if time < best.time * margin { best = (tuning, time) }
        }
        return best.tuning
    }

    /// Seconds that the device spends in kernels: of points and of a blur, each with equal weight.
    private func kernelTime() throws -> Double {
        let points = try render(FilterChain([Sepia()])).kernels
        let blur = try render(FilterChain([TiltShift()])).kernels
        return (Double(points) * Double(blur)).squareRoot() / 1e9
    }

    /// Seconds that a photo takes, from memory to memory.
    private func renderTime() throws -> Double {
        let start = ContinuousClock.now
        _ = try render(FilterChain([Sepia()]))
        return start.duration(to: .now) / .seconds(1)
    }

    private func render(_ chain: FilterChain) throws -> DeviceTimings {
        let photo = MemoryPhoto(noise: size, layout: .yCbCr(.s420), seed: 1)
        let result = MemoryPhoto(size, layout: photo.layout)
        let plan = RenderPlan(chain, for: size, input: photo.layout, output: photo.layout)
        return try device.render(
            plan, from: photo.makeSource(), to: result.makeSink(), stripRows: nil, isCancelled: { false })
    }
}
