import Files
import Foundation
import Photos

// The way of an item, all of it on the serial main queue. An operation that ends is followed by a block on
// that queue which waits for it: the block is never cancelled, so that whatever becomes of an operation, the
// session hears that it ended.
extension PhotoSession {
    /// Begins what the agenda has, up to the window.
    func fill() {
        let window = min(max(configuration.window, 1), Self.windowLimit)
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
        inProgress.downloads[item] = operation
        events.networkActivity(inProgress.downloads.count)
        add(operation, to: queues.downloads) { [self] in
            let wasCancelled = inProgress.remove(item)
            events.networkActivity(inProgress.downloads.count)
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
        inProgress.filtrations[item] = operation
        add(operation, to: queues.filtrations) { [self] in
            end(item, operation, inProgress.remove(item)) { [self] record, image in
                record.move(toFiltered: image)
                events.filtered(record, operation)
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
            events.failed(record, error, operation)
        }
        // Before the barrier, one reload of everything will show it.
        agenda.sweep == .downloads ? leave(item) : reload(item)
    }

    private func reload(_ item: Int) {
        guard let target else { return goOn(item) }
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
        if restarts.remove(item) != nil { agenda.request(item) }
        fill()
    }

    func reloadEverything() {
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
    func settle() {
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
            events.rested(SessionSummary(records))
        }
    }
}
