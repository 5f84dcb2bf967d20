import Foundation
@preconcurrency import Rainbow

/// Colours, where the output is a terminal and `NO_COLOR` is not set.
struct Palette: Sendable {
    enum Colour: Sendable {
        /// What failed.
        case failure
        /// What the user should know.
        case notice
        /// What went well.
        case success
    }

    static let none = Palette(isOn: false)

    let isOn: Bool

    init(isOn: Bool) { self.isOn = isOn }

    /// - Parameter environment: `NO_COLOR`, where it is not empty, turns colours off: see no-color.org.
    init(
        for stream: StandardStream, isTerminal: Bool? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        isOn =
            (isTerminal ?? stream.isTerminal) && environment["TERM"] != "dumb"
            && (environment["NO_COLOR"] ?? "").isEmpty
    }

    /// - Parameter text: without control characters: see `printable`.
    func paint(_ text: String, _ colour: Colour?) -> String {
        guard isOn, let colour, !text.isEmpty else { return text }
        _ = Self.tellsRainbow
        switch colour {
        case .failure: return text.red
        case .notice: return text.yellow
        case .success: return text.green
        }
    }

    /// Rainbow looks at standard output, but most coloured text goes to standard error. Its settings are global, so they
    /// are set once, before the first use.
    private static let tellsRainbow: Void = {
        Rainbow.outputTarget = .console
        Rainbow.enabled = true
    }()
}
