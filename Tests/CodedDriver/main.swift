import CodedDevice
import Glibc
import TintypeIsolatedRendering

// A driver process with a `CodedDevice`.
//
// Usage: coded-driver FILE. With a FILE that exists, the first photo removes it, and ends the process.
let marker = CommandLine.arguments.dropFirst().first
let device = CodedDevice { _ in
    if let marker, unlink(marker) == 0 { _exit(9) }
    return nil
}
guard DriverServer.run([CodedBackend(device)]) else { fatalError("tests start this process") }
