import CTintypeCurl

/// libcurl's event loop.
///
/// It is used on the download thread only, except `wakeUp`.
// @unchecked: the pointer never changes. Other threads only call `curl_multi_wakeup`, which libcurl allows on
// any thread. `EngineLink` makes sure that no such call follows `close`.
final class MultiHandle: @unchecked Sendable {
    private let raw: UnsafeMutableRawPointer

    /// - Throws: `DownloadError.library`.
    init(maximumTransfers: Int) throws(DownloadError) {
        guard let raw = curl_multi_init() else { throw .library(reason: "out of memory or of descriptors") }
        self.raw = raw
        // Keep as many idle connections for reuse as there can be transfers.
        ccurl_multi_set_long(raw, CURLMOPT_MAXCONNECTS, maximumTransfers)
        ccurl_multi_set_long(raw, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    }

    func add(_ easy: EasyHandle) throws(DownloadError) {
        try check(curl_multi_add_handle(raw, easy.raw))
    }

    /// Stops the transfer, if it still runs, and closes its socket.
    func remove(_ easy: EasyHandle) {
        curl_multi_remove_handle(raw, easy.raw)
    }

    /// Advances all transfers as far as possible without waiting.
    func perform() throws(DownloadError) {
        var running: Int32 = 0
        try check(curl_multi_perform(raw, &running))
    }

    /// A transfer that has ended since the last call.
    func nextFinished() -> (easy: EasyHandle.Raw, code: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(raw, &left) {
            if message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle {
                return (easy, message.pointee.data.result)
            }
        }
        return nil
    }

    /// Waits for a socket event, a libcurl timer, `wakeUp`, or this long.
    func wait(atMost duration: Duration) throws(DownloadError) {
        let milliseconds = Int32(clamping: max(0, duration.milliseconds))
        try check(curl_multi_poll(raw, nil, 0, milliseconds, nil))
    }

    func wakeUp() {
        curl_multi_wakeup(raw)
    }

    /// All transfers must have been removed. Nothing may be called afterwards.
    func close() {
        curl_multi_cleanup(raw)
    }

    private func check(_ code: CURLMcode) throws(DownloadError) {
        guard code == CURLM_OK else { throw .library(reason: String(cString: curl_multi_strerror(code))) }
    }
}
