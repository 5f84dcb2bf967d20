import Foundation
import Testing
import TintypeFilterPictures
import TintypeFilters

@testable import TintypeCompute
@testable import TintypeOpenCLRendering
@testable import TintypeRendering

/// What `auto` chooses, from made-up measurements.
struct AutomaticChoiceTests {
    private func workload(
        _ photoCount: Int?, megapixels: Double = 12, workers: Int = 4, _ filter: any Filter = TiltShift()
    ) -> Workload {
        Workload(
            [FilterChain([filter])], megapixels: megapixels, photoCount: photoCount, workerCount: workers)
    }

    private func choice(
        _ workload: Workload, cpu: DeviceSpeeds, _ gpus: DeviceSpeeds...
    ) throws -> AutomaticChoice {
        let candidates = gpus.enumerated().map { AutomaticChoice.Candidate("\($0).0", $1) }
        return try #require(AutomaticChoice(workload, cpu: cpu, gpus: candidates))
    }

    /// 4 workers, 10 ms of codec and 20 ms of filter a megapixel: 4 / 0.03 = 133 MP/s on the CPU.
    private var cpu: DeviceSpeeds { speeds(host: 0.02, codec: 0.01) }
    /// A server's: 4 / (0.01 + 0.001) = 364 MP/s, which the codec limits.
    private var server: DeviceSpeeds { speeds(device: 0.0002, host: 0.001, startup: 1) }
    /// A laptop's: 1 / 0.02 = 50 MP/s, which the GPU limits.
    private var laptop: DeviceSpeeds { speeds(device: 0.02, host: 0.001, startup: 0.2) }

    @Test func manyPhotosGoToAFastGPU() throws {
        for count in [100_000, nil] {
            let choice = try choice(workload(count), cpu: cpu, server)
            #expect(choice.gpus == ["0.0"] && !choice.usesCPU)
            #expect(
                choice.reason
                    == "GPU: about 364 MP/s against 133 MP/s on the CPU for tilt-shift at 12 MP (measured 2026-11-24)"
            )
        }
    }

    @Test func aGPUThatCodesTakesPhotosWhole() throws {
        var coding = server
        coding.codecs = [.init(megapixels: 1, hostSeconds: 0.0002, deviceSeconds: 0.0005)]
        // The passes of a lens cost no more than points here: 1 / 0.0005 = 2000 MP/s.
        #expect(
            try choice(workload(100_000), cpu: cpu, coding).reason.hasPrefix(
                "GPU: about 2000 MP/s against 133"))
        // The host limits: 4 / 0.004 = 1000 MP/s.
        coding.codecs[0].hostSeconds = 0.004
        #expect(try choice(workload(100_000), cpu: cpu, coding).reason.hasPrefix("GPU: about 1000 MP/s"))
        // A lens of 0.001 s a megapixel more.
        coding.renders = coding.renders.map { render in
            var render = render
            if render.kind == .lens { render.deviceSeconds += 0.001 }
            return render
        }
        #expect(try choice(workload(100_000), cpu: cpu, coding).reason.hasPrefix("GPU: about 667 MP/s"))
        // Photos of other formats are decoded by the CPU.
        let others = Workload(
            [FilterChain([Sepia()])], megapixels: 12, photoCount: nil, workerCount: 4, isCodable: false)
        #expect(try choice(others, cpu: cpu, coding).reason.hasPrefix("GPU: about 364 MP/s"))
    }

    @Test func fewPhotosAreDoneBeforeAGPUHasStarted() throws {
        // 36 MP at 133 MP/s.
        let choice = try choice(workload(3), cpu: cpu, server)
        #expect(choice.gpus.isEmpty && choice.usesCPU)
        #expect(choice.reason.hasPrefix("CPU: it takes about 0.3 s for 3 photos, and the GPU 1.0 s to start"))
    }

    @Test func thePhotosThatAreLeftWhenTheGPUHasStartedDecide() throws {
        // 133 MP are done in the first second, so 11.1 photos. Of 12, too little is left to be worth a GPU; of 20, 107 MP
        // take 0.29 s instead of 0.8 s.
        #expect(try choice(workload(12), cpu: cpu, server).gpus.isEmpty)
        #expect(try choice(workload(20), cpu: cpu, server).gpus == ["0.0"])
    }

    @Test func aSlowGPUIsLeftOut() throws {
        // Together 17 + (4 - 17 * 0.011) / 0.03 = 144 MP/s, if they did not slow each other down.
        let choice = try choice(workload(100_000), cpu: cpu, speeds(device: 0.06, host: 0.001))
        #expect(choice.gpus.isEmpty && choice.usesCPU)
        #expect(
            choice.reason
                == "CPU: about 133 MP/s against 17 MP/s on the GPU for tilt-shift at 12 MP (measured 2026-11-24)"
        )
    }

    @Test func equallyFastAloneIsFasterTogether() throws {
        // 1 / 0.008 = 125 MP/s alone. The CPU has 4 - 125 * 0.011 workers besides: 88 MP/s.
        let choice = try choice(workload(1000), cpu: cpu, speeds(device: 0.008, host: 0.001, startup: 0.2))
        #expect(choice.gpus == ["0.0"] && choice.usesCPU)
        #expect(
            choice.reason.hasPrefix(
                "GPU and CPU: about 212 MP/s together against 125 MP/s and 133 MP/s alone"),
            "\(choice.reason)")
    }

    @Test func aGPUThatIsHardlyFasterIsNotWorthIt() throws {
        // A host that is as busy as with its own filter: nothing is gained by both either.
        let choice = try choice(workload(nil), cpu: cpu, speeds(device: 0.001, host: 0.0195))
        #expect(choice.gpus.isEmpty && choice.reason.contains("would save little"), "\(choice.reason)")
    }

    @Test func ofSeveralGPUsThoseAreTakenThatSpeedItUp() throws {
        // Equal GPUs are all taken, as without measurements; a much slower one is not.
        #expect(try choice(workload(1000), cpu: cpu, server, server).gpus == ["0.0", "1.0"])
        #expect(try choice(workload(1000), cpu: cpu, laptop, server).gpus == ["1.0"])
        // Two of 100 MP/s, against 133.
        let medium = speeds(device: 0.01, host: 0.001)
        let choice = try choice(workload(1000), cpu: cpu, medium, medium)
        #expect(choice.gpus.count == 2)
    }

    @Test func fewerWorkersMakeLessOfTheCPU() throws {
        // One worker: 33 MP/s on the CPU, 50 on the laptop's GPU.
        let choice = try choice(workload(1000, workers: 1), cpu: cpu, laptop)
        #expect(choice.gpus == ["0.0"] && !choice.usesCPU)
        #expect(try self.choice(workload(1000, workers: 1), cpu: cpu, server, server).gpus == ["0.0"])
    }

    @Test func whatWasNotMeasuredDecidesNothing() {
        var noWindow = server
        noWindow.renders.removeAll { $0.kind == .window }
        let gpus = [AutomaticChoice.Candidate("0.0", noWindow)]
        #expect(AutomaticChoice(workload(9), cpu: cpu, gpus: gpus) != nil)
        #expect(AutomaticChoice(workload(9, Median()), cpu: cpu, gpus: gpus) == nil)
        // The CPU's codec.
        #expect(AutomaticChoice(workload(9), cpu: speeds(host: 0.02), gpus: gpus) == nil)
        // A filter that changes nothing.
        #expect(AutomaticChoice(workload(9, Sepia(intensity: 0)), cpu: cpu, gpus: gpus) == nil)
    }

    @Test func aChainCostsItsPassesAndOneWayInAndOut() throws {
        var speeds = speeds(device: 1, host: 1)
        for index in speeds.renders.indices where speeds.renders[index].kind != .points {
            speeds.renders[index].deviceSeconds = 3
        }
        func seconds(_ texts: String...) throws -> Double {
            let chains = try texts.map { try FilterChain(parsing: [$0]) }
            let workload = Workload(chains, megapixels: 1, photoCount: 1, workerCount: 1)
            return try #require(speeds.cost(of: workload)).device
        }
        #expect(abs(try seconds("sepia") - 1) < 0.01)
        #expect(abs(try seconds("sepia+vignette+noir") - 1) < 0.01)
        #expect(abs(try seconds("sepia+blur:radius=9") - 3) < 0.01)
        #expect(abs(try seconds("median+sepia+blur:radius=9") - 5) < 0.01)
        // The blur works on a quarter of the pixels: 1 + 2 + 2 / 4.
        #expect(abs(try seconds("resize:scale=0.5+blur:radius=9") - 3.5) < 0.01)
        // Two outputs.
        #expect(abs(try seconds("sepia", "blur:radius=9") - 4) < 0.01)
    }

    @Test func aPhotoIsDecodedOnceAndEncodedForEachOutput() throws {
        func seconds(_ texts: String...) throws -> Double {
            let chains = try texts.map { try FilterChain(parsing: [$0]) }
            let workload = Workload(chains, megapixels: 1, photoCount: 1, workerCount: 1)
            return try #require(speeds(host: 0, codec: 1).codecSeconds(of: workload))
        }
        #expect(abs(try seconds("sepia") - 1) < 0.01)
        #expect(abs(try seconds("sepia", "noir") - 1.6) < 0.01)
        // A quarter of the pixels.
        #expect(abs(try seconds("sepia", "resize:scale=0.5") - 1.15) < 0.01)
        // On the CPU, 4 / (0.4 * 0.01 + 2 * (0.6 * 0.01 + 0.02)) = 71 MP/s.
        let two = Workload(
            [FilterChain([Sepia()]), FilterChain([Noir()])], megapixels: 12, photoCount: nil, workerCount: 4)
        let reason = try choice(two, cpu: cpu, server).reason
        #expect(reason.contains("against 71 MP/s on the CPU for 2 outputs"), "\(reason)")
    }

    @Test func sizesBetweenMeasuredOnesAreInterpolated() {
        func seconds(_ size: Double) -> Double? {
            DeviceSpeeds.interpolated([(1, 2), (3, 4), (12, 22)], at: size)
        }
        #expect(seconds(1) == 2 && seconds(2) == 3 && seconds(3) == 4 && seconds(7.5) == 13)
        #expect(seconds(12) == 22 && seconds(24) == 44)
        // 1 + 1 * size, of which no photo takes more than the smallest.
        #expect(seconds(0.5) == 1.5)
        #expect(
            DeviceSpeeds.interpolated([(1, 2)], at: 0.5) == 1 && DeviceSpeeds.interpolated([], at: 1) == nil)
    }
}
