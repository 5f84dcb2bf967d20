import TintypeFiles
import TintypeJournals
import TintypePhotos

/// Outputs of a run that may be wrong, because their device gave wrong pixels later. They are made again once the others are
/// done.
struct SuspectOutputs {
    /// The identifiers of the devices that have made them, by path.
    private var devices: [ExactText: String] = [:]
    /// Those that the journal is to know of, and does not yet.
    var unrecorded: Set<ExactText> = []
    /// Those that the journal does not know at all.
    private var unknown: Set<ExactText> = []
    /// How often the journal was asked again to take them, and whether the user was told that it does not.
    var lookCount = 0
    var hasWarned = false
    /// Items that are being made again, or were.
    private(set) var remade: Set<Int> = []
    /// Paths of those that cannot be made again.
    private var hopeless: Set<ExactText> = []

    /// - Parameter areRecorded: whether the journal is to know of them.
    mutating func add(_ outputs: [String], of device: String, areRecorded: Bool) {
        let outputs = outputs.map(\.exact)
        for output in outputs { devices[output] = device }
        if areRecorded { unrecorded.formUnion(outputs) }
        hopeless.subtract(outputs)
    }

    /// The items of jobs to do again, which begin now. What the journal does not know of would be up to date for it.
    ///
    /// - Parameters:
    ///   - jobs: the indices of all jobs.
    ///   - output: a job's output.
    ///   - claimed: items that another run is at.
    mutating func remake(
        _ jobs: Range<Int>, at output: (Int) -> PhotoJob.Output, except claimed: [Int]
    ) -> [Int] {
        let paths = Set(devices.keys).subtracting(hopeless).subtracting(unrecorded)
        guard !paths.isEmpty else { return [] }
        let claimed = Set(claimed)
        let items = jobs.filter { paths.contains(output($0).path.exact) && !claimed.contains($0) }
        remade.formUnion(items)
        return items
    }

    /// Records in the journal those that it does not know yet. It has no receipt of the decodable part of a damaged photo.
    ///
    /// - Throws: `JournalError`; some may be recorded.
    mutating func record(in journal: Journal) throws {
        for path in unrecorded {
            let output = try journal.outputName(of: path.text)
            // One that is being finished is recorded later.
            guard try journal.markSuspect(output) else { continue }
            if try !journal.isSuspect(output) { unknown.insert(path) }
            unrecorded.remove(path)
        }
        try journal.synchronise()
    }

    /// Paths of those that a later run would take as right, because the journal does not know that they may be wrong.
    var takenAsRight: [String] {
        unknown.union(unrecorded).filter { devices[$0] != nil }.sorted().map(\.text)
    }

    /// - Parameter device: has made the output now; nil if it was found to be made.
    mutating func end(_ item: Int, _ output: String, on device: String?) {
        // Its device may have been found wrong since.
        if remade.contains(item), devices[output.exact] != device { devices[output.exact] = nil }
    }

    mutating func fail(_ item: Int, _ output: String) {
        if remade.contains(item) { hopeless.insert(output.exact) } else { devices[output.exact] = nil }
    }
}
