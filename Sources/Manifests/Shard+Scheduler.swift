import Foundation
import Journals

/// Why `--shard auto` does not know its shard.
public enum ShardError: Error, Equatable, Sendable {
    /// No scheduler's variables are set.
    case noScheduler
    /// A variable is missing or has no usable value.
    case variable(String, value: String?)
    /// The scheduler does not say how many tasks the array has.
    case noCount(scheduler: String)
    /// The array has gaps, so its size is not the number of shards.
    case partOfAnArray(scheduler: String)
    /// The task's index is not among those of `count` shards.
    case outOfRange(variable: String, value: Int, expected: ClosedRange<Int>)
}

extension ShardError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noScheduler:
            "--shard auto finds no array task of Slurm, Kubernetes, AWS Batch, PBS, LSF or SGE. Give the shard, such as "
                + "--shard 3/24."
        case .variable(let name, nil): "--shard auto needs the variable \(name), which is not set."
        case .variable(let name, let value?):
            "--shard auto expects a number in the variable \(name), got '\(value)'."
        case .noCount(let scheduler):
            "\(scheduler) does not say how many tasks its array has. Set \(Shard.countVariable) to the number of shards."
        case .partOfAnArray(let scheduler):
            "The tasks of this array of \(scheduler) are a part of another: set \(Shard.countVariable) to the number of all "
                + "shards."
        case .outOfRange(let name, let value, let expected):
            "\(name) is \(value), but the shards have the numbers \(expected.lowerBound) to \(expected.upperBound)."
        }
    }
}

extension Shard {
    /// The variable that tells the number of shards where the scheduler does not, or where only some tasks of the
    /// array run.
    public static let countVariable = "TINTYPE_SHARD_COUNT"

    /// The shard of an array task, as its scheduler's environment variables tell it.
    ///
    /// - Throws: `ShardError`.
    public init(scheduledBy environment: [String: String]) throws(ShardError) {
        guard let scheduler = Scheduler.all.first(where: { $0.hasTask(environment) }) else {
            throw .noScheduler
        }
        let index = try scheduler.number(scheduler.index, environment)
        var first = scheduler.firstIndex, step = 1
        let count: Int
        if environment[Self.countVariable] != nil {
            count = try scheduler.number(Self.countVariable, environment)
        } else {
            if let name = scheduler.first { first = try scheduler.number(name, environment) }
            if let name = scheduler.step, environment[name] != nil {
                step = max(1, try scheduler.number(name, environment))
            }
            let counted = try scheduler.count.map { name throws(ShardError) in
                try scheduler.number(name, environment)
            }
            let spanned = try scheduler.last.map { name throws(ShardError) in
                (try scheduler.number(name, environment) - first) / step + 1
            }
            guard let size = counted ?? spanned else { throw .noCount(scheduler: scheduler.name) }
            // Arrays begin with 0 or 1; one that begins elsewhere runs some tasks of another again.
            guard spanned ?? size == size, first <= 1 else { throw .partOfAnArray(scheduler: scheduler.name) }
            count = size
        }
        guard let shard = Shard((index - first) / step + 1, of: count), (index - first) % step == 0 else {
            throw .outOfRange(
                variable: scheduler.index, value: index, expected: first...(first + max(0, count - 1) * step))
        }
        self = shard
    }
}

/// The variables by which a scheduler tells a task of an array its place.
private struct Scheduler: Sendable {
    let name: String
    let index: String
    /// The index of the first task, unless `first` tells it.
    let firstIndex: Int
    var count: String?
    var first: String?
    var last: String?
    var step: String?

    /// Each as its manual describes them. PBS has no variable for the size.
    static let all = [
        Scheduler(
            name: "Slurm", index: "SLURM_ARRAY_TASK_ID", firstIndex: 0, count: "SLURM_ARRAY_TASK_COUNT",
            first: "SLURM_ARRAY_TASK_MIN", last: "SLURM_ARRAY_TASK_MAX", step: "SLURM_ARRAY_TASK_STEP"),
        Scheduler(
            name: "AWS Batch", index: "AWS_BATCH_JOB_ARRAY_INDEX", firstIndex: 0,
            count: "AWS_BATCH_JOB_ARRAY_SIZE"),
        Scheduler(name: "Kubernetes", index: "JOB_COMPLETION_INDEX", firstIndex: 0),
        Scheduler(name: "PBS", index: "PBS_ARRAY_INDEX", firstIndex: 1),
        Scheduler(
            name: "LSF", index: "LSB_JOBINDEX", firstIndex: 1, last: "LSB_JOBINDEX_END",
            step: "LSB_JOBINDEX_STEP"),
        Scheduler(
            name: "SGE", index: "SGE_TASK_ID", firstIndex: 1, first: "SGE_TASK_FIRST", last: "SGE_TASK_LAST",
            step: "SGE_TASK_STEPSIZE"),
    ]

    /// Whether this is a task of an array. Outside of arrays, LSF sets 0 and SGE `undefined`.
    func hasTask(_ environment: [String: String]) -> Bool {
        guard let value = environment[index] else { return false }
        return value != "undefined" && !(name == "LSF" && value == "0")
    }

    func number(_ variable: String, _ environment: [String: String]) throws(ShardError) -> Int {
        let value = environment[variable]
        guard let value, let number = Int(value), 0...Shard.maxCount ~= number else {
            throw .variable(variable, value: value)
        }
        return number
    }
}
