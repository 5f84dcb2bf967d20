import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeJournals

/// A folder of inputs and outputs with a journal, and the steps of a run over small text files.
struct JournalSetting {
    let folder: TemporaryFolder
    let algorithm: ContentDigest.Algorithm

    init(_ algorithm: ContentDigest.Algorithm = .blake3) throws {
        folder = try TemporaryFolder()
        self.algorithm = algorithm
    }

    var outputFolder: String { folder.path("out") }

    func open() throws -> Journal { try Journal(outputFolder: outputFolder) }

    /// The journal's current lines, parsed by Foundation.
    func lines() throws -> [[String: Any]] {
        try folder.read("out/.tintype/journal.jsonl").split(separator: UInt8(ascii: "\n")).map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        }
    }

    func input(_ name: String, _ text: String) throws -> InputIdentity {
        let path = try folder.write(Array(text.utf8), to: "in/\(name)")
        var identity = try #require(InputIdentity(file: path))
        identity.digest = ContentDigest(algorithm, ofFile: path)
        return identity
    }

    /// As a new run would see it: from its name, size and time only.
    func seen(_ name: String) throws -> InputIdentity {
        try #require(InputIdentity(file: folder.path("in/\(name)")))
    }

    /// Writes an output and its receipts as a run does; stops where a kill is to be tried.
    func make(
        _ output: String, of input: InputIdentity, recipe: String = "r", text: String = "result",
        in journal: Journal,
        diesBefore: Step? = nil, isSuspect: Bool = false, hashedWith algorithm: ContentDigest.Algorithm? = nil
    ) throws {
        let file = try OutputFile(at: journal.path(of: output), temporaries: TemporaryFiles())
        _ = write(file.file.number, text, text.utf8.count)
        let hash = ContentHash(algorithm ?? self.algorithm)
        Array(text.utf8).withUnsafeBytes { hash.observe($0) }
        var receipt = Receipt(
            .publishing, output: output, input: input, recipe: recipe,
            file: try FileFingerprint(file.file, digest: hash.digest))
        receipt.temporary = try journal.outputName(of: file.temporaryPath)
        receipt.isSuspect = isSuspect
        try journal.append(receipt)
        if diesBefore == .publishing { return }
        try file.publish(overwrites: true)
        if diesBefore == .receipt { return }
        receipt.state = .done
        receipt.temporary = nil
        try journal.append(receipt)
    }

    enum Step { case publishing, receipt }
}

extension Journal {
    func decide(_ input: InputIdentity, _ output: String, recipe: String = "r") throws -> JournalDecision {
        try decision(for: input, recipe: recipe, output: output)
    }
}

extension JournalDecision {
    var isUpToDate: Bool { if case .upToDate = self { true } else { false } }
}
