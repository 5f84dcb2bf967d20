import ArgumentParser
import Foundation
import Tintype
import TintypeBenchmarking

/// `tintype devices`: the devices of this machine, and whether each gives the right pixels.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the devices, each tested with every filter.",
        discussion: "'tintype apply --device' takes an index, a device, or part of a name.")

    @Flag(help: "Print JSON on standard output.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Give up a device that takes longer than this. (default: 30)", valueName: "seconds")
    )
    var deviceTimeout: Seconds?

    @Flag(
        help: ArgumentHelp(
            "Measure first which work-group and strip sizes are fastest on each OpenCL device, and how fast all "
                + "devices are, which --device auto goes by. Later runs use it. It takes about a minute a device, "
                + "and wants an idle machine."))
    var tune = false

    func run() throws {
        let chain = FilterChain(FilterCatalog.all)
        // A measurement takes the driver's own memory, and nothing between.
        let drivers = tune ? .thisProcess : DriverProcessCommand.host()
        let known = DeviceSelection.all(timeLimit: deviceTimeout?.duration, drivers: drivers)
        let all = known.devices
        if tune { tune(all) }
        let hardware = HardwareGroups(all.map(\.info))
        let devices = all.enumerated().map { index, device in
            DeviceDescription(
                device, index: index, sameAs: hardware.preferred(to: index).map { all[$0].info.identifier },
                testedWith: chain)
        }
        if json {
            try StandardStream.writeResult(devices.jsonText(pretty: true) + "\n")
        } else {
            let heads = ["INDEX", "DEVICE", "KIND", "MEMORY", "SELF-TEST", "NAME AND DRIVER"]
            let rows = devices.map { $0.row(Palette(for: .output)) }
            try StandardStream.writeResult(
                TextTable.text([heads] + rows, width: StandardStream.resultColumns))
        }
        for note in known.notes { StandardStream.error.write("\(note)\n".printable) }
        for case let (device, error?) in devices.map({ ($0.device, $0.error) }) {
            StandardStream.error.write("\(device): \(error)\n".printable)
        }
        let hints =
            all.contains(where: \.info.isGPU)
            ? zip(all, devices).compactMap {
                $1.passesSelfTest ? nil : GPUHint.current.missingCompiler(of: $0.info)
            }
            : [GPUHint.current.text].compactMap(\.self)
        for hint in hints.uniqued() { StandardStream.error.write("\(hint)\n".printable) }
    }
}

/// A device as `tintype devices` shows it.
struct DeviceDescription: Encodable {
    let index: Int
    let device: String
    let kind: String
    let name: String
    let driver: String
    let memoryBytes: UInt64
    /// The device of another platform that is the same hardware, and that `auto` and `gpu` prefer; nil if this one is
    /// used.
    let sameAs: String?
    let passesSelfTest: Bool
    /// What the self-test found; nil where it passed.
    let error: String?

    init(_ device: any Device, index: Int, sameAs: String?, testedWith chain: FilterChain) {
        self.index = index
        self.sameAs = sameAs
        self.device = device.info.identifier
        kind = device.info.kind.rawValue
        name = device.info.name
        driver = device.info.driver
        memoryBytes = device.info.memoryByteCount
        do {
            try DeviceRoster.test(device, chain)
            error = nil
        } catch {
            self.error = "\(error)"
        }
        passesSelfTest = error == nil
    }

    func row(_ palette: Palette) -> [String] {
        let memory = String(format: "%.1f GiB", Double(memoryBytes) / 0x1p30)
        let facts = [name, driver, sameAs.map { "the same as \($0), which is preferred" } ?? ""]
        return [
            "\(index)", device, kind, memory,
            palette.paint(passesSelfTest ? "ok" : "failed", passesSelfTest ? .success : .failure),
            facts.filter { !$0.isEmpty }.joined(separator: "\n").printable,
        ]
    }
}
