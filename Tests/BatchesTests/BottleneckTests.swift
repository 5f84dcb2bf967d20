import Foundation
import TestSupport
import Testing
import Tintype
import TintypeBatches

struct BottleneckTests {
    /// - Parameters:
    ///   - seconds: by phase, of all workers together.
    ///   - processorSeconds: of 10 s on 4 processors.
    private func evidence(
        _ seconds: [PhotoPhase: Double], processorSeconds: Double, workerCount: Int = 4
    ) -> Bottleneck.Evidence {
        var times = PhotoTimes()
        for (phase, seconds) in seconds { times.add(Int(seconds * 1e9), to: phase) }
        return Bottleneck.Evidence(
            times, processorSeconds: processorSeconds, seconds: 10, workerCount: workerCount,
            processorCount: 4)
    }

    @Test(
        arguments: [
            ([PhotoPhase.host: 38, .write: 1], 38, Bottleneck.processors),
            // Whatever the workers do meanwhile: the device may be the CPU.
            ([.device: 38, .host: 1], 36, .processors),
            ([.read: 25, .host: 12], 13, .reading),
            ([.write: 8, .sync: 8, .journal: 8, .host: 12], 15, .writing),
            ([.device: 25, .host: 5, .read: 5], 12, .device),
            ([.device: 12, .host: 12, .read: 12], 15, nil),
            // All workers compute, and processors have other work.
            ([.host: 38], 20, nil),
            // Waiting for a turn says nothing.
            ([.wait: 100, .read: 6, .host: 4], 4, .reading),
            ([:], 0, nil),
        ] as [([PhotoPhase: Double], Double, Bottleneck?)])
    func theLargestPartBindsIfItIsClear(
        seconds: [PhotoPhase: Double], processorSeconds: Double, bottleneck: Bottleneck?
    ) {
        #expect(evidence(seconds, processorSeconds: processorSeconds).bottleneck == bottleneck)
    }

    @Test func tooFewWorkersBind() {
        let evidence = evidence([.host: 19, .read: 1], processorSeconds: 20, workerCount: 2)
        #expect(evidence.bottleneck == .workers && evidence.processorShare == 0.5)
        #expect(evidence.largest.part == .workers && evidence.largest.share == 0.95)
    }

    @Test func everyPhotosPhasesFitIntoTheRun() async throws {
        let setting = try BatchSetting()
        let jobs = try setting.jobs(12), device = CopyDevice(beforeEachPhoto: { _ in usleep(2_000) })
        let start = ContinuousClock.now
        let outcome = await setting.run(
            jobs, on: DevicePool([device], fallback: nil, checkedShare: 0),
            journal: try Journal(outputFolder: setting.folder.path("out")))
        let wall = start.duration(to: .now)
        #expect(outcome.done.count == 12)
        for result in outcome.done {
            #expect(result.times.total > .zero && result.times.total <= wall)
            for phase in [PhotoPhase.read, .device, .write, .hash, .sync, .journal] {
                #expect(result.times[phase] > .zero, "\(phase)")
            }
            #expect(result.times[.device] >= .milliseconds(2))
        }
    }
}
