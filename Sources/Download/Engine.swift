import CTintypeCurl
import Dispatch
import Foundation
import Logging

/// The loop of the download thread, and the waiters of each transfer. Used on the download thread only.
final class Engine {
    private let configuration: DownloaderConfiguration
    private let multi: MultiHandle
    private let handlers: DispatchQueue
    private let link: EngineLink
    private let onActiveCountChange: (@Sendable (Int) -> Void)?
    private lazy var runner = TransferRunner(
        configuration, multi: multi,
        didChangeCount: { [link] in link.activeCount = $0 },
        didProgress: { [unowned self] in report($1, of: $0) },
        didEnd: { [unowned self] in complete($0, $1) })

    /// All unfinished transfers: queued, running, or waiting for a retry.
    private var transfers: [Transfer.Key: Transfer] = [:]
    private var transferOfWaiter: [UInt64: Transfer] = [:]
    private var reportedActiveCount = 0

    init(
        _ configuration: DownloaderConfiguration, multi: MultiHandle, link: EngineLink,
        handlers: DispatchQueue, onActiveCountChange: (@Sendable (Int) -> Void)?
    ) {
        self.configuration = configuration
        self.multi = multi
        self.link = link
        self.handlers = handlers
        self.onActiveCountChange = onActiveCountChange
    }

    /// Returns after a `stop` command, with all transfers ended and all connections closed.
    func run() {
        do throws(DownloadError) {
            while true {
                try multi.perform()
                // Commands before finished transfers: a request that came first still joins the running
                // transfer.
                guard take(link.takeCommands()) else { break }
                runner.finishAttempts()
                runner.startWaiting()
                reportActivity()
                try multi.wait(atMost: timeToWait())
            }
            stop(nil)
        } catch {
            configuration.logger.error("Downloads stopped: \(error)")
            stop(error)
        }
    }

    /// - Returns: false if a `stop` command is among them.
    private func take(_ commands: [EngineLink.Command]) -> Bool {
        var isStopped = false
        for command in commands {
            switch command {
            case .start(let waiter, let request, let address): start(waiter, request, address)
            case .cancel(let id): cancel(id)
            // Those that were started just after it are completed by `stop` as well.
            case .stop: isStopped = true
            }
        }
        return !isStopped
    }

    private func timeToWait() -> Duration {
        // Commands and socket events end the wait early.
        guard let instant = runner.nextWakeUp else { return .seconds(60) }
        // Rounded up, because waking early would spin through the last millisecond.
        return max(.zero, instant - .now) + .milliseconds(1)
    }

    private func reportActivity() {
        let count = runner.runningCount
        guard count != reportedActiveCount else { return }
        reportedActiveCount = count
        if let onActiveCountChange { handlers.async { onActiveCountChange(count) } }
    }

    /// - Parameter error: the error that ended the loop; nil after a `stop` command.
    private func stop(_ error: DownloadError?) {
        for late in link.close() {
            if case .start(let waiter, let request, let address) = late { start(waiter, request, address) }
        }
        for transfer in transfers.values {
            withdraw(transfer)
            complete(transfer, .failure(error ?? .shutDown(url: transfer.redactedURL)))
        }
        multi.close()
        reportActivity()
    }
}

// MARK: Waiters

extension Engine {
    private func start(_ waiter: Waiter, _ request: DownloadRequest, _ address: WebAddress) {
        let byteLimit = request.byteLimit ?? configuration.byteLimit
        if address.scheme == .file {
            return open(request.url, for: waiter, address: address, byteLimit: byteLimit)
        }
        let key = Transfer.Key(
            address: address, byteLimit: byteLimit, partialsDirectory: request.partialsDirectory)
        let shared = transfers[key]
        let transfer = shared ?? Transfer(key, priority: request.priority, sequence: waiter.id)
        // Removed from the queue before its priority changes, because the queue is sorted by priority. A transfer that
        // waits for its retry is not in that order, and keeps its delay.
        let isWaiting =
            shared == nil || (request.priority > transfer.priority && runner.removeWaiting(transfer))
        transfer.add(waiter, priority: request.priority)
        transfers[key] = transfer
        transferOfWaiter[waiter.id] = transfer
        if isWaiting { runner.add(transfer) }
    }

    private func open(_ url: URL, for waiter: Waiter, address: WebAddress, byteLimit: Int) {
        let began = ContinuousClock.now
        let result: Result<Downloaded, DownloadError>
        do throws(DownloadError) {
            let body = try LocalFile.open(url, address: address, byteLimit: byteLimit)
            result = .success(
                Downloaded(
                    body: body, response: DownloadResponse(finalURL: url), attempts: 1,
                    seconds: (ContinuousClock.now - began) / .seconds(1)))
        } catch {
            result = .failure(error)
        }
        if case .success(let download) = result, let onProgress = waiter.onProgress {
            let progress = DownloadProgress(
                receivedByteCount: download.byteCount, expectedByteCount: download.byteCount)
            handlers.async { onProgress(progress) }
        }
        handlers.async { waiter.completion(result) }
    }

    private func cancel(_ id: UInt64) {
        guard let transfer = transferOfWaiter.removeValue(forKey: id),
            let waiter = transfer.removeWaiter(id)
        else { return }
        if transfer.waiters.isEmpty {
            withdraw(transfer)
            configuration.logger.debug("\(transfer.redactedURL): cancelled")
        }
        let url = transfer.redactedURL
        handlers.async { waiter.completion(.failure(.cancelled(url: url))) }
    }

    private func withdraw(_ transfer: Transfer) {
        transfers[transfer.key] = nil
        runner.withdraw(transfer)
    }

    private func complete(_ transfer: Transfer, _ result: Result<Downloaded, DownloadError>) {
        transfers[transfer.key] = nil
        for waiter in transfer.waiters {
            transferOfWaiter[waiter.id] = nil
            handlers.async { waiter.completion(result) }
        }
    }

    private func report(_ progress: DownloadProgress, of transfer: Transfer) {
        for case let onProgress? in transfer.waiters.map(\.onProgress) {
            handlers.async { onProgress(progress) }
        }
    }
}
