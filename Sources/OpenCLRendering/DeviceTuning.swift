import Foundation
import TintypeImaging
import TintypeRendering
import TintypeStages

/// How work is divided for an OpenCL device. It changes the speed, never the bytes.
package struct DeviceTuning: Hashable, Codable, Sendable {
    /// Width of a work-group in work-items.
    package var columns: Int
    package var rows: Int
    /// Approximate pixels of a strip: enough to keep the device busy while the host works on the next one.
    package var pixelsPerStrip: Int

    /// The tuning of a device that was not measured.
    init(groupLimit: Int) {
        let isLarge = groupLimit >= 128
        self.init(columns: isLarge ? 32 : groupLimit, rows: isLarge ? 4 : 1, pixelsPerStrip: 1 << 20)
    }

    init(columns: Int, rows: Int, pixelsPerStrip: Int) {
        self.columns = columns
        self.rows = rows
        self.pixelsPerStrip = pixelsPerStrip
    }

    var summary: String {
        let size = String(format: "%.1f MP", Double(pixelsPerStrip) / 1e6)
        return "work-groups of \(columns) x \(rows), strips of about \(size)"
    }

    /// Whether a device works with it whose work-groups have at most `groupLimit` work-items.
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

/// Measures which tuning is fastest on a device.
struct DeviceTuner {
    /// Work-groups to try: columns and rows.
    static let workGroups = [
        (1, 1), (4, 1), (16, 1), (64, 1), (256, 1), (32, 4), (32, 8), (16, 16), (8, 8), (64, 4),
    ]
    /// Strip sizes to try, in pixels.
    static let strips = [17, 18, 19, 20, 21, 22].map { 1 << $0 }

    let device: OpenCLDevice
    /// The size of the photo of noise that is used for measuring.
    var size = PhotoGeometry(width: 2048, height: 1536)
    var workGroups = Self.workGroups
    var strips = Self.strips
    /// Measurements of each setting. The minimum counts, because disturbances only add time.
    var repetitions = 3
    /// Only a setting that takes less than this share of the best time replaces it, so that ties keep the
    /// default.
    private let margin = 0.97

    /// What is rendered again and again, and room for its result: making noise may take longer than filtering it.
    private struct Photos {
        let noise: MemoryPhoto
        let result: MemoryPhoto

        init(_ size: PhotoGeometry) {
            noise = MemoryPhoto(noise: size, layout: .yCbCr(.s420), seed: 1)
            result = MemoryPhoto(size, layout: noise.layout)
        }
    }

    /// Tries all settings, and sets the fastest on the device.
    ///
    /// - Throws: what the device reports. The device then has its previous tuning.
    func tune() throws -> DeviceTuning {
        let old = device.tuning, photos = Photos(size)
        do {
            var best = device.usualTuning
            best = try better(
                than: best,
                among: workGroups.map {
                    DeviceTuning(columns: $0.0, rows: $0.1, pixelsPerStrip: best.pixelsPerStrip)
                }, by: { try kernelTime(photos) })
            best = try better(
                than: best,
                among: strips.map {
                    DeviceTuning(columns: best.columns, rows: best.rows, pixelsPerStrip: $0)
                }, by: { try renderTime(photos) })
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
            // The first call compiles.
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

    /// Seconds that the device spends in kernels: point stages and a blur, with equal weights.
    private func kernelTime(_ photos: Photos) throws -> Double {
        let points = try render(Self.point, photos, profiles: true)?.kernels ?? 0
        let blur = try render(blur, photos, profiles: true)?.kernels ?? 0
        return (Double(points) * Double(blur)).squareRoot() / 1e9
    }

    /// Seconds for a photo, from memory to memory.
    private func renderTime(_ photos: Photos) throws -> Double {
        let start = ContinuousClock.now
        _ = try render(Self.point, photos, profiles: false)
        return start.duration(to: .now) / .seconds(1)
    }

    /// A point stage that needs all channels.
    private static let point = Stage.point(
        PointStage("sepia", ["intensity": .value(0.8)], colourEffect: .makesColour))

    /// A blur that grows from a sharp band in the middle towards both ends, as a tilt-shift's. Its parts have several
    /// downsampling factors.
    private var blur: Stage? {
        let middle = Double(size.height) / 2
        let sigmas = (0..<size.height).map { row in
            let distance = abs(Double(row) + 0.5 - middle) / middle
            return 0.007 * Double(size.height) * min(max(2 * distance - 0.4, 0), 1)
        }
        return MaskedBlur(sigmas: sigmas, axis: .rows).map { .blur($0) }
    }

    private func render(_ stage: Stage?, _ photos: Photos, profiles: Bool) throws -> DeviceTimings? {
        let photo = photos.noise
        let plan = RenderPlan(
            stage.map { [$0] } ?? [], for: photo.geometry, input: photo.layout, output: photo.layout)
        return try device.render(
            plan, from: photo.makeSource(), to: photos.result.makeSink(), stripRows: nil, profiles: profiles,
            isCancelled: { false })
    }
}
