import CTintypeCurl
import Foundation

/// Runs each transfer, attempt after attempt, until it is done. Used on the download thread only.
final class TransferRunner {
    private let configuration: DownloaderConfiguration
    private let multi: MultiHandle
    /// Called once for each transfer that is done.
    private let didEnd: (Transfer, Result<Downloaded, DownloadError>) -> Void
    private let didProgress: (Transfer, DownloadProgress) -> Void
    /// Called with the number of active transfers, before `didEnd`.
    private let didChangeCount: (Int) -> Void

    private var queue: TransferQueue
    private var running: [EasyHandle.Raw: Transfer] = [:] {
        didSet { didChangeCount(running.count) }
    }

    /// Number of active transfers.
    var runningCount: Int { running.count }

    /// When a transfer must be started, even if nothing else happens.
    var nextWakeUp: ContinuousClock.Instant? { queue.nextWakeUp }

    init(
        _ configuration: DownloaderConfiguration, multi: MultiHandle,
        didChangeCount: @escaping (Int) -> Void,
        didProgress: @escaping (Transfer, DownloadProgress) -> Void,
        didEnd: @escaping (Transfer, Result<Downloaded, DownloadError>) -> Void
    ) {
        self.configuration = configuration
        self.multi = multi
        self.didChangeCount = didChangeCount
        self.didProgress = didProgress
        self.didEnd = didEnd
        queue = TransferQueue(
            maximumTransfers: configuration.maximumTransfers,
            maximumTransfersPerHost: configuration.maximumTransfersPerHost)
    }

    func add(_ transfer: Transfer) { queue.add(transfer) }

    /// Removes a transfer that waits for a slot, so that its priority may change.
    ///
    /// - Returns: false if it does not wait for one.
    func removeWaiting(_ transfer: Transfer) -> Bool { queue.removeWaiting(transfer) }

    /// Stops a transfer in any state, without calling `didEnd`.
    func withdraw(_ transfer: Transfer) {
        queue.remove(transfer)
        end(transfer)
        transfer.spool?.abandon(keepingPartial: true)
        transfer.spool = nil
    }

    /// Handles the attempts that have ended.
    func finishAttempts() {
        while let (easy, code) = multi.nextFinished() { finishAttempt(easy, code) }
    }

    /// Starts waiting transfers in all free slots.
    func startWaiting() {
        while let transfer = queue.next(now: .now) {
            do throws(DownloadError) {
                try begin(transfer)
            } catch {
                queue.release(transfer.origin)
                fail(transfer, error)
            }
        }
    }

    private func begin(_ transfer: Transfer) throws(DownloadError) {
        let now = ContinuousClock.now
        let began = transfer.began ?? now
        transfer.began = began
        transfer.attempts += 1
        let spool = try spool(of: transfer)
        let attempt = try Attempt(
            transfer.key.address, byteLimit: transfer.key.byteLimit, spool: spool,
            configuration: configuration, remaining: configuration.timeout - (now - began),
            onBytes: { [unowned self, unowned transfer] in
                if let progress = transfer.progressToReport() { didProgress(transfer, progress) }
            })
        try multi.add(attempt.easy)
        transfer.attempt = attempt
        running[attempt.easy.raw] = transfer
        let offset = spool.resumePoint?.offset ?? 0
        configuration.logger.debug(
            "\(transfer.redactedURL): attempt \(transfer.attempts), from byte \(offset)")
    }

    private func spool(of transfer: Transfer) throws(DownloadError) -> Spool {
        if let spool = transfer.spool { return spool }
        let spool = try Spool(
            for: transfer.key.address, partialsDirectory: transfer.key.partialsDirectory,
            spoolDirectory: configuration.spoolDirectory)
        transfer.spool = spool
        return spool
    }

    /// Removes the running attempt, if there is one, from libcurl and releases its slot.
    @discardableResult
    private func end(_ transfer: Transfer) -> Attempt? {
        guard let attempt = transfer.attempt else { return nil }
        transfer.attempt = nil
        running[attempt.easy.raw] = nil
        multi.remove(attempt.easy)
        queue.release(transfer.origin)
        return attempt
    }

    private func finishAttempt(_ easy: EasyHandle.Raw, _ code: CURLcode) {
        guard let transfer = running[easy], let attempt = end(transfer) else { return }
        // libcurl counts in milliseconds, and may time out slightly early.
        let isPastDeadline = remainingTime(of: transfer) <= .milliseconds(20)
        switch attempt.outcome(code, isPastDeadline: isPastDeadline) {
        case .complete(let head):
            succeed(transfer, head, finalAddress: attempt.finalAddress)
        case .startOver:
            startOver(transfer)
        case .failed(let error, let retryAfter):
            if !retry(transfer, error, retryAfter) { fail(transfer, error) }
        }
    }

    private func remainingTime(of transfer: Transfer) -> Duration {
        guard let began = transfer.began else { return configuration.timeout }
        return configuration.timeout - (ContinuousClock.now - began)
    }

    private func succeed(_ transfer: Transfer, _ head: ResponseHead, finalAddress: String?) {
        guard let spool = transfer.spool, let began = transfer.began else { return }
        let finalText = finalAddress.flatMap(WebAddress.removingCredentials)
        // An object is not redirected, and its address stays the user's own.
        let objectURL = transfer.key.address.s3Location?.url
        guard let finalURL = objectURL ?? finalText.flatMap({ URL(address: $0) }) else {
            return fail(
                transfer, .badResponse(url: transfer.redactedURL, reason: "its last redirect names no URL"))
        }
        if let progress = transfer.progressToReport(isLast: true) { didProgress(transfer, progress) }
        let download = Downloaded(
            body: spool.finish(),
            response: DownloadResponse(finalURL: finalURL, status: head.status, headers: head.fields),
            attempts: transfer.attempts,
            seconds: (ContinuousClock.now - began) / .seconds(1))
        configuration.logger.debug("\(transfer.redactedURL): \(download.byteCount) bytes")
        didEnd(transfer, .success(download))
    }

    /// Starts over, which does not count as a failure. The next attempt asks for no range, so this cannot
    /// repeat forever.
    private func startOver(_ transfer: Transfer) {
        configuration.logger.info("\(transfer.redactedURL): changed on the server, fetched anew")
        do throws(DownloadError) {
            try transfer.spool?.startOver()
            queue.add(transfer)
        } catch {
            fail(transfer, error)
        }
    }

    /// - Returns: false if a retry is useless, or no retries or time are left.
    private func retry(_ transfer: Transfer, _ error: DownloadError, _ retryAfter: Duration?) -> Bool {
        transfer.failures += 1
        guard error.isTransient, transfer.failures <= configuration.retry.retries else { return false }
        if case .timedOut(_, .whole) = error { return false }
        let delay = configuration.retry.delay(
            afterFailure: transfer.failures, retryAfter: retryAfter, draw: .random(in: 0...1))
        guard delay < remainingTime(of: transfer) else { return false }
        let next = "Attempt \(transfer.attempts + 1) follows in \(delay.milliseconds) ms."
        configuration.logger.info("\(error) \(next)")
        let instant = ContinuousClock.now + delay
        if retryAfter != nil { queue.pause(transfer.origin, until: instant) }
        queue.add(transfer, notBefore: instant)
        return true
    }

    private func fail(_ transfer: Transfer, _ error: DownloadError) {
        transfer.spool?.abandon(keepingPartial: error.isTransient)
        transfer.spool = nil
        configuration.logger.debug("\(error)")
        didEnd(transfer, .failure(error))
    }
}
