import Foundation
import Logging
import TintypeFiles
import TintypeLocking
import TintypePhotos
import TintypeResources
import TintypeOperations

/// Decides what a session does next: starts operations, handles their ends, and makes the view reload.
///
/// A block on the serial main queue depends on each operation. The block is never cancelled, so the scheduler
/// learns of every operation's end. Requests of the session are here, an item's steps in
/// `SessionScheduler+Steps.swift`.
// @unchecked: all methods run, and all variables are used, on the serial main queue only.
final class SessionScheduler: @unchecked Sendable {
    let records: PhotoRecords
    let configuration: PhotoSession.Configuration
    let mainQueue: SerialMainQueue
    let queues: BackgroundQueues
    let logger: Logger
    let events: SessionEvents
    private let streams: EventStreams
    private(set) weak var target: (any ReloadTarget)?
    /// Retained, while the view on the main actor that it forwards to is not.
    private let adapter: MainActorTarget?

    private(set) var steps: PhotoSteps
    var agenda = Agenda()
    var inProgress = OperationsInProgress()
    /// Items to begin again once their cancelled operation has ended.
    var restarts: Set<Int> = []
    /// Items in progress that the sweep has begun and nobody has requested since.
    var swept: Set<Int> = []
    private var sweepPriority = Operation.QueuePriority.normal
    /// Priorities other than `normal`, of items that are requested or in progress.
    var priorities: [Int: Operation.QueuePriority] = [:]
    /// Items in view, which alone are reloaded; nil before the first `show`.
    private(set) var visible: Set<Int>?
    var images: SessionImages
    /// Items for which a view shows a spinner. Any thread may read it.
    let busy = Locked<Set<Int>>([])
    /// The most photos in flight.
    private var window = 1
    /// Whether there is work whose end must be reported as `rested`.
    private var hasWork = false
    private var restWaiters: [(SessionSummary) -> Void] = []

    init(
        _ records: PhotoRecords, steps: PhotoSteps, configuration: PhotoSession.Configuration,
        on mainQueue: SerialMainQueue, _ queues: BackgroundQueues, target: (any ReloadTarget)?,
        keeping adapter: MainActorTarget?, logger: Logger, events: SessionEvents, streams: EventStreams
    ) {
        self.records = records
        self.steps = steps
        self.configuration = configuration
        self.mainQueue = mainQueue
        self.queues = queues
        self.target = target
        self.adapter = adapter
        self.logger = logger
        self.events = events
        self.streams = streams
        images = SessionImages(configuration)
        measureWindow()
    }

    func emit(_ event: PhotoSession.Event) {
        events.handle(event)
        streams.yield(event)
    }

    /// Sizes the window by the files that may be opened now.
    private func measureWindow() {
        let most = min(configuration.window, PhotoSession.windowLimit)
        // A batch has asked before it began.
        let fitting = records.areMadeOnDemand ? nil : WorkerLimit.photosWithinFilesLeft
        window = max(1, min(most, fitting ?? most))
    }

    // MARK: Requests of the session

    func start(_ priority: Operation.QueuePriority) {
        hasWork = true
        measureWindow()
        sweepPriority = priority
        for item in swept { prioritise(item) }
        beginSweep()
        fill()
    }

    private func beginSweep() { agenda.begin(configuration.order == .barrier ? .downloads : .everything) }

    func start(_ item: Int, _ priority: Operation.QueuePriority) {
        guard records.indices.contains(item) else { return }
        hasWork = true
        priorities[item] = priority == .normal ? nil : priority
        request(item)
        fill()
    }

    private func request(_ item: Int) {
        swept.remove(item)
        prioritise(item)
        agenda.request(item)
    }

    func show(_ visible: Set<Int>, latest: Set<Int>) {
        let visible = visible.filter(records.indices.contains)
        hasWork = true
        let isAtWork = { [inProgress] item in inProgress.operation(of: item) != nil }
        images.see(self.visible ?? [], isAtWork: isAtWork)
        images.see(visible, isAtWork: isAtWork)
        self.visible = visible
        sweepsInBackground ? agenda.clearRequests() : agenda.clear()
        restarts.formIntersection(visible)
        putFirst(latest, of: visible)
        for item in inProgress.items where !visible.contains(item) { leaveView(item) }
        for item in latest.sorted() + visible.subtracting(latest).sorted() { request(item) }
        releaseImages()
        fill()
    }

    /// Gives items in the latest view a higher priority than those in others. An item that was opened keeps its own.
    private func putFirst(_ latest: Set<Int>, of visible: Set<Int>) {
        let formerlyLatest = priorities.filter { $0.value == Self.latestPriority }.keys
        for item in formerlyLatest { priorities[item] = nil }
        priorities = priorities.filter { visible.contains($0.key) }
        for item in latest where priorities[item] == nil { priorities[item] = Self.latestPriority }
    }

    private static let latestPriority = Operation.QueuePriority.high

    /// Whether there is a sweep that goes on behind the items in view.
    private var sweepsInBackground: Bool {
        agenda.sweep != nil && sweepPriority.rawValue < Operation.QueuePriority.normal.rawValue
    }

    /// Cancels an item, unless it belongs to a sweep in the background or has begun beside one.
    private func leaveView(_ item: Int) {
        let hasBegun = inProgress.operation(of: item).map { $0.isExecuting || $0.isFinished } ?? false
        guard sweepsInBackground, swept.contains(item) || hasBegun else { return cancel(item) }
        swept.insert(item)
    }

    private func cancel(_ item: Int) {
        inProgress.cancel(item)
        changed(item)
    }

    func append(_ newRecords: [PhotoRecord]) {
        records.append(newRecords)
        hasWork = true
        reloadEverything()
        fill()
    }

    func retry(_ item: Int, _ priority: Operation.QueuePriority) {
        guard records.indices.contains(item), records.state(of: item) == .failed else { return }
        hasWork = true
        priorities[item] = priority == .normal ? nil : priority
        swept.remove(item)
        records.update(item) { $0.reset() }
        // It begins in the window after its reload.
        restarts.insert(item)
        if inProgress.operation(of: item) == nil { reload(item) } else { changed(item) }
    }

    func refilter(with steps: PhotoSteps) {
        hasWork = true
        self.steps = steps
        for item in inProgress.items where inProgress.kind(of: item) == .filtration {
            inProgress.cancel(item)
            if agenda.sweep == nil || !swept.contains(item) { restarts.insert(item) }
        }
        records.undoFilters()
        images.forgetFiltered()
        if agenda.sweep != nil, agenda.sweep != .downloads { beginSweep() }
        for item in visible?.sorted() ?? [] { request(item) }
        reloadEverything()
        fill()
    }

    func refilter(_ item: Int, with steps: PhotoSteps) {
        self.steps = steps
        let isAtWork = inProgress.operation(of: item) != nil
        guard records.indices.contains(item), isAtWork || records.state(of: item) != .new else { return }
        hasWork = true
        if inProgress.kind(of: item) == .filtration { inProgress.cancel(item) }
        records.update(item) { $0.undoFilter() }
        swept.remove(item)
        restarts.insert(item)
        if isAtWork { changed(item) } else { reload(item) }
    }

    func stop() {
        agenda.clear()
        restarts.removeAll()
        priorities.removeAll()
        inProgress.cancelAll()
        changedAll()
        queues.suspend(false)
        settle()
    }

    /// Ends the work of a session that was released.
    func abandon() { if hasWork { stop() } }

    func reset() {
        hasWork = true
        stop()
        records.reset()
        images.forgetAll()
        reloadEverything()
    }

    /// Drops everything that has not begun; operations in progress go on.
    func beginNoMore() { agenda.clear() }

    /// Calls `body` when the session is at rest, which may be now.
    func whenRested(_ body: @escaping (SessionSummary) -> Void) {
        guard hasWork else { return body(SessionSummary(records.counts)) }
        restWaiters.append(body)
    }

    /// Whether an operation of the item waits or runs, or another one follows its reload.
    private func isBusy(_ item: Int) -> Bool {
        guard let kind = inProgress.kind(of: item), !inProgress.isCancelled(item) else { return false }
        switch kind {
        case .download, .decryption, .filtration: return true
        case .reload: return records[item].state == .downloaded || restarts.contains(item)
        case .parking: return false
        }
    }

    /// Reports that an item has changed, or whether it is busy.
    func changed(_ item: Int) {
        let isBusy = isBusy(item)
        busy.withLock { busy in
            if isBusy { busy.insert(item) } else { busy.remove(item) }
        }
        emit(.changed(.item(item)))
    }

    func changedAll() {
        let items = Set(inProgress.items.filter(isBusy))
        busy.withLock { $0 = items }
        emit(.changed(.all))
    }

    // MARK: The window

    /// Begins items of the agenda until the window is full.
    func fill() {
        // The other half stays free for items that come into view.
        let sweepWindow = sweepsInBackground ? (window + 1) / 2 : window
        while inProgress.itemCount < window,
            let (item, isOfSweep) = agenda.next(
                itemCount: records.count, sweeps: swept.count < sweepWindow)
        {
            if let kind = inProgress.kind(of: item) {
                // A cancelled item of the sweep comes back when its operation has ended.
                if kind == .parking || inProgress.isCancelled(item) && !isOfSweep { restarts.insert(item) }
                continue
            }
            let state = records.state(of: item) ?? records[item].state
            if isOfSweep, !sweepTakes(item, state) {
                letGo(of: item)
                continue
            }
            if isOfSweep { swept.insert(item) }
            begin(item, state)
        }
        settle()
    }

    /// Whether the sweep still has to filter an item. One that was released is done.
    func sweepTakes(_ item: Int, _ state: PhotoRecord.State) -> Bool {
        agenda.sweep?.takes(state) ?? false && !records.isReleased(item)
    }

    func priority(of item: Int) -> Operation.QueuePriority {
        swept.contains(item) ? sweepPriority : priorities[item] ?? .normal
    }

    private func prioritise(_ item: Int) {
        guard !inProgress.isCancelled(item) else { return }
        inProgress.operation(of: item)?.queuePriority = priority(of: item)
    }

    /// Begins the next sweep if the current one is done, or reports that the session rests.
    func settle() {
        guard hasWork, inProgress.isEmpty, agenda.isExhausted(itemCount: records.count) else { return }
        switch agenda.sweep {
        case .downloads:
            agenda.begin(.barrier)
            reloadEverything()
        case .barrier:
            agenda.begin(.filtrations)
            fill()
        case .everything, .filtrations, nil:
            agenda.clear()
            hasWork = false
            images.rest()
            rest()
        }
    }

    private func rest() {
        let summary = SessionSummary(records.counts)
        let waiters = restWaiters
        restWaiters = []
        for tell in waiters { tell(summary) }
        emit(.rested(summary))
    }
}
