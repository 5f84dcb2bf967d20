@testable import TintypeBenchmarking

extension BenchmarkReport {
    /// A report of a machine with a GPU. Names have characters that HTML must escape.
    static func sample(chains: [String] = ["sepia", "tilt-shift:radius=8,band=0.2,falloff=0.2"]) -> Self {
        func spread(_ value: Double) -> Spread {
            Spread([value * 0.9, value, value * 1.1]).unsafelyUnwrapped
        }
        func device(_ identifier: String, _ kind: String, _ status: DeviceEntry.Status) -> DeviceEntry {
            DeviceEntry(
                device: identifier, kind: kind, name: "A <fast> & \"odd\" device", driver: "", status: status,
                checkedCount: 4, error: status == .wrong ? "other bytes <than> it should" : nil,
                copyGigabytesPerSecond: 24.5)
        }
        let photos = [2.0, 12].map { size in
            PhotoEntry(
                photo: "\(Int(size)) MP", width: 1000, height: Int(size) * 1000, bytes: Int(size * 350_000),
                isSynthesised: true)
        }
        var results: [ResultEntry] = []
        for photo in photos {
            for chain in chains {
                for (identifier, speed) in [("cpu", 100.0), ("0.0", 25 * photo.megapixels)] {
                    results.append(
                        ResultEntry(
                            device: identifier, chain: chain, photo: photo.photo,
                            split: Split(
                                decodeSeconds: spread(0.1), uploadSeconds: spread(0.002),
                                kernelSeconds: spread(0.03), downloadSeconds: spread(0.002),
                                encodeSeconds: spread(0.08), totalSeconds: spread(0.2)),
                            kernelMegapixelsPerSecond: spread(1234), kernelGigabytesPerSecond: spread(3.7),
                            shareOfCopyBandwidth: 0.151, megapixelsPerSecond: spread(speed),
                            shareOfFloor: spread(speed / 200), shareOfPlanesFloor: nil))
                }
            }
        }
        return BenchmarkReport(
            version: "0.1.0", commit: "abc", date: "2026-11-21T05:00:00Z",
            machine: Machine(
                processor: "CPU <8>", coreCount: 8, memoryByteCount: 16 << 30, kernel: "Linux 6.1",
                system: "Debian"),
            jobs: 8, rounds: 3, seconds: 61.2, isComplete: true,
            devices: [
                device("cpu", "cpu", .ok), device("0.0", "gpu", .ok), device("0.1", "gpu", .wrong),
            ],
            photos: photos,
            floors: photos.flatMap { photo in
                CodecFloor.allCases.map { floor in
                    FloorEntry(
                        floor: floor, photo: photo.photo,
                        megapixelsPerSecond: spread(floor == .rgb ? 200 : 240))
                }
            },
            startups: [StartupEntry(device: "0.0", chain: "sepia", coldSeconds: 1.2, warmSeconds: 0.1)],
            results: results,
            breakEvens: chains.map {
                BreakEvenEntry(device: "0.0", cpu: "cpu", chain: $0, answer: .from, megapixels: 4.21)
            },
            leftOut: [Case(device: "0.1", chain: chains[0], photo: "12 MP")])
    }
}
