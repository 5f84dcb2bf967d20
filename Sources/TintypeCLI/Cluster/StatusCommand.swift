import ArgumentParser
import Foundation
import Tintype
import TintypeBenchmarking

/// `tintype status`: how far the shards of a manifest have come.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show how far the runs of a manifest have come.",
        discussion: """
            Reads the output folder's journals only (or the list of a bucket's objects), on any machine that sees it, while shards are at work. The exit \
            code is 1 where photos have failed.
            """)

    @OptionGroup
    var place: ManifestFlags

    @Flag(help: "Print one JSON line for each shard, and one for all.")
    var json = false

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        let (shards, status) = try reporting(json: json ? "status" : nil, read)
        if json {
            for line in shards { try StandardStream.writeResult(line.jsonText() + "\n") }
            try StandardStream.writeResult(status.jsonText() + "\n")
        } else {
            try StandardStream.writeResult(Self.text(shards, status))
        }
        if status.exitCode != 0 { throw ExitCode(status.exitCode) }
    }

    private func read() throws -> (shards: [ShardLine], status: ManifestLine) {
        let manifest = try Manifest(place.manifest)
        let objects = try place.objects(of: manifest)
        // The manifest's own folder may be missing as long as nothing is made.
        if objects == nil, let output = place.output, !isFolder(output) {
            throw JournalError.none(folder: output)
        }
        let progress =
            if let folder = objects {
                try ManifestProgress(of: manifest, in: folder, place.network.configuration)
            } else {
                try ManifestProgress(of: manifest, in: place.output)
            }
        let outputCount = manifest.photoCount * CanonicalText(manifest.header.recipe).outputs.count
        return (progress.shards.map(ShardLine.init), ManifestLine(progress, outputCount: outputCount))
    }

    private static func text(_ shards: [ShardLine], _ status: ManifestLine) -> String {
        var rows = [["shard", "machine", "done", "failed", "runs", "last wrote"]]
        rows += shards.map { line in
            [
                line.shard, line.host, "\(line.done)", "\(line.failed)", "\(line.runs)",
                Date(timeIntervalSince1970: line.lastTime).formatted(.iso8601),
            ]
        }
        let table = shards.isEmpty ? "" : TextTable.text(rows).printable
        return table + status.text + "\n"
    }
}

/// One line of `--json` for one shard.
private struct ShardLine: Encodable {
    let type = "shard"
    let shard: String
    let host: String
    let done: Int
    let failed: Int
    let publishing: Int
    let runs: Int
    /// In seconds since 1970.
    let lastTime: Double

    init(_ progress: ManifestProgress.ShardProgress) {
        shard = "\(progress.shard)"
        host = progress.host
        done = progress.doneCount
        failed = progress.failedCount
        publishing = progress.publishingCount
        runs = progress.runCount
        lastTime = progress.lastTime
    }
}

/// The last line of `--json`: the manifest as a whole.
private struct ManifestLine: Encodable {
    let type = "status"
    let outputs: Int
    let done: Int
    let failed: Int
    let left: Int
    /// Mean since the first run began; nil before the first output.
    let outputsPerSecond: Double?
    /// At that speed; nil if it is not known.
    let secondsLeft: Double?
    let exitCode: Int32

    init(_ progress: ManifestProgress, outputCount: Int) {
        outputs = outputCount
        done = progress.doneCount
        failed = progress.failedCount
        let left = max(0, outputCount - done - failed)
        self.left = left
        outputsPerSecond = progress.outputsPerSecond
        exitCode = (failed > 0 ? ExitStatus.photosFailed : .done).rawValue
        secondsLeft = progress.outputsPerSecond.map { Double(left) / $0 }
    }

    var text: String {
        var text = "\(done) of \(outputs) outputs are done"
        if failed > 0 { text += ", \(failed) failed" }
        if let outputsPerSecond { text += String(format: "; %.1f a second", outputsPerSecond) }
        if left > 0, let secondsLeft { text += "; \(Duration.seconds(secondsLeft).formatted()) left" }
        return text + "."
    }
}
