// Works on a journal as a run does, with small text files in place of photos, until every output is done.
// Tests start several of these on one folder and kill them at any moment.
//
// Usage: JournalWorker FOLDER COUNT SEED
import Foundation
import TestSupport
import Tintype

/// The content that an output must have, from any process.
func content(of output: String) -> [UInt8] { Array(String(repeating: "\(output)\n", count: 500).utf8) }

func work(_ output: String, _ claim: OutputClaim, _ journal: Journal, _ input: InputIdentity) throws {
    let file = try OutputFile(at: "\(journal.folder)/\(output)", temporaries: TemporaryFiles())
    let bytes = content(of: output)
    let hash = ContentHash(.blake3)
    for part in stride(from: 0, to: bytes.count, by: 1000) {
        let chunk = Array(bytes[part..<min(part + 1000, bytes.count)])
        try file.file.write(chunk)
        chunk.withUnsafeBytes { hash.observe($0) }
        usleep(50)
    }
    let fingerprint = try FileFingerprint(file.file, digest: hash.digest)
    var receipt = Receipt(.publishing, output: output, input: input, recipe: "test", file: fingerprint)
    receipt.temporary = try journal.outputName(of: file.temporaryPath)
    try journal.append(receipt)
    try file.publish(overwrites: false)
    usleep(200)
    receipt.state = .done
    receipt.temporary = nil
    try journal.append(receipt)
    withExtendedLifetime(claim) {}
}

func run() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let count = Int(arguments[2]), let seed = UInt64(arguments[3]) else {
        exit(2)
    }
    let journal = try Journal(outputFolder: arguments[1])
    var random = SeededGenerator(seed: seed)
    var left = Set((0..<count).map { "\($0 % 7)/photo \($0).jpg" })
    while !left.isEmpty {
        for output in left.sorted().shuffled(using: &random) {
            let input = InputIdentity(location: "https://host/\(output)")
            switch try journal.admit(input, recipe: "test", output: output) {
            case .work(let claim, _): try work(output, claim, journal, input)
            case .skip(.upToDate): left.remove(output)
            case .skip(.claimedByOther): continue
            case .skip(let decision):
                FileHandle.standardError.write(Data("\(output): \(decision)\n".utf8))
                exit(3)
            }
        }
    }
}

do {
    try run()
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
