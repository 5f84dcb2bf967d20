import Foundation

let exitCode: Int32
if let complaint = RawArguments.complaint {
    StandardStream.error.write(complaint + "\n")
    exitCode = ExitStatus.usage.rawValue
} else {
    exitCode = TintypeCommand.execute(Array(CommandLine.arguments.dropFirst()))
}
// Not `exit`: at exit drivers tidy up, and one that hangs would keep the process. Files are whole and closed.
fflush(nil)
_exit(exitCode)
