import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeCLI
@testable import TintypeCompute
@testable import TintypeRendering

/// What a run tells of what `auto` expected.
struct RunForecastTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "tintype-\(UUID().uuidString)")
    private let gpu = DeviceInfo(identifier: "0.0", kind: .gpu, name: "GPU", driver: "1", memoryByteCount: 0)

    /// A run of 100 photos of 10 megapixels in 20 s, on 4 processors.
    private func result(
        outputs: Int = 1, times: [PhotoPhase: Double] = [.device: 70], device: String = "0.0",
        failure: PhotoError? = nil
    ) throws -> (expected: Double, correction: Double?) {
        let store = try #require(SpeedStore(folder: folder))
        defer { try? FileManager.default.removeItem(at: folder) }
        store.keep(DeviceSpeeds(date: "2026-11-24", startupSeconds: 0, renders: []), of: gpu)
        var tally = RunTally()
        let photo = InputPhoto(
            .file(path: "a.jpg"), folder: "", name: "a.jpg", format: .jpeg, byteCount: 1,
            identity: .file(FileIdentity(device: 0, inode: 1)))
        let job = PhotoJob(photo: photo, output: .file(path: "b.jpg"))
        for index in 0..<100 * outputs {
            var report = FilterReport()
            (report.device, report.pixelCount) = (device, 10_000_000)
            if index == 0 {
                for (phase, seconds) in times { report.times.add(Int(seconds * 1e9), to: phase) }
            }
            tally.add(PhotoResult(job, status: .done, report))
        }
        if let failure { tally.add(PhotoResult(job, status: .failed(failure), FilterReport())) }
        let evidence = tally.evidence(seconds: 20, workerCount: 4, processorSeconds: 10, processorCount: 4)
        var forecast = Forecast(
            megapixelsPerSecond: 100, megapixelsPerSecondBefore: 10, startupSeconds: 0)
        forecast.device = gpu
        let result = RunForecast(
            forecast, tally, outputCount: outputs, evidence, seconds: 20, corrections: store)
        return (result.expectedSeconds, result.correction)
    }

    @Test func aRunThatTheDeviceBoundCorrects() throws {
        let (expected, correction) = try result()
        #expect(expected == 10 && correction == 0.75)
    }

    @Test func aPhotoCountsOnceHoweverManyOutputsItHas() throws {
        #expect(try result(outputs: 3).expected == 10)
    }

    @Test func whatTellsNothingCorrectsNothing() throws {
        // The disk, idle workers, the CPU that did the photos, and failures.
        #expect(try result(times: [.read: 70]).correction == nil)
        #expect(try result(times: [.device: 7]).correction == nil)
        #expect(try result(device: "cpu").correction == nil)
        #expect(try result(failure: .noDeviceLeft).correction == nil)
    }
}
