import Foundation
import TintypePhotos
import TintypeOperations

/// The steps of an item: download, decrypt, reload, filter, reload; then its images are moved to files.
extension SessionScheduler {
    func begin(_ item: Int, _ state: PhotoRecord.State) {
        switch state {
        case .new: download(item)
        case .downloaded: filter(item)
        case .filtered, .failed: letGo(of: item)
        }
    }

    private func download(_ item: Int) {
        let operation = steps.download(records[item])
        add(operation, .download, of: item, to: queues.downloads) { [self] wasCancelled in
            emit(.networkActivity(inProgress.downloadCount))
            if !wasCancelled, operation.image != nil, let decryption = steps.decrypt(records[item]) {
                decrypt(item, decryption, after: operation)
            } else {
                end(item, operation, .download, wasCancelled)
            }
        }
        emit(.networkActivity(inProgress.downloadCount))
    }

    private func decrypt(
        _ item: Int, _ operation: any ImageDataProvider, after download: any ImageDataProvider
    ) {
        operation.addDependency(download)
        add(operation, .decryption, of: item, to: queues.filtrations) { [self] wasCancelled in
            end(item, operation, .download, wasCancelled)
        }
    }

    private func filter(_ item: Int) {
        let operation = steps.filter(records[item])
        add(operation, .filtration, of: item, to: queues.filtrations) { [self] wasCancelled in
            end(item, operation, .filter, wasCancelled)
        }
    }

    /// - Parameter follow: called on the serial main queue when the operation has ended, with whether the
    ///   session had cancelled it.
    private func add(
        _ operation: Operation, _ kind: OperationsInProgress.Kind, of item: Int, to queue: OperationQueue,
        then follow: @escaping @Sendable (_ wasCancelled: Bool) -> Void
    ) {
        if kind != .reload { operation.queuePriority = priority(of: item) }
        inProgress.add(operation, kind, of: item)
        changed(item)
        add(operation, to: queue) { [self] in follow(inProgress.remove(item)) }
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
        _ item: Int, _ operation: any ImageDataProvider, _ step: PhotoRecord.FailedStep, _ wasCancelled: Bool
    ) {
        // The result of a cancelled operation is dropped: the record may have been reset since.
        guard !wasCancelled, !operation.isCancelled, let result = operation.imageResult else {
            return leave(item, comesBack: wasCancelled)
        }
        let record = records[item], keepsOriginal = configuration.keepsDownloadedImages
        switch (result, step) {
        case (.success(let image), .download):
            records.update(item) { $0.move(toDownloaded: image) }
        case (.success(let image), .filter):
            records.update(item) { $0.move(toFiltered: image, keepsOriginal: keepsOriginal) }
            events.ended(record, operation)
            emit(.filtered(record, operation.filterReport))
        case (.failure(let error), _):
            records.update(item) { $0.move(toFailed: error, in: step, keepsOriginal: keepsOriginal) }
            events.ended(record, operation)
            emit(.failed(record, error, operation.filterReport))
        }
        // Downloads before a barrier are shown by one reload of everything.
        agenda.sweep == .downloads && swept.contains(item) ? leave(item) : reload(item)
    }

    func reload(_ item: Int) {
        guard let target, visible?.contains(item) ?? true else { return goOn(item) }
        let operation = ReloadOperation(
            .item(item), of: target, on: mainQueue, name: records[item].name, logger: logger)
        add(operation, .reload, of: item, to: mainQueue.queue) { [self] wasCancelled in
            wasCancelled ? leave(item, comesBack: true) : goOn(item)
        }
    }

    /// Begins the item's next step after a reload, or ends it.
    private func goOn(_ item: Int) {
        let record = records[item]
        switch record.state {
        case .downloaded where !restarts.contains(item): return filter(item)
        // Its images were released during the reload.
        case .new: restarts.insert(item)
        case .filtered where !configuration.keepsFilteredImages: record.releaseFiltered()
        case .downloaded, .filtered, .failed: break
        }
        leave(item)
    }

    /// Ends an item that has nothing in progress, after its images were moved to files if necessary.
    ///
    /// - Parameter comesBack: whether the sweep takes it again unless it is done.
    private func leave(_ item: Int, comesBack: Bool = false) {
        guard let operation = images.parking(of: records[item], logger: logger) else {
            return release(item, comesBack: comesBack)
        }
        add(operation, .parking, of: item, to: images.queue) { [self] _ in
            records[item].replaceImages(operation.images, ofVersion: operation.version)
            release(item, comesBack: true)
        }
    }

    private func release(_ item: Int, comesBack: Bool) {
        let record = records[item]
        if !records.areMadeOnDemand {
            images.note(record, item, isVisible: visible?.contains(item) ?? false)
        }
        if restarts.remove(item) != nil {
            records.letGo(of: item)
            swept.remove(item)
            agenda.request(item)
        } else {
            letGo(of: item)
            if comesBack, sweepTakes(item, record.state) { agenda.takeBack(item) }
        }
        changed(item)
        releaseImages()
        fill()
    }

    func letGo(of item: Int) {
        records.letGo(of: item)
        swept.remove(item)
        priorities[item] = nil
    }

    /// Releases images beyond the limits.
    func releaseImages() {
        let isInUse = { [self] item in
            visible?.contains(item) ?? false || inProgress.operation(of: item) != nil
        }
        while let (item, kind) = images.excess(isInUse) {
            records.update(item) { kind == .filtered ? $0.releaseForNow() : $0.releaseOriginal() }
            images.note(records[item], item, isVisible: false)
            changed(item)
        }
    }

    func reloadEverything() {
        changedAll()
        guard let target else { return settle() }
        inProgress.reloadOfEverything?.cancel()
        let operation = ReloadOperation(.all, of: target, on: mainQueue, logger: logger)
        inProgress.reloadOfEverything = operation
        add(operation, to: mainQueue.queue) { [self] in
            if inProgress.reloadOfEverything === operation { inProgress.reloadOfEverything = nil }
            settle()
        }
    }
}
