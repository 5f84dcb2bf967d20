import Foundation

/// What a benchmark ran on.
package struct Machine: Codable, Equatable, Sendable {
    package var processor: String
    package var coreCount: Int
    package var memoryByteCount: UInt64
    /// Name and release, such as `Linux 6.1.0`.
    package var kernel: String
    package var system: String

    package init(
        processor: String, coreCount: Int, memoryByteCount: UInt64, kernel: String, system: String
    ) {
        self.processor = processor
        self.coreCount = coreCount
        self.memoryByteCount = memoryByteCount
        self.kernel = kernel
        self.system = system
    }

    /// This machine.
    package static var current: Machine {
        var names = utsname()
        uname(&names)
        let release = withUnsafeBytes(of: names.release) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        return Machine(
            processor: value(of: "model name", separator: ":", in: text(ofFile: "/proc/cpuinfo"))
                ?? "unknown",
            coreCount: ProcessInfo.processInfo.activeProcessorCount,
            memoryByteCount: ProcessInfo.processInfo.physicalMemory,
            kernel: "Linux \(release)",
            system: value(of: "PRETTY_NAME", separator: "=", in: text(ofFile: "/etc/os-release")) ?? "unknown"
        )
    }

    /// The first line `key<separator>value`'s value, without quotes.
    static func value(of key: String, separator: Character, in text: String) -> String? {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: separator, maxSplits: 1)
            guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == key else { continue }
            return parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\" \t"))
        }
        return nil
    }

    private static func text(ofFile path: String) -> String {
        // Files in /proc do not tell their length, which Data does not mind.
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
