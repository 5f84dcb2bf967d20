import Foundation
import Tintype

StandardStream.replaceClosed()
let exitCode: Int32
if let complaint = RawArguments.complaint {
    StandardStream.error.write(complaint + "\n")
    exitCode = ExitStatus.usage.rawValue
    LastLine.write(complaint, exitCode: exitCode, for: Array(CommandLine.arguments.dropFirst()))
} else {
    let arguments = Array(CommandLine.arguments.dropFirst())
    RawArguments.hideSecrets()
    Wording.useFlags()
    exitCode = TintypeCommand.execute(arguments)
}
// Not `exit`: that runs the drivers' exit handlers, and one that hangs would keep the process. All files are closed.
fflush(nil)
_exit(exitCode)
