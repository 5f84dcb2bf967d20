import CTintypeCurl
import Dispatch
import Foundation

/// Downloads photos over HTTP, many at once, on one thread of its own.
///
/// The thread runs all transfers through libcurl. Connections are reused, and HTTP/2 carries several
/// transfers over one connection. Concurrent requests for the same URL with the same limits share one
/// transfer. Transient failures are retried, and resume if the server's validators prove that the content is
/// the same.
///
/// Handlers run on one serial queue, in the order of events. A slow handler delays other handlers, but no
/// transfer. Releasing the downloader shuts it down.
package final class Downloader: Sendable {
    private let configuration: DownloaderConfiguration
    private let link: EngineLink
    private let thread: JoinableThread
    private let handlers = DispatchQueue(label: "tintype.download.handlers")

    /// - Parameter onActiveCountChange: called with the number of active transfers when it changes, for an
    ///   activity indicator. A transfer that replaces another one at once is no change.
    /// - Throws: `DownloadError.library`.
    package init(
        _ configuration: DownloaderConfiguration, onActiveCountChange: (@Sendable (Int) -> Void)? = nil
    ) throws(DownloadError) {
        try Libcurl.initialize()
        let multi = try MultiHandle(maximumTransfers: configuration.maximumTransfers)
        let link = EngineLink(wakeUp: { multi.wakeUp() })
        let handlers = handlers
        do throws(DownloadError) {
            thread = try JoinableThread(name: "tintype-network") {
                Engine(
                    configuration, multi: multi, link: link, handlers: handlers,
                    onActiveCountChange: onActiveCountChange
                ).run()
            }
        } catch {
            multi.close()
            throw error
        }
        self.configuration = configuration
        self.link = link
    }

    deinit { shutdown() }

    /// Number of active transfers.
    package var activeCount: Int { link.activeCount }

    /// Queues a download and returns at once.
    ///
    /// - Parameters:
    ///   - onProgress: called about ten times a second while bytes arrive, and once when the body is
    ///     complete.
    ///   - completion: called exactly once, after every other handler of this download.
    @discardableResult
    package func start(
        _ request: DownloadRequest, onProgress: (@Sendable (DownloadProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<Downloaded, DownloadError>) -> Void
    ) -> DownloadTask {
        let waiter = Waiter(id: link.makeID(), onProgress: onProgress, completion: completion)
        do throws(DownloadError) {
            let address = try WebAddress(request.url.absoluteString)
            if !link.send(.start(waiter, request, address)) { throw .shutDown(url: address.redacted) }
        } catch {
            handlers.async { completion(.failure(error)) }
        }
        return DownloadTask(id: waiter.id, link: link)
    }

    /// Ends all downloads with `DownloadError.shutDown`, closes all connections, and waits for the thread to
    /// end.
    ///
    /// Completion handlers may still be called afterwards, on their queue. Later downloads fail at once.
    package func shutdown() {
        link.send(.stop)
        thread.join()
    }
}

/// libcurl's process-wide initialisation.
package enum Libcurl {
    /// The error; nil after success.
    private static let failure: String? = {
        let code = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        return code == CURLE_OK ? nil : String(cString: curl_easy_strerror(code))
    }()

    /// - Throws: `DownloadError.library`.
    package static func initialize() throws(DownloadError) {
        if let failure { throw .library(reason: failure) }
    }
}
