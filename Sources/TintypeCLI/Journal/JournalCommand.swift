import ArgumentParser
import Foundation
import Tintype
import TintypeBenchmarking

/// `tintype journal`: what has been done in an output folder, and what failed.
struct JournalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal",
        abstract: "Show what has been done in an output folder, and what failed.",
        discussion: """
            The exit code is 1 where photos have failed, so that scripts can ask. Runs may be at work meanwhile. The \
            journals of all shards count.

            Nothing is changed, except by --merge: it takes the journals of shards into the folder's own, which runs \
            without shards need.
            """)

    @Argument(
        help: ArgumentHelp("A folder that 'tintype apply --output' has written to.", valueName: "folder"),
        completion: .directory)
    var folder: String

    @Flag(help: "Print one JSON line for each photo that failed, and one for all, on standard output.")
    var json = false

    @Flag(help: "Print the photos that failed, and nothing else.")
    var failed = false

    @Flag(help: "First take in the journals of shards. Call it once all shards have ended.")
    var merge = false

    func run() throws {
        var outputError: Errno?
        let summary = try reporting(json: json ? "journal" : nil) {
            if merge { try Journal.mergeShards(in: folder.isEmpty ? "." : folder) }
            return try JournalSummary(outputFolder: folder.isEmpty ? "." : folder) { receipt in
                guard receipt.state == .failed, outputError == nil else { return }
                outputError = StandardStream.output.write(text(of: receipt) + "\n")
            }
        }
        if let outputError { throw StandardStream.OutputError(reason: outputError) }
        if !failed {
            let text = json ? JournalLine(summary).jsonText() + "\n" : Self.text(summary)
            try StandardStream.writeResult(text)
        }
        if summary.failedCount > 0 { throw ExitCode(ExitStatus.photosFailed.rawValue) }
    }

    private func text(of receipt: Receipt) -> String {
        if json { return FailureLine(receipt).jsonText() }
        let output = receipt.variant.map { ", output \($0)" } ?? ""
        return "\(receipt.input.location.printableName)\(output): \(receipt.error ?? "failed")".printable
    }

    /// The summary as people read it.
    static func text(_ summary: JournalSummary) -> String {
        var rows = [
            ["done", "\(summary.doneCount)"], ["failed", "\(summary.failedCount)"],
            ["interrupted", "\(summary.interruptedCount)"],
            ["pixels", String(format: "%.1f MP", Double(summary.pixelCount) / 1e6)],
            ["written", String(format: "%.1f MB", Double(summary.byteCount) / 1e6)],
        ]
        for (device, count) in summary.photosByDevice.sorted(by: { $0.key < $1.key }) {
            rows.append(["on \(device)", "\(count)"])
        }
        if summary.fallbackCount > 0 { rows.append(["fallbacks", "\(summary.fallbackCount)"]) }
        if let span = summary.timeSpan {
            rows += [["first", Self.date(span.lowerBound)], ["last", Self.date(span.upperBound)]]
        }
        if summary.damagedLineCount > 0 { rows.append(["damaged lines", "\(summary.damagedLineCount)"]) }
        return TextTable.text(rows).printable
    }

    fileprivate static func date(_ time: Double) -> String {
        Date(timeIntervalSince1970: time).formatted(.iso8601)
    }
}

/// One line of `--json` for one photo that failed.
private struct FailureLine: Encodable {
    let type = "photo"
    let status = "failed"
    let input: String
    let output: String
    let error: String?
    let device: String?
    let time: String

    init(_ receipt: Receipt) {
        input = receipt.input.location
        output = receipt.output
        error = receipt.error
        device = receipt.device
        time = JournalCommand.date(receipt.time)
    }
}

/// The last line of `--json`: the journal as a whole.
private struct JournalLine: Encodable {
    let type = "journal"
    let done: Int
    let failed: Int
    let interrupted: Int
    let pixels: Int
    let bytes: Int
    let devices: [String: Int]
    let fallbacks: Int
    let first: String?
    let last: String?
    let damagedLines: Int
    let exitCode: Int32

    init(_ summary: JournalSummary) {
        done = summary.doneCount
        failed = summary.failedCount
        interrupted = summary.interruptedCount
        pixels = summary.pixelCount
        bytes = summary.byteCount
        devices = summary.photosByDevice
        fallbacks = summary.fallbackCount
        first = summary.timeSpan.map { JournalCommand.date($0.lowerBound) }
        last = summary.timeSpan.map { JournalCommand.date($0.upperBound) }
        damagedLines = summary.damagedLineCount
        exitCode = (summary.failedCount > 0 ? ExitStatus.photosFailed : .done).rawValue
    }
}
