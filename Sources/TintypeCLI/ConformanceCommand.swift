import ArgumentParser
import Foundation
import Tintype

/// `tintype conformance`: does every device give the same bytes? For machines without a Swift toolchain.
struct ConformanceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Compare devices with the CPU's baseline, byte by byte.",
        discussion: """
            Renders noise in every pixel layout, at awkward sizes and strip heights, with every filter and \
            chains of them. The exit code is 4 where a device differs or fails; it names the first case.
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
        var conformance = ConformanceRun(
            devices, quick ? .quick : .full, maxPixels: maxPixels ?? .max)
        conformance.compilers = DriverProcessCommand.compilers(timeLimit: deviceTimeout?.duration)
        let outcomes = try conformance.outcomes(
            progress: { StandardStream.error.write("\($0), after \(String(format: "%.1f", elapsed)) s\n") },
            isOver: { limit.map { elapsed >= $0 } ?? false })
        let lines = outcomes.map(ConformanceLine.init)
        try StandardStream.writeResult(
            json ? lines.jsonText(pretty: true) + "\n" : lines.map(\.text).joined())
        guard lines.allSatisfy(\.passes) else { throw ExitCode(ExitStatus.device.rawValue) }
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
    let equalCases: Int
    /// Pixel layouts that were compared before the time limit.
    let layouts: Int
    let allLayouts = Conformance.layouts.count
    let seconds: Double
    var difference: String?

    init(_ outcome: ConformanceRun.Outcome) {
        device = outcome.device.identifier
        name = outcome.device.name
        driver = outcome.device.driver
        passes = outcome.difference == nil
        equalCases = outcome.equalCount
        layouts = outcome.layoutCount
        seconds = outcome.duration.seconds
        difference = outcome.difference
    }

    var text: String {
        let passed = "\(equalCases) cases, all equal, over \(layouts) of \(allLayouts) layouts"
        let verdict = difference.map { "differs: \($0)" } ?? passed
        return "\(device) (\(name)): \(verdict); \(String(format: "%.1f", seconds)) s".printable + "\n"
    }
}
