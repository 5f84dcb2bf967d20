import Foundation
import Testing
import TintypeFilters
import TintypeImaging

@testable import TintypeCPURendering
@testable import TintypeCompute
@testable import TintypeOpenCLRendering
@testable import TintypeRendering

struct DeviceTuningTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "tintype-\(UUID().uuidString)")

    private func makeDevices() throws -> [OpenCLDevice] {
        try #require(!OpenCLRuntime.shared.devices.isEmpty, "no OpenCL device: install pocl-opencl-icd")
        return [
            try #require(OpenCLRuntime.shared.makeDevices().first),
            try #require(OpenCLRuntime.shared.makeDevices(asGPUs: true).first),
        ]
    }

    @Test func anyTuningGivesTheSameBytes() throws {
        let photo = MemoryPhoto(noise: PhotoGeometry(width: 301, height: 123), layout: .yCbCr(.s420), seed: 8)
        let plan = RenderPlan(
            FilterChain([Sepia()]), for: photo.geometry, input: photo.layout, output: photo.layout)
        let expected = try SIMDDevice().render(plan, photo).samples
        for device in try makeDevices() {
            for (columns, rows, pixels) in [
                (1, 1, 1 << 12), (3, 5, 9999), (16, 16, 1 << 20), (1, 7, 1 << 26),
            ] {
                device.tuning = DeviceTuning(columns: columns, rows: rows, pixelsPerStrip: pixels)
                #expect(try device.render(plan, photo).samples == expected, "\(columns)x\(rows), \(pixels)")
            }
        }
    }

    @Test func whatWasMeasuredIsOneOfTheCandidatesAndComesBackInTheNextRun() throws {
        let cache = try #require(DeviceCache(folder: folder))
        defer { try? FileManager.default.removeItem(at: folder) }
        for (device, later) in try zip(makeDevices(), makeDevices()) {
            let usual = device.usualTuning
            let tuning = try DeviceTuner(
                device: device, size: PhotoGeometry(width: 256, height: 128),
                workGroups: [(4, 2), (1 << 20, 1)],
                strips: [1 << 13], repetitions: 1
            ).tune()
            #expect(device.tuning == tuning)
            #expect([[usual.columns, usual.rows], [4, 2]].contains([tuning.columns, tuning.rows]))
            #expect([usual.pixelsPerStrip, 1 << 13].contains(tuning.pixelsPerStrip))

            device.tuning = DeviceTuning(columns: 2, rows: 3, pixelsPerStrip: 54_321)
            #expect(device.keepTuning(in: cache))
            later.readTuning(from: cache)
            #expect(later.tuning == device.tuning)
        }
        // One file a kind of device: what suits a CPU's kernels does not suit a GPU's.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }

    @Test func aTuningThatTheDeviceCannotUseIsIgnored() throws {
        for text in [
            "", "{}", "null", #"{"columns":0,"rows":1,"pixelsPerStrip":65536}"#,
            #"{"columns":-4,"rows":-4,"pixelsPerStrip":65536}"#,
            #"{"columns":64,"rows":2,"pixelsPerStrip":65536}"#,
            #"{"columns":4611686018427387904,"rows":4,"pixelsPerStrip":65536}"#,
            #"{"columns":8,"rows":8,"pixelsPerStrip":0}"#,
            #"{"columns":8,"rows":8,"pixelsPerStrip":9223372036854775807}"#,
        ] {
            #expect(DeviceTuning(Array(text.utf8), groupLimit: 64) == nil, "\(text)")
        }
        let good = DeviceTuning(columns: 8, rows: 8, pixelsPerStrip: 65_536)
        #expect(DeviceTuning(good.bytes, groupLimit: 64) == good)
    }

    @Test func aDamagedOrMissingCacheLeavesTheUsualTuning() throws {
        let cache = try #require(DeviceCache(folder: folder))
        defer { try? FileManager.default.removeItem(at: folder) }
        let device = try makeDevices()[0], later = try makeDevices()[0]
        let usual = later.tuning
        later.readTuning(from: cache)
        #expect(later.tuning == usual)
        device.tuning = DeviceTuning(columns: 2, rows: 3, pixelsPerStrip: 54_321)
        #expect(device.keepTuning(in: cache))
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        let file = folder.appendingPathComponent(name)
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count - 3] ^= 1
        try bytes.write(to: file)
        later.readTuning(from: cache)
        #expect(later.tuning == usual)
    }
}
