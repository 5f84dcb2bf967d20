import Foundation
import TintypeImaging
import TintypeJournals

/// Why `--shard auto` does not know its shard.
public enum ShardError: Error, Equatable, Sendable {
    /// No scheduler's variables are set.
    case noScheduler
    /// A variable is missing or has no usable value.
    case variable(String, value: String?)
    /// The scheduler does not say which tasks the array has.
    case noCount(scheduler: String)
    /// The array does not have all tasks of the one that was submitted first, so its size is not the number of shards.
    case partOfAnArray(scheduler: String)
    /// The text is no range of an array's tasks.
    case range(String)
    /// The range that was given has this number of tasks, and not the number of shards that was given.
    case countsDiffer(tasks: Int, shards: Int)
    /// The task's index is not among those of all shards.
    case outOfRange(variable: String, value: Int, expected: ClosedRange<Int>)
}

extension ShardError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noScheduler:
            "\(Wording.shardSearch.text) finds no array task of Slurm, Kubernetes, AWS Batch, PBS, LSF or SGE. "
                + Wording.nameShard.text
        case .variable(let name, nil):
            "\(Wording.shardSearch.text) needs the variable \(name), which is not set."
        case .variable(let name, let value?):
            "\(Wording.shardSearch.text) expects a number in the variable \(name), got '\(value)'."
        case .noCount(let scheduler):
            "\(scheduler) does not say which tasks its array has. Set \(Shard.countVariable) to the number of all shards, if "
                + "the array counts from \(Scheduler.firstIndex(of: scheduler)), or \(Shard.arrayVariable) to the whole "
                + "array's range, such as 5-28."
        case .partOfAnArray(let scheduler):
            "This array of \(scheduler) does not have the tasks of all shards. To run some tasks again, set "
                + "\(Shard.arrayVariable) to the range of the whole array, as it was submitted, such as 0-23 or 1-24. Or submit "
                + "the whole array again: what is done is skipped."
        case .range(let text):
            "\(Shard.arrayVariable) expects the range of the whole array, such as 0-23, 1-24 or 1-47:2, got '\(text)'."
        case .countsDiffer(let tasks, let shards):
            "\(Shard.arrayVariable) has \(tasks) tasks, and \(Shard.countVariable) is \(shards): unset one of them."
        case .outOfRange(let name, let value, let expected):
            "\(name) is \(value), but the shards have the numbers \(expected.lowerBound) to \(expected.upperBound). "
                + "\(Shard.arrayVariable) sets others, such as 5-28."
        }
    }
}

extension Shard {
    /// The variable that tells the number of shards where the scheduler does not.
    public static let countVariable = "TINTYPE_SHARD_COUNT"
    /// The variable that tells the range of the whole array, where only some of its tasks run again.
    public static let arrayVariable = "TINTYPE_SHARD_ARRAY"

    /// The shard of an array task, as its scheduler's environment variables tell it.
    ///
    /// - Throws: `ShardError`.
    public init(scheduledBy environment: [String: String]) throws(ShardError) {
        guard let scheduler = Scheduler.all.first(where: { $0.hasTask(environment) }) else {
            throw .noScheduler
        }
        let index = try scheduler.number(scheduler.index, environment)
        let tasks = try scheduler.tasks(environment)
        let (place, rest) = (index - tasks.first).quotientAndRemainder(dividingBy: tasks.step)
        guard rest == 0, let shard = Shard(place + 1, of: tasks.count) else {
            throw .outOfRange(variable: scheduler.index, value: index, expected: tasks.range)
        }
        self = shard
    }
}

/// The indices of an array's tasks, one for each shard.
private struct ArrayTasks {
    let first: Int
    var step = 1
    let count: Int

    var range: ClosedRange<Int> { first...(first + max(0, count - 1) * step) }

    init(first: Int, step: Int = 1, count: Int) {
        (self.first, self.step, self.count) = (first, step, count)
    }

    init(first: Int, last: Int, step: Int) {
        self.init(first: first, step: step, count: (last - first) / step + 1)
    }

    /// Parses `1-24`, `1-47:2` or `0-23%4`, as it was given to the scheduler.
    init?(_ text: String) {
        let range = text.prefix { $0 != "%" }
            .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let ends = range[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        let step = range.count > 1 ? Int(range[1]) : 1
        guard ends.count == 2, let first = ends[0], let last = ends[1], let step, first <= last,
            last <= Shard.maxCount, 1...Shard.maxCount ~= step
        else { return nil }
        self.init(first: first, last: last, step: step)
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

    /// Each as its manual describes them. PBS and Kubernetes have no variable for the size. LSF tells the last index and
    /// not the first, so that task 3 of `[3]` looks like that of `[1-3]`.
    static let all = [
        Scheduler(
            name: "Slurm", index: "SLURM_ARRAY_TASK_ID", firstIndex: 0, count: "SLURM_ARRAY_TASK_COUNT",
            first: "SLURM_ARRAY_TASK_MIN", last: "SLURM_ARRAY_TASK_MAX", step: "SLURM_ARRAY_TASK_STEP"),
        Scheduler(
            name: "AWS Batch", index: "AWS_BATCH_JOB_ARRAY_INDEX", firstIndex: 0,
            count: "AWS_BATCH_JOB_ARRAY_SIZE"),
        Scheduler(name: "Kubernetes", index: "JOB_COMPLETION_INDEX", firstIndex: 0),
        Scheduler(name: "PBS", index: "PBS_ARRAY_INDEX", firstIndex: 1),
        Scheduler(name: "LSF", index: "LSB_JOBINDEX", firstIndex: 1),
        Scheduler(
            name: "SGE", index: "SGE_TASK_ID", firstIndex: 1, first: "SGE_TASK_FIRST", last: "SGE_TASK_LAST",
            step: "SGE_TASK_STEPSIZE"),
    ]

    static func firstIndex(of name: String) -> Int { all.first { $0.name == name }?.firstIndex ?? 0 }

    /// Whether this is a task of an array. Outside of arrays, LSF sets 0 and SGE `undefined`.
    func hasTask(_ environment: [String: String]) -> Bool {
        guard let value = environment[index] else { return false }
        return value != "undefined" && !(name == "LSF" && value == "0")
    }

    /// The tasks of all shards. A task must get the same shard when it runs again in an array of fewer tasks.
    func tasks(_ environment: [String: String]) throws(ShardError) -> ArrayTasks {
        let variable = Shard.countVariable
        let wanted = environment[variable] == nil ? nil : try number(variable, environment)
        if let text = environment[Shard.arrayVariable] {
            guard let tasks = ArrayTasks(text) else { throw .range(text) }
            guard wanted ?? tasks.count == tasks.count else {
                throw .countsDiffer(tasks: tasks.count, shards: wanted ?? 0)
            }
            return tasks
        }
        guard let tasks = try ownTasks(environment) else {
            guard let wanted else { throw .noCount(scheduler: name) }
            return ArrayTasks(first: firstIndex, count: wanted)
        }
        // Arrays begin with 0 or 1; one that begins elsewhere runs some tasks of another again.
        guard wanted == tasks.count || wanted == nil && tasks.first <= 1 else {
            throw .partOfAnArray(scheduler: name)
        }
        return tasks
    }

    /// The tasks of this array, which may be some of another's; nil if the scheduler does not tell all of them.
    private func ownTasks(_ environment: [String: String]) throws(ShardError) -> ArrayTasks? {
        let counted = try optional(count, environment)
        guard let first = try optional(first, environment), let last = try optional(last, environment) else {
            return counted.map { ArrayTasks(first: firstIndex, count: $0) }
        }
        let step = step.flatMap { environment[$0] } == nil ? 1 : try optional(step, environment) ?? 1
        let tasks = ArrayTasks(first: first, last: last, step: max(1, step))
        guard counted ?? tasks.count == tasks.count else { throw .partOfAnArray(scheduler: name) }
        return tasks
    }

    private func optional(
        _ variable: String?, _ environment: [String: String]
    ) throws(ShardError) -> Int? {
        guard let variable else { return nil }
        return try number(variable, environment)
    }

    func number(_ variable: String, _ environment: [String: String]) throws(ShardError) -> Int {
        let value = environment[variable]
        guard let value, let number = Int(value), 0...Shard.maxCount ~= number else {
            throw .variable(variable, value: value)
        }
        return number
    }
}
