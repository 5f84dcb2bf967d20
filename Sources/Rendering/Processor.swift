import Foundation

/// This machine's processor.
package enum Processor {
    /// Its model; `unknown` if the system does not tell.
    package static let name: String = {
        // This reads to the end: files in /proc report a length of 0.
        let text = FileManager.default.contents(atPath: "/proc/cpuinfo")
        return text.flatMap { name(in: String(decoding: $0, as: UTF8.self)) } ?? "unknown"
    }()

    /// The first model name of /proc/cpuinfo.
    package static func name(in text: String) -> String? {
        text.firstMatch(of: /model name\s*:\s*(.+)/).map { String($0.1) }
    }
}
