import Logging
import TintypeLocking

/// Keeps every line that is logged.
final class LogRecorder: Sendable {
    private let storage = Locked<[String]>([])

    var lines: [String] { storage.withLock { $0 } }

    var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(recorder: self) }
        logger.logLevel = .debug
        return logger
    }

    /// The last thing that was logged of each operation; the operations' names must differ.
    var lastEvents: [String: String] {
        var last: [String: String] = [:]
        for line in lines {
            guard line.hasPrefix("<"), let end = line.lastIndex(of: ">") else { continue }
            last[String(line[...end])] = String(line[end...].dropFirst(2))
        }
        return last
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var logLevel = Logger.Level.debug
        var metadata = Logger.Metadata()

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            recorder.storage.withLock { $0.append("\(event.message)") }
        }
    }
}
