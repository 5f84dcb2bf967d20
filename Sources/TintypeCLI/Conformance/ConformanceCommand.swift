import ArgumentParser
import Foundation
import Tintype
import TintypeLocking

/// `tintype conformance`: does every device give the same bytes? For machines without a Swift toolchain.
struct ConformanceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Compare devices with the CPU's baseline, byte by byte.",
        discussion: """
            Renders noise in every pixel layout, at awkward sizes and strip heights, with every filter and \
            chains of them. Devices that decode and encode JPEGs themselves also do so, sound ones and damaged ones. \
            The exit code is 4 where a device differs or fails; it names the first case.
            """,
        shouldDisplay: false)

    @Option(
        name: .shortAndLong,
        help: "A device as 'tintype apply' takes it; may repeat. (default: all, and every SIMD level)")
    var device: [String] = []

    @OptionGroup
    var kernels: KernelFlags

    @Flag(help: "Chains of several filters over two layouts only, where a driver compiles slowly.")
    var quick = false

    @Option(help: ArgumentHelp("End after this time, and say how far it came.", valueName: "seconds"))
    var limit: Double?

    @Option(help: ArgumentHelp("Leave out larger photos, for simulated devices.", valueName: "pixels"))
    var maxPixels: Int?

    @Option(
        help: ArgumentHelp(
            "Give up a device that takes longer than this. (default: 30)", valueName: "seconds"))
    var deviceTimeout: Seconds?

    @Flag(help: "Print JSON on standard output.")
    var json = false

    func run() throws {
        try kernels.register()
        let devices = try chosenDevices()
        let start = ContinuousClock.now
        var elapsed: Double { start.duration(to: .now).seconds }
        let coding = CodingConformance(devices, isQuick: quick, maxPixels: maxPixels ?? .max)
        // Of the first case, after the codec's programs were compiled.
        let codingStart = Locked<ContinuousClock.Instant?>(nil)
        let codingOutcomes = try coding.outcomes(
            progress: { part in
                codingStart.withLock { $0 = $0 ?? .now }
                report("codec, \(part)", after: elapsed)
            },
            isOver: { [limit] in
                guard let limit else { return false }
                let own = codingStart.withLock(\.self).map { $0.duration(to: .now).seconds } ?? 0
                return own >= limit * Self.codingShare || start.duration(to: .now).seconds >= limit
            })
        var conformance = ConformanceRun(
            devices, quick ? .quick : .full, maxPixels: maxPixels ?? .max)
        conformance.compilers = DriverProcessCommand.compilers(timeLimit: deviceTimeout?.duration)
        let outcomes = try conformance.outcomes(
            progress: { report("\($0)", after: elapsed) },
            isOver: { limit.map { elapsed >= $0 } ?? false })
        let lines = outcomes.map { outcome in
            let own = codingOutcomes.first { $0.device.identifier == outcome.device.identifier }
            return ConformanceLine(outcome, own, codecCases: coding.caseCount)
        }
        try StandardStream.writeResult(
            json ? lines.jsonText(pretty: true) + "\n" : lines.map(\.text).joined())
        guard lines.allSatisfy(\.passes) else { throw ExitCode(ExitStatus.device.rawValue) }
    }

    /// The codec's share of a time limit. It comes first, because a slow driver has more cases of filters than time.
    private static let codingShare = 0.25

    private func report(_ part: String, after elapsed: Double) {
        StandardStream.error.write("\(part), after \(String(format: "%.1f", elapsed)) s\n")
    }

    private func chosenDevices() throws -> [any Device] {
        guard !device.isEmpty else {
            // The limit stays.
            _ = DeviceSelection.all(timeLimit: deviceTimeout?.duration)
            return ConformanceRun.allDevices
        }
        do {
            return try DeviceSelection(device, timeLimit: deviceTimeout?.duration).devices
        } catch {
            StandardStream.error.write("\(error)\n")
            throw ExitCode(ExitStatus.device.rawValue)
        }
    }
}

/// What `tintype conformance` says of one device.
struct ConformanceLine: Encodable {
    let device: String
    let name: String
    let driver: String
    let passes: Bool
    /// Of filters, as the next two and the time.
    let equalCases: Int
    /// Pixel layouts that were compared before the time limit.
    let layouts: Int
    let allLayouts = Conformance.layouts.count
    let seconds: Double
    /// The first one of filters; if there is none, that of the codec.
    let difference: String?
    /// The following are of devices that decode and encode themselves.
    let codecEqualCases: Int?
    /// Of the run without a time limit.
    let codecAllCases: Int?
    let codecDecoded: Int?
    let codecEncoded: Int?
    let codecIrregular: Int?
    let codecSeconds: Double?
    let codecDifference: String?
    private let filtersDifference: String?

    private enum CodingKeys: CodingKey {
        case device, name, driver, passes, equalCases, layouts, allLayouts, seconds, difference
        case codecEqualCases, codecAllCases, codecDecoded, codecEncoded, codecIrregular, codecSeconds
        case codecDifference
    }

    /// - Parameters:
    ///   - coding: nil for a device that does not code.
    ///   - codecCases: those of a whole run.
    init(_ outcome: ConformanceRun.Outcome, _ coding: CodingConformance.Outcome? = nil, codecCases: Int = 0) {
        device = outcome.device.identifier
        name = outcome.device.name
        driver = outcome.device.driver
        filtersDifference = outcome.difference
        codecDifference = coding?.difference
        difference = filtersDifference ?? codecDifference
        passes = difference == nil
        equalCases = outcome.equalCount
        layouts = outcome.layoutCount
        seconds = outcome.duration.seconds
        codecEqualCases = coding?.equalCount
        codecAllCases = coding.map { _ in codecCases }
        codecDecoded = coding?.decodedCount
        codecEncoded = coding?.encodedCount
        codecIrregular = coding?.irregularCount
        codecSeconds = coding?.duration.seconds
    }

    var text: String {
        let passed = "\(equalCases) cases, all equal, over \(layouts) of \(allLayouts) layouts"
        return line(filtersDifference.map { "differs: \($0)" } ?? passed, seconds) + codecText
    }

    /// Empty for a device that does not code.
    private var codecText: String {
        guard let codecEqualCases, let codecAllCases, let codecDecoded, let codecEncoded, let codecIrregular,
            let codecSeconds
        else { return "" }
        let passed =
            "\(codecEqualCases) of \(codecAllCases) cases, all equal; the device decoded \(codecDecoded) and "
            + "encoded \(codecEncoded), and left \(codecIrregular) to the CPU as irregular"
        return line("codec: " + (codecDifference.map { "differs: \($0)" } ?? passed), codecSeconds)
    }

    private func line(_ verdict: String, _ seconds: Double) -> String {
        "\(device) (\(name)): \(verdict); \(String(format: "%.1f", seconds)) s".printable + "\n"
    }
}
