import ArgumentParser
import Foundation

/// `tintype`: one subcommand a verb.
struct TintypeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tintype",
        abstract: "Filters large photo sets on a GPU, and on the CPU where there is none.",
        discussion: """
            The same photo gives the same bytes on every device. Originals are never touched.

            EXAMPLES
              tintype apply -f sepia -o out photos/
              tintype apply -f noir -f tilt-shift:radius=8 holiday.jpg
              tintype filters
              tintype devices
              tintype journal out
              tintype bench --report report.html

            EXIT CODES
              0    everything is done
              1    some photos failed; each is named
              2    wrong usage, or outputs that collide
              3    no photos found
              4    a device is missing or failed
              6    the disk or the memory is full
              75   only downloads failed, and may succeed later
              130  interrupted (143 by SIGTERM)
            """,
        version: "0.1.0",
        subcommands: [
            ApplyCommand.self, FiltersCommand.self, DevicesCommand.self, JournalCommand.self,
            BenchCommand.self, ConformanceCommand.self,
        ])

    /// Parses and runs; the result is the process's exit code.
    static func execute(_ arguments: [String]) -> Int32 {
        do {
            var command = try parseAsRoot(arguments)
            try command.run()
            return ExitStatus.done.rawValue
        } catch {
            return report(error)
        }
    }

    /// Help goes to standard output, complaints to standard error; ArgumentParser's own code for wrong usage
    /// is 64.
    private static func report(_ error: any Error) -> Int32 {
        let code = exitCode(for: error)
        let text = fullMessage(for: error)
        if code == .success {
            print(text)
        } else if !text.isEmpty {
            StandardStream.error.write(text + "\n")
        }
        return code == .validationFailure ? ExitStatus.usage.rawValue : code.rawValue
    }
}
