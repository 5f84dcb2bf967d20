import Foundation
import Testing
import TintypeFilters

@testable import TintypeCompute
@testable import TintypeRendering

/// What `auto` expects, and what it learns of runs.
struct ForecastTests {
    /// 100 MP/s on the CPU, 1000 on the GPU.
    private func choice(cpuCorrection: Double? = nil, gpuCorrection: Double? = nil) throws -> AutomaticChoice
    {
        var cpu = speeds(host: 0.03, codec: 0.01), gpu = speeds(device: 0.001, host: 0, startup: 2)
        gpu.codecs = [.init(megapixels: 1, hostSeconds: 0.001, deviceSeconds: 0.001)]
        let now = Date().timeIntervalSince1970
        cpu.correction = cpuCorrection.map { .init(share: $0, time: now) }
        gpu.correction = gpuCorrection.map { .init(share: $0, time: now) }
        let workload = Workload([FilterChain([Sepia()])], megapixels: 10, photoCount: nil, workerCount: 4)
        return try #require(
            AutomaticChoice(workload, cpu: cpu, gpus: [AutomaticChoice.Candidate("0.0", gpu)]))
    }

    @Test func aRunTakesTheStartAndTheRest() throws {
        let forecast = try choice().forecast
        #expect(abs(forecast.megapixelsPerSecond - 1000) < 1e-6)
        // The CPU does 200 MP while the GPU starts.
        #expect(abs(forecast.seconds(ofMegapixels: 100) - 1) < 1e-6)
        #expect(abs(forecast.seconds(ofMegapixels: 3200) - 5) < 1e-6)
    }

    @Test func whatCameChangesTheNextChoice() throws {
        #expect(abs(try choice(gpuCorrection: 0.5).forecast.megapixelsPerSecond - 500) < 1e-6)
        #expect(try choice(gpuCorrection: 0.5).gpus == ["0.0"])
        #expect(try choice(gpuCorrection: 0.2).gpus == ["0.0"])
        #expect(try choice(cpuCorrection: 2, gpuCorrection: 0.05).gpus.isEmpty)
    }
}
