import Files
import Foundation
import Logging
import Photos

/// What a session does next: begins operations, follows them, and has the view reload.
///
/// An operation that ends is followed by a block on the serial main queue which waits for it. The block is never
/// cancelled, so whatever becomes of an operation, the scheduler hears that it ended.
// @unchecked: everything is called, and every variable touched, on the serial main queue only.
final class SessionScheduler: @unchecked Sendable {
    private let records: PhotoRecords
    private let steps: PhotoSteps
    private let configuration: PhotoSession.Configuration
    private let mainQueue: SerialMainQueue
    private let queues: BackgroundQueues
    private let logger: Logger
    private let emit: (PhotoSession.Event) -> Void
    private weak let target: (any ReloadTarget)?
    /// Kept for a view on the main actor, which is not.
    private let adapter: MainActorTarget?

    private var agenda = Agenda()
    private var inProgress = OperationsInProgress()
    /// Items to begin anew as soon as their cancelled operation has ended.
    private var restarts: Set<Int> = []
    /// Whether there is something to do, so that the end of it is an event.
    private var isBusy = false
    /// Made when the first image has to wait.
    private var parking: ParkingFolder?
    /// What the view shows, so that nothing else is reloaded; nil where it has not said.
    private var visible: Set<Int>?
    /// Of items that were asked for with another priority than the usual one.
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

    // MARK: What a session asks for

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

    /// Begins nothing more; what is in progress goes on.
    func beginNoMore() { agenda.clear() }

    /// Calls `body` when the session rests next, or now where it does.
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

    // MARK: One item after the other

    /// Begins what the agenda has, up to the window.
    private func fill() {
        let window = min(max(configuration.window, 1), PhotoSession.windowLimit)
        while inProgress.itemCount < window, let (item, isOfSweep) = agenda.next(itemCount: records.count) {
            if inProgress.operation(of: item) != nil {
                if inProgress.isCancelled(item) { restarts.insert(item) }
                continue
            }
            let state = records.state(of: item) ?? records[item].state
            if isOfSweep, let sweep = agenda.sweep, !sweep.takes(state) {
                records.letGo(of: item)
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
        case .filtered, .failed: records.letGo(of: item)
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

    /// What moves a downloaded image out of the way; nil where it is not in the way.
    private func parking(of item: Int, _ operation: any ImageDataProvider) -> ParkOperation? {
        guard let image = operation.image, image.costsDescriptor else { return nil }
        // Without a folder it stays where it is: that there are too many, the next download will say.
        guard let folder = try? parking ?? ParkingFolder() else { return nil }
        parking = folder
        return ParkOperation(image, in: folder, name: records[item].name, logger: logger)
    }

    /// The filters' queue has nothing else to do before the barrier.
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

    /// Takes over what a step has made.
    private func end(
        _ item: Int, _ operation: any ImageDataProvider, _ wasCancelled: Bool,
        _ succeed: (PhotoRecord, EncodedImage) -> Void
    ) {
        // Even where it came to a result: whoever cancelled it may have reset the record since.
        guard !wasCancelled, !operation.isCancelled else { return leave(item) }
        let record = records[item]
        switch operation.imageResult ?? .failure(.noImage) {
        case .success(let image): succeed(record, image)
        case .failure(let error):
            record.move(toFailed: error)
            emit(.failed(record, error, operation))
        }
        // Before the barrier, one reload of everything will show it.
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

    /// After a reload: the next step, or the end.
    private func goOn(_ item: Int) {
        let record = records[item]
        if record.state == .downloaded { return filter(item) }
        if record.state == .filtered, !configuration.keepsFilteredImages { record.move(toFiltered: nil) }
        leave(item)
    }

    /// Nothing is in progress for the item any more.
    private func leave(_ item: Int) {
        records.letGo(of: item)
        priorities[item] = nil
        if restarts.remove(item) != nil { agenda.request(item) }
        fill()
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

    /// Goes over the barrier where all downloads are done; rests where all there was to do is done.
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
