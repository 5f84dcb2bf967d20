import Foundation
import TestSupport
import Tintype
import TintypeLocking

@testable import TintypeOperations

/// The rounds of a soak, and what is checked after each.
struct Soak {
    let photoCount: Int
    let seed: UInt64
    let stock: PhotoStock
    let folder: TemporaryFolder
    /// Made once, as in any program; each round has a pool of its own, so that a retired device comes back.
    let devices: [any Device]
    let cpu: any Device

    static let photosOfRound = 100
    /// Short runs do not wait until the process is idle.
    private var isLong: Bool { photoCount >= 5000 }

    /// - Parameter device: OpenCL's devices fail at every 61st launch of a kernel.
    init(photoCount: Int, seed: UInt64, device: String) throws {
        self.photoCount = photoCount
        self.seed = seed
        folder = try TemporaryFolder()
        let layer = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("libOpenCLFaults.so").path
        setenv("OPENCL_LAYERS", layer, 1)
        setenv("OPENCL_FAULT", "clEnqueueNDRangeKernel:61*:fail", 1)
        stock = try PhotoStock(seed: seed)
        try FileManager.default.createDirectory(
            atPath: folder.path("tmp"), withIntermediateDirectories: true)
        setenv("TMPDIR", folder.path("tmp"), 1)
        cpu = try DeviceSelection(["cpu"]).devices[0]
        devices = try DeviceSelection([device]).devices
    }

    /// - Returns: what was wrong.
    func run() async throws -> [String] {
        var random = SeededGenerator(seed: seed), tally = Tally(), problems: [String] = []
        var trend = Trend(usesOpenCL: devices[0].info.kind != .simd)
        var idle: Measurement?
        let begin = ContinuousClock.now
        for (index, photo) in stock.photos.enumerated() {
            try folder.write(photo.bytes, to: "stock/\(index)-\(photo.name)")
        }
        var number = 0
        while tally.photos < photoCount {
            number += 1
            let round = try Round(self, number: number, random.next())
            tally.add(try await number % 2 == 0 ? round.runSession() : round.runBatch())
            problems += round.problems.map { "round \(number): \($0)" }
            problems += try remains(of: round).map { "round \(number): \($0)" }
            let now = Measurement.settled(least: trend.least)
            trend.add(now, after: tally.photos)
            if number % max(1, photoCount / 1000) == 0 || tally.photos >= photoCount {
                say("\(tally.text); \(now.text)")
            }
            if isLong, idle == nil, tally.photos >= photoCount / 5 { idle = .idle() }
            if problems.count > 50 { break }
        }
        if let idle { problems += Trend.problems(between: idle, and: .idle()) }
        let seconds = begin.duration(to: .now) / .seconds(1)
        say("\(number) rounds with seed \(seed) in \(Int(seconds)) s: \(trend.summary).")
        if tally.failed == 0 || tally.cancels == 0 || tally.fallbacks == 0 && devices[0].info.kind != .simd {
            problems.append("no failure, no cancel or no device error: \(tally.text)")
        }
        return problems + trend.problems
    }

    /// Ends a round.
    ///
    /// - Returns: what it has left after a while: objects, and files other than the stock. A session's thread releases
    ///   the records, and their files, one after the other.
    private func remains(of round: Round) throws -> [String] {
        try round.end()
        var remains: [String] = []
        _ = eventually {
            remains = round.released.filter { !$0.isDone }.map { "\($0.name) is kept" }
            remains += folder.files(withRecords: true).filter { !$0.hasPrefix("stock/") }.map { "left \($0)" }
            return remains.isEmpty
        }
        return remains
    }
}

/// What has happened so far.
struct Tally {
    var photos = 0
    var done = 0
    var failed = 0
    var cancels = 0
    var suspensions = 0
    var fallbacks = 0

    mutating func add(_ other: Tally) {
        photos += other.photos
        done += other.done
        failed += other.failed
        cancels += other.cancels
        suspensions += other.suspensions
        fallbacks += other.fallbacks
    }

    var text: String {
        "\(photos) photos: \(done) done, \(failed) failed, \(cancels) cancels, \(suspensions) suspensions, "
            + "\(fallbacks) fallbacks"
    }
}
