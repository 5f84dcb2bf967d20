// One long-lived process that filters many photos, while devices, downloads and photos fail, and runs are cancelled and
// suspended: threads, open files and memory must end where they began.
//
// usage: soak PHOTOS SEED [DEVICE]        DEVICE: as for `tintype apply --device`; 0 by default, an OpenCL device
//
// Equal seeds make equal photos, rounds and faults; only what races differs. Exit code 1: something was wrong, and is told.
import CTintypeMalloc
import Foundation
import TestSupport
import Tintype

signal(SIGPIPE, SIG_IGN)
// With an arena for each thread, free memory between pieces in use grows for thousands of photos, which hides leaks.
mallopt(M_ARENA_MAX, 1)

let arguments = CommandLine.arguments
guard arguments.count >= 3, let photoCount = Int(arguments[1]), let seed = UInt64(arguments[2]) else {
    FileHandle.standardError.write(Data("usage: soak PHOTOS SEED [DEVICE]\n".utf8))
    exit(2)
}
let device = arguments.count > 3 ? arguments[3] : "0"

do {
    let problems = try await Soak(photoCount: photoCount, seed: seed, device: device).run()
    for problem in problems.prefix(50) { say("WRONG: \(problem)") }
    exit(problems.isEmpty ? 0 : 1)
} catch {
    FileHandle.standardError.write(Data("soak: \(error)\n".utf8))
    exit(1)
}
