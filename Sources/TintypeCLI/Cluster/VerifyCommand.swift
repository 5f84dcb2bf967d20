import ArgumentParser
import Foundation
import SystemPackage
import Tintype

/// `tintype verify`: proves that a manifest's outputs are there.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Prove that every output of a manifest is there, whole and once.",
        discussion: """
            Each output's file is compared with its receipt: its size, its hash and its recipe. Named are outputs that are \
            missing, damaged, doubled (planned more than once, or made with different bytes) or foreign (photos in the \
            output folder that no receipt or no plan knows). The exit code is 1 then. Nothing is changed.

            EXAMPLES
              tintype verify -m manifest.jsonl
              tintype verify -m manifest.jsonl --missing-to rest.jsonl || tintype apply -m rest.jsonl
            """)

    @OptionGroup
    var place: ManifestFlags

    @Option(
        help: ArgumentHelp(
            "Write a manifest of the photos whose outputs are missing, damaged or foreign. "
                + "'tintype apply --manifest' makes them; files that are there need --overwrite.",
            valueName: "file"),
        completion: .file())
    var missingTo: String?

    @Flag(help: "Compare sizes only, or what objects say of themselves, and read no output.")
    var noHash = false

    @Flag(help: "Print one JSON line for each output that is not as planned, and one for all.")
    var json = false

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        let (summary, problems) = try reporting(json: json ? "verification" : nil, verify)
        let line = VerificationLine(summary, repair: repair(problems))
        try StandardStream.writeResult((json ? line.jsonText() : line.text) + "\n")
        if !json, let repair = line.repair {
            let first =
                problems.contains(.damaged) ? "Delete the damaged outputs, then make them again" : "Make them"
            StandardStream.error.writeMessage("\(first): \(repair)")
        }
        if line.exitCode != 0 { throw ExitCode(line.exitCode) }
    }

    /// The command that makes what is not as planned; nil if there is nothing that it would make.
    private func repair(_ problems: Set<Verification.Problem>) -> String? {
        guard !problems.isDisjoint(with: [.missing, .damaged, .foreign]) else { return nil }
        var words = ["tintype", "apply", "-m", missingTo ?? place.manifest]
        if let output = place.output { words += ["-o", output] }
        if let endpoint = place.network.endpoint { words += ["--endpoint", endpoint.text] }
        if problems.contains(.foreign) { words.append("--overwrite") }
        return words.map(\.shellQuoted).joined(separator: " ")
    }

    /// - Returns: the totals, and the problems of planned outputs.
    private func verify() throws -> (Verification.Summary, Set<Verification.Problem>) {
        let manifest = try Manifest(place.manifest)
        // Reading all outputs may take hours.
        if let missingTo, (try? Stat(link: missingTo)) != nil { throw ManifestError.exists(path: missingTo) }
        var rest: ManifestWriter?
        var problems: Set<Verification.Problem> = []
        func find(_ finding: Verification.Finding) throws {
            if finding.input != nil { problems.insert(finding.problem) }
            let text =
                json
                ? FindingLine(finding).jsonText()
                : "\(finding.problem.rawValue): \(finding.output.printableName) (\(finding.reason.printable))"
            try StandardStream.writeResult(text + "\n")
        }
        func redo(_ photo: ManifestPhoto) throws {
            guard let missingTo else { return }
            if rest == nil { rest = try ManifestWriter(at: missingTo, manifest.header) }
            try rest?.write(photo)
        }
        let summary =
            if let folder = try place.objects(of: manifest) {
                try ObjectVerification(
                    of: manifest, in: folder, checksHashes: !noHash, place.network.configuration
                ).run(find, redo: redo)
            } else {
                try Verification(of: manifest, in: place.output, checksHashes: !noHash).run(find, redo: redo)
            }
        try rest.take()?.finish()
        return (summary, problems)
    }
}

/// The manifest that a command is about, and where its outputs are.
struct ManifestFlags: ParsableArguments {
    @Option(
        name: [.customShort("m", allowingJoined: true), .long],
        help: ArgumentHelp("The manifest, which 'tintype plan' has written.", valueName: "file"),
        completion: .file())
    var manifest: String

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp(
            "The output folder, where it is elsewhere on this machine.", valueName: "folder"),
        completion: .directory)
    var output: String?

    @OptionGroup(title: "Objects")
    var network: NetworkFlags

    /// Where the outputs are, if they are objects.
    func objects(of manifest: Manifest) throws(DownloadError) -> S3Location? {
        let folder = output ?? manifest.header.outputFolder
        return S3Location.isLocation(folder) ? try S3Location(folder) : nil
    }
}

/// One line of `--json` for an output that is not as planned.
private struct FindingLine: Encodable {
    let type = "output"
    let status: String
    let input: String?
    let output: String
    let reason: String

    init(_ finding: Verification.Finding) {
        status = finding.problem.rawValue
        input = finding.input
        output = finding.output
        reason = finding.reason
    }
}

/// The last line of `--json`.
private struct VerificationLine: Encodable {
    let type = "verification"
    let outputs: Int
    let whole: Int
    let missing: Int
    let damaged: Int
    let doubled: Int
    let foreign: Int
    let temporaries: Int
    /// The command that makes what is not as planned; absent if there is nothing that it would make.
    let repair: String?
    let exitCode: Int32

    init(_ summary: Verification.Summary, repair: String?) {
        self.repair = repair
        exitCode = (summary.isWhole ? ExitStatus.done : .photosFailed).rawValue
        outputs = summary.outputCount
        whole = summary.wholeCount
        missing = summary.counts[.missing] ?? 0
        damaged = summary.counts[.damaged] ?? 0
        doubled = summary.counts[.doubled] ?? 0
        foreign = summary.counts[.foreign] ?? 0
        temporaries = summary.temporaryCount
    }

    var text: String {
        var parts = ["\(whole) of \(outputs) outputs are there, whole and once"]
        for (count, name) in [
            (missing, "missing"), (damaged, "damaged"), (doubled, "doubled"), (foreign, "foreign"),
            (temporaries, "temporary files of killed runs"),
        ] where count > 0 { parts.append("\(count) \(name)") }
        return parts.joined(separator: "; ") + "."
    }
}
