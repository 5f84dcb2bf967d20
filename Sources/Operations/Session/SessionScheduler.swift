import Files
import Foundation
import Logging
import Photos

/// Decides what a session does next: starts operations, handles their ends, and makes the view reload.
///
/// A block on the serial main queue depends on each operation. The block is never cancelled, so the scheduler
/// learns of every operation's end.
// @unchecked: all methods run, and all variables are used, on the serial main queue only.
final class SessionScheduler: @unchecked Sendable {
    private let records: PhotoRecords
    private let steps: PhotoSteps
    private let configuration: PhotoSession.Configuration
    private let mainQueue: SerialMainQueue
    private let queues: BackgroundQueues
    private let logger: Logger
    private let emit: (PhotoSession.Event) -> Void
    private weak let target: (any ReloadTarget)?
    /// Retained, while the view on the main actor that it forwards to is not.
    private let adapter: MainActorTarget?

    private var agenda = Agenda()
    private var inProgress = OperationsInProgress()
    /// Items to begin again once their cancelled operation has ended.
    private var restarts: Set<Int> = []
    /// Whether there is work whose end must be reported as `rested`.
    private var isBusy = false
    /// Made for the first image that waits behind the barrier.
    private var parking: ParkingFolder?
    /// Items in view, which alone are reloaded; nil before the first `show`.
    private var visible: Set<Int>?
    /// Priorities other than `normal`, of items that are requested or in progress.
    private var priorities: [Int: Operation.QueuePriority] = [:]
    private var restWaiters: [(SessionSummary) -> Void] = []

    init(
        _ records: PhotoRecords, steps: PhotoSteps, configuration: PhotoSession.Configuration,
        on mainQueue: SerialMainQueue, _ queues: BackgroundQueues, target: (any ReloadTarget)?,
        keeping adapter: MainActorTarget?, logger: Logger, emit: @escaping (PhotoSession.Event) -> Void
    ) {
        self.records = records
        self.steps = steps
        self.configuration = configuration
        self.mainQueue = mainQueue
        self.queues = queues
        self.target = target
        self.adapter = adapter
        self.logger = logger
        self.emit = emit
    }

    // MARK: Requests of the session

    func start() {
        isBusy = true
        agenda.begin(configuration.order == .barrier ? .downloads : .everything)
        fill()
    }

    func start(_ item: Int, _ priority: Operation.QueuePriority) {
        precondition(records.indices.contains(item), "there is no record \(item)")
        isBusy = true
        priorities[item] = priority == .normal ? nil : priority
        inProgress.operation(of: item)?.queuePriority = priority
        agenda.request(item)
        fill()
    }

    func show(_ visible: Set<Int>) {
        precondition(visible.allSatisfy(records.indices.contains), "there are fewer records")
        isBusy = true
        self.visible = visible
        agenda.clear()
        restarts.formIntersection(visible)
        priorities = priorities.filter { visible.contains($0.key) }
        for item in inProgress.items where !visible.contains(item) { inProgress.cancel(item) }
        for item in visible.sorted() { agenda.request(item) }
        fill()
    }

    func append(_ newRecords: [PhotoRecord]) {
        records.append(newRecords)
        isBusy = true
        reloadEverything()
        fill()
    }

    func stop() {
        agenda.clear()
        restarts.removeAll()
        priorities.removeAll()
        inProgress.cancelAll()
        queues.suspend(false)
        settle()
    }

    func reset() {
        isBusy = true
        stop()
        records.reset()
        reloadEverything()
    }

    /// Drops everything that has not begun; operations in progress go on.
    func beginNoMore() { agenda.clear() }

    /// Calls `body` when the session is at rest, which may be now.
    func whenRested(_ body: @escaping (SessionSummary) -> Void) {
        guard isBusy else { return body(SessionSummary(records)) }
        restWaiters.append(body)
    }

    private func rest() {
        let summary = SessionSummary(records)
        let waiters = restWaiters
        restWaiters = []
        for tell in waiters { tell(summary) }
        emit(.rested(summary))
    }

    // MARK: Steps of an item

    /// Begins items of the agenda until the window is full.
    private func fill() {
        let window = min(max(configuration.window, 1), PhotoSession.windowLimit)
        while inProgress.itemCount < window, let (item, isOfSweep) = agenda.next(itemCount: records.count) {
            if inProgress.operation(of: item) != nil {
                if inProgress.isCancelled(item) { restarts.insert(item) }
                continue
            }
            let state = records.state(of: item) ?? records[item].state
            if isOfSweep, let sweep = agenda.sweep, !sweep.takes(state) {
                release(item)
                continue
            }
            begin(item, state)
        }
        settle()
    }

    private func begin(_ item: Int, _ state: PhotoRecord.State) {
        switch state {
        case .new: download(item)
        case .downloaded: filter(item)
        case .filtered, .failed: release(item)
        }
    }

    private func download(_ item: Int) {
        let operation = steps.download(records[item])
        operation.queuePriority = priorities[item] ?? .normal
        inProgress.downloads[item] = operation
        emit(.networkActivity(inProgress.downloads.count))
        add(operation, to: queues.downloads) { [self] in
            let wasCancelled = inProgress.remove(item)
            emit(.networkActivity(inProgress.downloads.count))
            if !wasCancelled, agenda.sweep == .downloads, let parked = parking(of: item, operation) {
                return park(item, parked)
            }
            end(item, operation, wasCancelled) { $0.move(toDownloaded: $1) }
        }
    }

    /// The operation that parks a downloaded image; nil if the image keeps no file open.
    private func parking(of item: Int, _ operation: any ImageDataProvider) -> ParkOperation? {
        guard let image = operation.image, image.costsDescriptor else { return nil }
        // Without a folder the image keeps its file open. Too many open files fail a later download.
        guard let folder = try? parking ?? ParkingFolder() else { return nil }
        parking = folder
        return ParkOperation(image, in: folder, name: records[item].name, logger: logger)
    }

    /// Parks an image on the filters' queue, which is idle before the barrier.
    private func park(_ item: Int, _ operation: ParkOperation) {
        inProgress.filtrations[item] = operation
        add(operation, to: queues.filtrations) { [self] in
            end(item, operation, inProgress.remove(item)) { $0.move(toDownloaded: $1) }
        }
    }

    private func filter(_ item: Int) {
        let operation = steps.filter(records[item])
        operation.queuePriority = priorities[item] ?? .normal
        inProgress.filtrations[item] = operation
        add(operation, to: queues.filtrations) { [self] in
            end(item, operation, inProgress.remove(item)) { [self] record, image in
                record.move(toFiltered: image)
                emit(.filtered(record, operation))
            }
        }
    }

    private func add(
        _ operation: Operation, to queue: OperationQueue, then follow: @escaping @Sendable () -> Void
    ) {
        let follower = BlockOperation(block: follow)
        follower.addDependency(operation)
        mainQueue.add(follower)
        queue.addOperation(operation)
    }

    /// Moves the record on with an operation's result.
    private func end(
        _ item: Int, _ operation: any ImageDataProvider, _ wasCancelled: Bool,
        _ succeed: (PhotoRecord, EncodedImage) -> Void
    ) {
        // The result of a cancelled operation is dropped: the record may have been reset since.
        guard !wasCancelled, !operation.isCancelled else { return leave(item) }
        let record = records[item]
        switch operation.imageResult ?? .failure(.noImage) {
        case .success(let image): succeed(record, image)
        case .failure(let error):
            record.move(toFailed: error)
            emit(.failed(record, error, operation))
        }
        // Downloads before a barrier are shown by one reload of everything.
        agenda.sweep == .downloads ? leave(item) : reload(item)
    }

    private func reload(_ item: Int) {
        guard let target, visible?.contains(item) ?? true else { return goOn(item) }
        let operation = ReloadOperation(
            .item(item), of: target, on: mainQueue, name: records[item].name, logger: logger)
        inProgress.reloads[item] = operation
        add(operation, to: mainQueue.queue) { [self] in
            inProgress.remove(item) ? leave(item) : goOn(item)
        }
    }

    /// Begins the item's next step after a reload, or ends it.
    private func goOn(_ item: Int) {
        let record = records[item]
        if record.state == .downloaded { return filter(item) }
        if record.state == .filtered, !configuration.keepsFilteredImages { record.move(toFiltered: nil) }
        leave(item)
    }

    /// Begins an item that has nothing in progress again if that was requested, or releases it. Goes on.
    private func leave(_ item: Int) {
        if restarts.remove(item) != nil {
            records.letGo(of: item)
            agenda.request(item)
        } else {
            release(item)
        }
        fill()
    }

    private func release(_ item: Int) {
        records.letGo(of: item)
        priorities[item] = nil
    }

    private func reloadEverything() {
        guard let target else { return settle() }
        inProgress.reloadOfEverything?.cancel()
        let operation = ReloadOperation(.all, of: target, on: mainQueue, logger: logger)
        inProgress.reloadOfEverything = operation
        add(operation, to: mainQueue.queue) { [self] in
            if inProgress.reloadOfEverything === operation { inProgress.reloadOfEverything = nil }
            settle()
        }
    }

    /// Begins the next sweep if the current one is done, or reports that the session rests.
    private func settle() {
        guard isBusy, inProgress.isEmpty, agenda.isExhausted(itemCount: records.count) else { return }
        switch agenda.sweep {
        case .downloads:
            agenda.begin(.barrier)
            reloadEverything()
        case .barrier:
            agenda.begin(.filtrations)
            fill()
        case .everything, .filtrations, nil:
            agenda.clear()
            isBusy = false
            parking = nil
            rest()
        }
    }
}
