import Foundation
import Testing

@testable import TintypeRendering

/// Measured speeds, kept for later runs.
struct SpeedStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "tintype-\(UUID().uuidString)")

    private func info(_ name: String = "GPU", driver: String = "Platform 1.0") -> DeviceInfo {
        DeviceInfo(identifier: "0.0", kind: .gpu, name: name, driver: driver, memoryByteCount: 0)
    }

    private func speeds(_ date: String) -> DeviceSpeeds {
        DeviceSpeeds(
            date: date, startupSeconds: 0.5,
            renders: [.init(kind: .lens, megapixels: 12, deviceSeconds: 0.25, hostSeconds: 0.125)],
            codecs: [.init(megapixels: 12, hostSeconds: 0.75)])
    }

    @Test func speedsComeBackForTheSameDeviceAndDriver() throws {
        let store = try #require(SpeedStore(folder: folder))
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(store.reading(of: info()) == .none)
        #expect(store.keep(speeds("2026-11-23"), of: info()))
        let later = try #require(SpeedStore(folder: folder))
        #expect(later.reading(of: info()) == .current(speeds("2026-11-23")))
        #expect(later.reading(of: info("Other")) == .none)
        #expect(later.keep(speeds("2026-11-24"), of: info()))
        #expect(store.reading(of: info()) == .current(speeds("2026-11-24")))
    }

    @Test func anotherDriverMakesThemOutdated() throws {
        let store = try #require(SpeedStore(folder: folder))
        defer { try? FileManager.default.removeItem(at: folder) }
        store.keep(speeds("2026-11-23"), of: info())
        #expect(store.reading(of: info(driver: "Platform 2.0")) == .outdated(date: "2026-11-23"))
        // One GPU under two platforms: both stay.
        store.keep(speeds("2026-11-24"), of: info(driver: "Other platform 1.0"))
        #expect(store.reading(of: info()) == .current(speeds("2026-11-23")))
        for version in 1...20 { store.keep(speeds("2026-11-25"), of: info(driver: "Platform 3.\(version)")) }
        #expect(store.reading(of: info()) == .outdated(date: "2026-11-25"))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        // The speeds, and the GPU's name.
        #expect(files.count == 2)
    }

    @Test func theLastGPUIsRemembered() throws {
        let store = try #require(SpeedStore(folder: folder))
        defer { try? FileManager.default.removeItem(at: folder) }
        let cpu = DeviceInfo(identifier: "cpu", kind: .simd, name: "AVX2", driver: "", memoryByteCount: 0)
        store.keep(speeds("2026-11-23"), of: cpu)
        #expect(store.lastGPU == nil)
        store.keep(speeds("2026-11-23"), of: info("First"))
        store.keep(speeds("2026-11-23"), of: info("Second"))
        #expect(try #require(SpeedStore(folder: folder)).lastGPU == "Second")
    }

    @Test func aCorrectionIsKeptWithThem() throws {
        let store = try #require(SpeedStore(folder: folder))
        defer { try? FileManager.default.removeItem(at: folder) }
        let day = 86_400.0
        #expect(store.correct(info(), by: 0.5, now: day) == nil)
        store.keep(speeds("2026-11-23"), of: info())
        store.keep(speeds("2026-11-23"), of: info("Other"))
        #expect(store.correct(info(), by: 0.5, now: day) == 0.75)
        #expect(store.correct(info(), by: 1, now: day) == 0.75)
        #expect(store.correct(info(), by: 0, now: day) == 0.5)
        for _ in 0..<9 { _ = store.correct(info(), by: 100, now: day) }
        var expected = speeds("2026-11-23")
        expected.correction = .init(share: 1.5, time: day)
        #expect(store.reading(of: info()) == .current(expected))
        #expect(expected.expectedShare(at: 20 * day) == 1.5 && expected.expectedShare(at: 40 * day) == 1)
        // It is not the one that was measured last.
        #expect(store.lastGPU == "Other")
    }

    @Test func otherKernelsMakeThemOutdated() throws {
        let store = try #require(SpeedStore(folder: folder))
        defer { try? FileManager.default.removeItem(at: folder) }
        // What an earlier Tintype wrote.
        let text = """
            [{"driver":"Platform 1.0","kernels":"0","speeds":{"codecs":[],"date":"2025-01-01","renders":[],\
            "startupSeconds":1}}]
            """
        let cache = try #require(DeviceCache(folder: folder))
        cache.store(Array(text.utf8), .speeds, for: [Processor.name, "gpu", "GPU"].joined(separator: "\0"))
        #expect(store.reading(of: info()) == .outdated(date: "2025-01-01"))
        cache.store(Array("[".utf8), .speeds, for: [Processor.name, "gpu", "GPU"].joined(separator: "\0"))
        #expect(store.reading(of: info()) == .none)
    }
}
