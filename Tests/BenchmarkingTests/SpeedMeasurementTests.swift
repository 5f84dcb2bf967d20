import Foundation
import Testing
import CodedDevice
@testable import TintypeBenchmarking
import TintypeCompute

/// What `devices --tune` measures for `auto`.
struct SpeedMeasurementTests {
    private func measurement(_ sizes: [Double], patience: Double = 60) -> SpeedMeasurement {
        var measurement = SpeedMeasurement()
        measurement.sizes = sizes
        measurement.seconds = 0.02
        measurement.patience = patience
        return measurement
    }

    @Test func everyKindOfPassIsMeasuredAtEverySize() throws {
        let renders = try measurement([0.05, 0.8]).renders(on: SIMDDevice())
        #expect(renders.count == 2 * PassKind.allCases.count)
        #expect(Set(renders.map(\.kind)) == Set(PassKind.allCases))
        #expect(renders.allSatisfy { $0.hostSeconds > 0 && $0.deviceSeconds == 0 })
        // Sixteen times the pixels, by the processors' clock.
        for kind in PassKind.allCases {
            let seconds = renders.filter { $0.kind == kind }.map(\.hostSeconds)
            #expect(seconds[1] > seconds[0], "\(kind)")
        }
    }

    @Test func aDeviceOfItsOwnTakesTimeBesideTheHosts() throws {
        // It takes 5 ms a photo at least, in which the host waits.
        let device = AlteringDevice("slow") { _ in usleep(5000) }
        let workers = Double(min(ProcessInfo.processInfo.activeProcessorCount, 16))
        for render in try measurement([0.02]).renders(on: device) {
            #expect(render.deviceSeconds >= 0.005 / workers && render.hostSeconds > 0, "\(render)")
        }
    }

    @Test func sizesThatTakeTooLongAreLeftOut() throws {
        let device = AlteringDevice("slow") { _ in usleep(20_000) }
        let renders = try measurement([0.02, 2], patience: 0.05).renders(on: device)
        #expect(renders.count == PassKind.allCases.count)
        #expect(renders.allSatisfy { $0.megapixels < 0.1 })
    }

    @Test func photosAreMeasuredOnADeviceThatCodesThem() throws {
        let device = CodedDevice()
        let costs = try measurement([0.05, 0.8]).codedPhotos(on: device)
        #expect(costs.count == 2)
        #expect(costs.allSatisfy { $0.hostSeconds > 0 && ($0.deviceSeconds ?? 0) > 0 })
        let made = device.made
        #expect(made.photos >= 6 && made.decoded == made.photos && made.encoded == made.photos)
        #expect(try measurement([0.05]).codedPhotos(on: SIMDDevice()).isEmpty)
        #expect(try measurement([0.05]).codedPhotos(on: AlteringDevice("strips") { _ in }).isEmpty)
    }

    @Test func codecsAreMeasuredBySize() throws {
        let codecs = try measurement([0.05, 0.8]).codecs()
        #expect(codecs.count == 2 && codecs[0].hostSeconds > 0)
        #expect(codecs[1].hostSeconds > codecs[0].hostSeconds)
    }
}
