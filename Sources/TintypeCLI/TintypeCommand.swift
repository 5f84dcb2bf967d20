import ArgumentParser
import Foundation

/// `tintype`: one type for each subcommand.
struct TintypeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tintype",
        abstract: "Filters large photo sets on a GPU, and on the CPU where there is none.",
        discussion: """
            The same photo gives the same bytes on every device. Originals are never changed.

            EXAMPLES
              tintype apply -f sepia -o out photos/
              tintype apply -f noir -f tilt-shift:radius=8 holiday.jpg
              tintype gallery -f sepia photos/
              tintype filters
              tintype recipes
              tintype devices
              tintype journal out
              tintype plan photos/ -o out -f sepia -m manifest.jsonl
              tintype verify -m manifest.jsonl
              tintype config
              tintype bench --report report.html

            EXIT CODES
              0    everything is done
              1    some photos failed, each is named; or a result could not be printed
              2    wrong usage, or outputs that exist already in a run without a journal
              3    no photos found
              4    a device is missing or failed
              6    the disk is full, read-only or failing; the memory is full; or a limit
                   (ulimit) is too low to work with
              75   only downloads failed that may succeed later, or another run still
                   filters some photos: run again
              130  interrupted (143 by SIGTERM)
            """,
        version: Version.text,
        subcommands: [
            ApplyCommand.self, GalleryCommand.self, FiltersCommand.self, DevicesCommand.self,
            RecipesCommand.self, JournalCommand.self, PlanCommand.self, VerifyCommand.self,
            StatusCommand.self, ConfigCommand.self, BenchCommand.self,
            ConformanceCommand.self, DriverProcessCommand.self,
        ])

    /// Parses and runs; the result is the process's exit code.
    static func execute(_ arguments: [String]) -> Int32 {
        do {
            let subcommands = configuration.subcommands.map { $0.configuration.commandName ?? "" }
            if let complaint = UsageHint.complaint(arguments, subcommands: subcommands) {
                throw ValidationError(complaint)
            }
            var command = try parseAsRoot(splittingJoinedValues(arguments))
            try command.run()
            return ExitStatus.done.rawValue
        } catch let error as StandardStream.OutputError {
            return report(error)
        } catch {
            return report(error, arguments)
        }
    }

    /// The parser takes `-fsepia`, but reads `-fsepia:intensity=1` as a long flag with one hyphen: such values are
    /// split off.
    private static func splittingJoinedValues(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        let flags = arguments[..<end].flatMap { argument in
            let letters = argument.prefix(2), value = argument.dropFirst(2)
            let isJoined = ["-f", "-o"].contains(letters) && value.contains("=") && !value.hasPrefix("=")
            return isJoined ? [String(letters), String(value)] : [argument]
        }
        return flags + arguments[end...]
    }

    /// Help goes to standard output, complaints to standard error; ArgumentParser's own code for wrong usage
    /// is 64.
    private static func report(_ error: any Error, _ arguments: [String]) -> Int32 {
        let code = exitCode(for: error)
        let text = fullMessage(for: error)
        if code == .success {
            return StandardStream.output.write(text + "\n").map { report(.init(reason: $0)) } ?? code.rawValue
        }
        let status = code == .validationFailure ? ExitStatus.usage.rawValue : code.rawValue
        // Without text, the command has said why it ends.
        if !text.isEmpty {
            StandardStream.error.writeMessage(UsageHint.improving(text, arguments))
            LastLine.write(
                UsageHint.improving(message(for: error), arguments), exitCode: status, for: arguments)
        }
        return status
    }

    private static func report(_ error: StandardStream.OutputError) -> Int32 {
        if !error.isReaderGone { StandardStream.error.write("\(error)\n") }
        return ExitStatus(outputError: error).rawValue
    }
}
