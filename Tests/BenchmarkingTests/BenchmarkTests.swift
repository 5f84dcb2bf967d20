import CodedDevice
import Foundation
import Synchronization
import Testing
@testable import TintypeBenchmarking
import TintypeCompute
import TintypeImaging

struct BenchmarkTests {
    private func measure(
        _ devices: [any Device], _ chains: [String] = ["sepia"], sizes: [Double] = [0.1],
        hooks: Benchmark.Hooks = .init(), rounds: Int = 1
    ) throws -> BenchmarkReport {
        var settings = BenchmarkSettings(
            devices: devices, chains: try chains.map(BenchmarkChain.init),
            photos: try sizes.map(BenchmarkPhoto.init))
        settings.rounds = rounds
        settings.isQuick = true
        let benchmark = try Benchmark(settings, hooks: hooks)
        try benchmark.run()
        return benchmark.report(version: "1", commit: "abc", date: "today", machine: .current)
    }

    @Test func aDeviceWithOneWrongByteIsFlaggedAndLeftOut() throws {
        let wrong = AlteringDevice("wrong") { strip in
            // The last sample of the last plane changes by one step.
            let plane = strip.planes[2]
            plane.row(136).assumingMemoryBound(to: UInt8.self)[plane.width - 1] ^= 1
        }
        let report = try measure([SIMDDevice(), wrong])
        #expect(report.photos[0].height == 274)
        #expect(report.devices.map(\.status) == [.ok, .wrong])
        #expect(report.devices[1].error?.contains("plane 2, row 136, byte 182") == true)
        #expect(report.devices[1].checkedCount == 0)
        #expect(Set(report.results.map(\.device)) == ["cpu"])
        #expect(report.breakEvens.isEmpty)
        #expect(!report.areDevicesSound)
    }

    @Test func aDeviceThatCodesIsMeasuredAsItIsUsed() throws {
        let device = CodedDevice()
        let report = try measure([SIMDDevice(), device])
        #expect(report.devices.map(\.status) == [.ok, .ok])
        #expect(Set(report.results.map(\.device)) == ["cpu", "coded"])
        let made = device.made
        #expect(made.decoded > 1 && made.encoded == made.decoded)
        // Only the check of samples took strips.
        #expect(made.photos == made.decoded + 1)
    }

    @Test func aDeviceThatEncodesOtherBytesIsFlagged() throws {
        let report = try measure([CodedDevice { _ in .otherBytes }, SIMDDevice()])
        #expect(report.devices.map(\.status) == [.wrong, .ok])
        #expect(report.devices[0].error?.contains("of the file") == true)
    }

    @Test func aDeviceThatDropsRowsIsFlagged() throws {
        let report = try measure([AlteringDevice("short") { $0.rowCount = 256 }])
        #expect(report.devices[0].status == .wrong)
        #expect(report.results.isEmpty)
    }

    @Test func aDeviceThatFailsIsNamedAndTheOthersGoOn() throws {
        let failing = AlteringDevice("failing") { _ in
            throw DeviceError.callFailed(call: "clFlush", code: -5, device: "Test")
        }
        let report = try measure([failing, SIMDDevice()])
        #expect(report.devices.map(\.status) == [.failed, .ok])
        #expect(report.devices[0].error?.contains("clFlush") == true)
        #expect(!report.areDevicesSound)
        #expect(report.results.count == 1)
    }

    @Test func aChainThatChangesNothingTakesNoTimeInKernels() throws {
        let devices = DeviceSelection.all().devices
        let openCL = try #require(
            devices.first { $0.info.kind != .simd }, "no OpenCL device: install pocl-opencl-icd")
        let report = try measure([openCL], ["sepia:intensity=0"])
        let result = try #require(report.results.first)
        #expect(report.devices[0].status == .ok)
        #expect(result.kernelMegapixelsPerSecond == nil && result.kernelGigabytesPerSecond == nil)
        #expect(result.shareOfCopyBandwidth == nil && result.megapixelsPerSecond.median > 0)
        // JSON cannot express infinity.
        #expect(try JSONDecoder().decode(BenchmarkReport.self, from: JSONEncoder().encode(report)) == report)
        #expect(report.text(width: 100).contains("sepia:intensity=0"))
    }

    @Test func everyCaseIsMeasured() throws {
        let fine = AlteringDevice("fine")
        let report = try measure(
            [SIMDDevice(level: .baseline), fine], ["sepia", "noir"], sizes: [0.1, 0.2], rounds: 2)
        #expect(report.areDevicesSound)
        #expect(report.isComplete)
        #expect(report.results.count == 8)
        #expect(report.devices.allSatisfy { $0.checkedCount == 4 })
        #expect(report.floors.count == 2 * CodecFloor.allCases.count)
        #expect(report.breakEvens.map(\.chain) == ["sepia", "noir"])
        for result in report.results {
            #expect(result.megapixelsPerSecond.count == 2)
            #expect(try #require(result.shareOfFloor).count == 2)
            let split = result.split
            let parts = split.decodeSeconds.median + split.encodeSeconds.median
            #expect(parts < split.totalSeconds.high * 2)
            #expect(split.kernelSeconds.low > 0)
        }
    }

    @Test func everyWorkerHasHadAPhotoBeforeTheFirstRound() throws {
        let counter = RenderCounter()
        let device = AlteringDevice("counted") { _ in counter.count.wrappingAdd(1, ordering: .relaxed) }
        var before: Int?
        var hooks = Benchmark.Hooks()
        hooks.progress = { activity, _ in
            guard activity.hasPrefix("round 1"), before == nil else { return }
            before = counter.count.load(ordering: .relaxed)
        }
        let report = try measure([device], hooks: hooks)
        // One photo was compared with the CPU's.
        #expect(before == 1 + report.jobs)
        #expect(report.results.count == 1)
    }

    @Test func aStoppedBenchmarkReportsItsMeasurements() throws {
        // The run stops when the second round begins, after everything was measured once.
        let flag = StopFlag()
        var hooks = Benchmark.Hooks()
        hooks.progress = { activity, _ in if activity.hasPrefix("round 2") { flag.raise() } }
        hooks.isCancelled = { flag.isRaised }
        let report = try measure([SIMDDevice()], ["sepia", "noir"], hooks: hooks, rounds: 3)
        #expect(report.rounds == 2)
        #expect(report.results.count == 2)
        #expect(report.results.allSatisfy { $0.megapixelsPerSecond.count == 1 })
    }

    @Test func aBenchmarkStoppedAtOnceChecksNothing() throws {
        var hooks = Benchmark.Hooks()
        hooks.isCancelled = { true }
        let report = try measure([SIMDDevice()], hooks: hooks)
        #expect(report.devices.map(\.status) == [.unchecked])
        #expect(report.results.isEmpty)
        #expect(!report.isComplete)
    }

    @Test func onlyOpenCLDevicesHaveAColdStart() throws {
        var hooks = Benchmark.Hooks()
        hooks.startup = { _, _ in (cold: 2, warm: 1) }
        let report = try measure([SIMDDevice(), AlteringDevice("fine")], hooks: hooks)
        #expect(
            report.startups == [.init(device: "fine", chain: "sepia", coldSeconds: 2, warmSeconds: 1)])
    }
}

private final class RenderCounter: Sendable {
    let count = Atomic(0)
}

private final class StopFlag: Sendable {
    private let value = Atomic(false)

    var isRaised: Bool { value.load(ordering: .relaxed) }

    func raise() { value.store(true, ordering: .relaxed) }
}
