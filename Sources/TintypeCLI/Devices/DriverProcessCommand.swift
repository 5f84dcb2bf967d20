import ArgumentParser
import Tintype

/// `tintype driver-process`: what the tool starts to load OpenCL's drivers.
struct DriverProcessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "driver-process",
        abstract: "Run OpenCL devices for another process of Tintype, which starts this one.",
        shouldDisplay: false)

    func run() throws {
        guard DriverServer.run(DeviceBackends.all) else {
            throw ValidationError("Tintype starts this command by itself, for its OpenCL devices.")
        }
    }

    private static let command = ["/proc/self/exe", configuration.commandName ?? "driver-process"]

    /// Processes that compile programs.
    ///
    /// - Parameter timeLimit: as in `ProgramCompilers`; nil is the usual one.
    static func compilers(timeLimit: Duration?) -> ProgramCompilers {
        timeLimit.map { ProgramCompilers(command, timeLimit: $0) } ?? ProgramCompilers(command)
    }

    /// A process of its own for the drivers, so that one that crashes does not end the run. It is started when devices are
    /// sought.
    static func host() -> DriverHost { .separate(DriverProcess(command, testing: .baseline)) }
}
