import TestSupport
import Testing

@testable import TintypeBenchmarking

/// The counters of energy, as files of a folder.
struct EnergyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ zone: String, name: String, energy: String, range: String = "1000000000") throws {
        for (file, text) in [("name", name), ("energy_uj", energy), ("max_energy_range_uj", range)] {
            try folder.write(Array("\(text)\n".utf8), to: "\(zone)/\(file)")
        }
    }

    @Test func packagesAreSummedAndTheirPartsAreNot() throws {
        try write("intel-rapl:0", name: "package-0", energy: "5000000")
        try write("intel-rapl:0:0", name: "core", energy: "1000000")
        // Near its range: it starts again from 0.
        try write("intel-rapl:1", name: "package-1", energy: "999000000")
        // The first one again, by another interface.
        try write("intel-rapl-mmio:0", name: "package-0", energy: "3000000")
        try write("intel-rapl:2", name: "psys", energy: "7000000")
        let meter = EnergyMeter([], powercap: folder.path)
        let start = meter.read(for: "cpu")
        #expect(start.processors == [5_000_000, 999_000_000] && start.device == nil)
        try write("intel-rapl:0", name: "package-0", energy: "7500000")
        try write("intel-rapl:0:0", name: "core", energy: "2000000")
        try write("intel-rapl:1", name: "package-1", energy: "500000")
        let joules = meter.joules(from: start, to: meter.read(for: "cpu"))
        #expect(joules.processors == 2.5 + 1.5 && joules.device == nil)
    }

    @Test func withoutCountersThereIsNoFigure() throws {
        #expect(
            ProcessorEnergy(folder: folder.path("none")) == nil && ProcessorEnergy(folder: folder.path) == nil
        )
        // As where only root may read it.
        try write("intel-rapl:0", name: "package-0", energy: "")
        #expect(ProcessorEnergy(folder: folder.path) == nil)
        #expect(EnergyMeter([], powercap: folder.path).read(for: "cpu").processors == nil)
    }
}
