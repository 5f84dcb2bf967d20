import Foundation
import TintypeCodecs
import TintypeImaging
import TintypeRendering

/// Compares a device with the CPU, photo by photo.
final class Fuzzer {
    struct Limits {
        let duration: Duration
        var seed: UInt64 = 1
        var photoCount = Int.max
        var onlyRound: Int?
    }

    private let usual, short: any CodingDevice
    private var counts = (usual: Counts(), short: Counts())
    private var photoCount = 0, findingCount = 0
    private let folder: URL
    private let say: (String) -> Void

    private static let mostFindings = 10

    /// - Parameters:
    ///   - short: cuts the data into short subsequences.
    ///   - folder: gets findings.
    ///   - say: takes lines for the user.
    init(
        usual: any CodingDevice, short: any CodingDevice, folder: URL, say: @escaping (String) -> Void
    ) throws {
        self.usual = usual
        self.short = short
        self.folder = folder
        self.say = say
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("findings"), withIntermediateDirectories: true)
    }

    /// - Returns: whether nothing was found.
    func run(_ limits: Limits) throws -> Bool {
        let start = ContinuousClock.now
        var roundCount = 0
        func isOver() -> Bool {
            start.duration(to: .now) >= limits.duration || photoCount >= limits.photoCount
                || findingCount >= Self.mostFindings
        }
        while !isOver(), limits.onlyRound == nil || roundCount == 0 {
            let number = limits.onlyRound ?? roundCount
            try run(try Round(number, seed: limits.seed), (limits.seed, number), isOver)
            roundCount += 1
        }
        let rate = Double(photoCount) / (start.duration(to: .now) / .seconds(1))
        say(
            "\(photoCount) photos in \(roundCount) rounds, \(Int(rate)) a second, seed \(limits.seed), "
                + "on \(usual.info.name)")
        counts.usual.table(beside: counts.short).forEach(say)
        guard counts.usual.refusedNoSoundPhoto else {
            say("WRONG: the device left photos without damage to the CPU.")
            return false
        }
        return findingCount == 0
    }

    private func run(
        _ round: Round, _ name: (seed: UInt64, number: Int), _ isOver: () -> Bool
    ) throws {
        var round = round, first = Verdict.equal
        for index in 0..<round.photoCount where !isOver() {
            let photo = round.next(index)
            photoCount += 1
            var verdict = try verdict(photo, round.making, isShort: round.isShort)
            if index == 0 {
                first = verdict
            } else if round.isFirst(index), verdict != first {
                verdict = .wrong("the round's first photo is \(verdict) again, after \(first)")
            }
            add(verdict, round.isFirst(index) && !round.hasDamagedHeader, isShort: round.isShort)
            if case .wrong(let difference) = verdict {
                return try report(photo, at: index, "\(round): \(difference)", of: name)
            }
            // Nothing of the round is decoded.
            if index == 0, verdict == .unreadable { return }
        }
    }

    private func add(_ verdict: Verdict, _ isUndamaged: Bool, isShort: Bool) {
        if isShort {
            counts.short.add(verdict, isUndamaged: isUndamaged)
        } else {
            counts.usual.add(verdict, isUndamaged: isUndamaged)
        }
    }

    private func report(
        _ photo: [UInt8], at index: Int, _ difference: String, of round: (seed: UInt64, number: Int)
    ) throws {
        findingCount += 1
        let path = folder.appendingPathComponent("findings/\(round.seed)-\(round.number)-\(index).jpg")
        try Data(photo).write(to: path)
        let tool = CommandLine.arguments[0]
        say("WRONG: \(difference)")
        say("  '\(tool) \(path.relativePath)' tries it alone,")
        say("  '\(tool) 60 --seed \(round.seed) --round \(round.number)' after those before it.")
    }

    /// - Returns: whether nothing was found.
    func tryAgain(files: [String]) throws -> Bool {
        for path in files {
            let photo = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            for divisor in [1, 2, 4, 8] {
                for output in Self.outputs {
                    let making = Making(divisor: divisor, output: output)
                    for isShort in [false, true] {
                        let verdict = try verdict(photo, making, isShort: isShort)
                        if case .wrong = verdict { findingCount += 1 }
                        say(
                            "\(path), reduced by \(divisor), to \(output), "
                                + "\(isShort ? "short" : "usual") subsequences: \(verdict)"
                        )
                    }
                }
            }
        }
        return findingCount == 0
    }

    private static let outputs: [Making.Output] = [
        .samples, .pixels, .file(quality: nil, optimizesCodes: false, restartRows: nil),
        .file(quality: 100, optimizesCodes: true, restartRows: 1),
    ]
}

// MARK: Verdicts

extension Fuzzer {
    enum Verdict: Hashable {
        case equal
        /// Both find that the photo is damaged, or has more than the image.
        case damaged
        /// The CPU cannot read the header either.
        case unreadable
        /// The device left a photo to the CPU of which this has nothing to say.
        case refused
        /// The device does not know such headers.
        case notOffered
        case wrong(String)
    }

    private func verdict(_ photo: [UInt8], _ making: Making, isShort: Bool) throws -> Verdict {
        try Data(photo).write(to: folder.appendingPathComponent("last.jpg"))
        let device = isShort ? short : usual
        let expected = Result { try making.byCPU(photo) }
        let isSound = (try? expected.get().isSound) ?? false
        do {
            guard let result = try making.byDevice(photo, device) else {
                return isSound ? .notOffered : .damaged
            }
            return Self.verdict(result, expected)
        } catch is IrregularImage {
            return isSound ? .refused : .damaged
        } catch is CodecError where (try? expected.get()) == nil {
            return .unreadable
        } catch {
            return .wrong("the device fails: \(error)")
        }
    }

    private static func verdict(_ result: Making.Result, _ expected: Result<Making.Result, any Error>)
        -> Verdict
    {
        switch expected {
        case .failure(let error): return .wrong("the device decodes what the CPU does not: \(error)")
        case .success(let other):
            if result == other { return .equal }
            guard result.bytes != other.bytes else {
                return .wrong(
                    "the device is silent about \(other.notes), late metadata: \(other.hasLateMetadata)"
                )
            }
            let place = zip(result.bytes, other.bytes).enumerated().first { $1.0 != $1.1 }?.offset
            return .wrong(
                "\(result.bytes.count) bytes instead of \(other.bytes.count); byte \(place ?? -1) is the first other one"
            )
        }
    }
}
