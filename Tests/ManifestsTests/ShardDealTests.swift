import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeManifests

struct ShardDealTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func manifest(_ sizes: [Int?]) throws -> Manifest {
        let path = folder.path("m\(sizes.count).jsonl")
        var writer = try ManifestWriter(at: path, ManifestHeader(root: "/p", outputFolder: "/o", recipe: "r"))
        for (index, size) in sizes.enumerated() {
            let name = "\(index).jpg"
            try writer.write(ManifestPhoto(input: name, byteCount: size, outputs: [name]))
        }
        try writer.finish()
        return try Manifest(path)
    }

    /// The photos of each shard.
    private func parts(_ manifest: Manifest, _ count: Int) throws -> [[Int]] {
        let deal = try ShardDeal(manifest, among: count)
        return try (1...count).map { number in
            let shard = try #require(Shard(number, of: count))
            return (0..<manifest.photoCount).filter { deal.has(shard, photo: $0) }
        }
    }

    @Test(arguments: [1, 2, 3, 24, 601]) func everyPhotoHasOneShard(count: Int) throws {
        var random = SeededGenerator(seed: 1)
        let sizes = (0..<600).map { _ in Int.random(in: 1_000_000...20_000_000, using: &random) }
        let parts = try parts(manifest(sizes), count)
        #expect(parts.flatMap(\.self).sorted() == Array(0..<600))
        let counts = parts.map(\.count)
        #expect(counts.max()! - counts.min()! <= 1)
        guard count <= 24 else { return }
        let bytes = parts.map { $0.reduce(0) { $0 + sizes[$1] } }
        #expect(bytes.max()! - bytes.min()! <= 20_000_000, "more than a photo apart")
    }

    @Test func photosWithoutSizesAreDealtByTheirNames() throws {
        let parts = try parts(manifest([Int?](repeating: nil, count: 90)), 3)
        #expect(parts.map(\.count) == [30, 30, 30])
        // Not by their order: runs of neighbours would all be in one shard, or in turn.
        let turns = zip(parts[0], parts[0].dropFirst()).map { $1 - $0 }
        #expect(Set(turns).count > 3, "\(parts[0])")
    }
}

/// The variables are those in the schedulers' manuals.
struct SchedulerTests {
    private func shard(_ text: String) throws -> Shard {
        let pairs = text.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        return try Shard(
            scheduledBy: Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") }))
    }

    @Test(arguments: [
        (
            "SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=24 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=23",
            "1/24"
        ),
        (
            "SLURM_ARRAY_TASK_ID=24 SLURM_ARRAY_TASK_COUNT=24 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=24",
            "24/24"
        ),
        (
            "SLURM_ARRAY_TASK_ID=8 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=8 SLURM_ARRAY_TASK_STEP=4",
            "3/3"
        ),
        (
            "SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=4 TINTYPE_SHARD_COUNT=4",
            "2/4"
        ),
        ("AWS_BATCH_JOB_ARRAY_INDEX=0 AWS_BATCH_JOB_ARRAY_SIZE=10", "1/10"),
        ("JOB_COMPLETION_INDEX=9 TINTYPE_SHARD_COUNT=10", "10/10"),
        ("PBS_ARRAY_INDEX=1 TINTYPE_SHARD_COUNT=10", "1/10"),
        ("LSB_JOBINDEX=5 LSB_JOBINDEX_END=10 LSB_JOBINDEX_STEP=1 TINTYPE_SHARD_COUNT=10", "5/10"),
        ("SGE_TASK_ID=3 SGE_TASK_FIRST=1 SGE_TASK_LAST=9 SGE_TASK_STEPSIZE=2", "2/5"),
        ("LSB_JOBINDEX=0 SGE_TASK_ID=undefined JOB_COMPLETION_INDEX=0 TINTYPE_SHARD_COUNT=1", "1/1"),
    ])
    func aTaskKnowsItsShard(variables: String, expected: String) throws {
        #expect(try shard(variables) == Shard(expected))
    }

    /// Task 3 of each whole array, and the same task in an array of its own.
    @Test(arguments: [
        ("SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_", "1 4 1", "3 3 1", "1-4"),
        ("SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_", "0 3 1", "3 3 1", "0-3%2"),
        ("SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_", "1 7 2", "3 3 1", "1-7:2"),
        ("SGE_TASK_ID=3 SGE_TASK_", "1 4 1", "3 3 1", "1-4"),
        ("SGE_TASK_ID=3 SGE_TASK_", "1 7 2", "3 3 1", "1-7:2"),
    ])
    func aTaskThatRunsAgainHasTheSameShard(
        task: String, whole: String, alone: String, range: String
    ) throws {
        func variables(_ text: String) -> String {
            let numbers = text.split(separator: " ").map { Int($0)! }
            if task.hasPrefix("SGE") {
                return
                    "\(task)FIRST=\(numbers[0]) SGE_TASK_LAST=\(numbers[1]) SGE_TASK_STEPSIZE=\(numbers[2])"
            }
            let prefix = "SLURM_ARRAY_TASK_"
            return "\(task)MIN=\(numbers[0]) \(prefix)MAX=\(numbers[1]) \(prefix)STEP=\(numbers[2]) "
                + "\(prefix)COUNT=\((numbers[1] - numbers[0]) / numbers[2] + 1)"
        }
        let first = try shard(variables(whole))
        #expect(first.count == 4)
        #expect(try shard(variables(alone) + " TINTYPE_SHARD_ARRAY=\(range)") == first)
        let name = task.hasPrefix("SGE") ? "SGE" : "Slurm"
        for count in ["", " TINTYPE_SHARD_COUNT=4"] {
            #expect(throws: ShardError.partOfAnArray(scheduler: name)) {
                try shard(variables(alone) + count)
            }
        }
    }

    @Test(arguments: ["PBS_ARRAY_INDEX=6", "LSB_JOBINDEX=6 LSB_JOBINDEX_END=6", "JOB_COMPLETION_INDEX=6"])
    func aRangeTellsWhereAnArrayBegins(task: String) throws {
        #expect(try shard("\(task) TINTYPE_SHARD_ARRAY=5-8") == Shard("2/4"))
    }

    @Test(arguments: [
        ("", ShardError.noScheduler),
        ("LSB_JOBINDEX=0 SGE_TASK_ID=undefined", .noScheduler),
        ("JOB_COMPLETION_INDEX=3", .noCount(scheduler: "Kubernetes")),
        ("PBS_ARRAY_INDEX=3", .noCount(scheduler: "PBS")),
        // Of [3], [1-3] or [1,3]: LSF tells the end only.
        ("LSB_JOBINDEX=3 LSB_JOBINDEX_END=3 LSB_JOBINDEX_STEP=1", .noCount(scheduler: "LSF")),
        (
            "AWS_BATCH_JOB_ARRAY_INDEX=1 AWS_BATCH_JOB_ARRAY_SIZE=10 TINTYPE_SHARD_COUNT=24",
            .partOfAnArray(scheduler: "AWS Batch")
        ),
        ("PBS_ARRAY_INDEX=3 TINTYPE_SHARD_ARRAY=1,3", .range("1,3")),
        ("PBS_ARRAY_INDEX=3 TINTYPE_SHARD_ARRAY=4-1", .range("4-1")),
        ("PBS_ARRAY_INDEX=3 TINTYPE_SHARD_ARRAY=1-9:0", .range("1-9:0")),
        (
            "PBS_ARRAY_INDEX=3 TINTYPE_SHARD_ARRAY=1-9:2 TINTYPE_SHARD_COUNT=9",
            .countsDiffer(tasks: 5, shards: 9)
        ),
        (
            "PBS_ARRAY_INDEX=4 TINTYPE_SHARD_ARRAY=1-9:2",
            .outOfRange(variable: "PBS_ARRAY_INDEX", value: 4, expected: 1...9)
        ),
        ("JOB_COMPLETION_INDEX=x TINTYPE_SHARD_COUNT=3", .variable("JOB_COMPLETION_INDEX", value: "x")),
        ("JOB_COMPLETION_INDEX=1 TINTYPE_SHARD_COUNT=", .variable("TINTYPE_SHARD_COUNT", value: "")),
        (
            "JOB_COMPLETION_INDEX=3 TINTYPE_SHARD_COUNT=3",
            .outOfRange(variable: "JOB_COMPLETION_INDEX", value: 3, expected: 0...2)
        ),
        // Tasks 3 and 7 of a larger array, run again.
        (
            "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=7",
            .partOfAnArray(scheduler: "Slurm")
        ),
        (
            "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=1 SLURM_ARRAY_TASK_MIN=7 SLURM_ARRAY_TASK_MAX=7",
            .partOfAnArray(scheduler: "Slurm")
        ),
    ])
    func whatIsNotKnownIsAsked(variables: String, expected: ShardError) {
        #expect(throws: expected) { try shard(variables) }
        #expect(!expected.description.isEmpty)
    }
}
