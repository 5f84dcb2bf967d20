import Logging

/// Prints log messages above the progress line.
struct TerminalLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    private let terminal: Terminal

    init(_ terminal: Terminal, level: Logger.Level) {
        self.terminal = terminal
        logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        terminal.print(event.message.description)
    }
}
