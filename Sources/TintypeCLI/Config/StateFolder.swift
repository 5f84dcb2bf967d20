import Tintype

/// The folder of what the tool remembers between runs.
enum StateFolder {
    /// `tintype` in `$XDG_STATE_HOME`, else in `~/.local/state`; nil without a home folder.
    static func path(_ environment: [String: String]) -> String? {
        // The XDG specification ignores paths that are not absolute.
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            state.appendingPathComponent("tintype")
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            home.appendingPathComponent(".local/state/tintype")
        } else {
            nil
        }
    }
}
