import Foundation
import Tintype

/// The machine that a benchmark ran on.
package struct Machine: Codable, Equatable, Sendable {
    package var processor: String
    package var coreCount: Int
    package var memoryByteCount: UInt64
    /// Name and release, such as `Linux 6.1.0`.
    package var kernel: String
    package var system: String

    /// This machine.
    package static var current: Machine {
        let info = ProcessInfo.processInfo
        let release = text(ofFile: "/proc/sys/kernel/osrelease").trimmingCharacters(
            in: .whitespacesAndNewlines)
        return Machine(
            processor: Processor.name,
            coreCount: info.activeProcessorCount, memoryByteCount: info.physicalMemory,
            kernel: "Linux \(release)", system: info.operatingSystemVersionString)
    }

    private static func text(ofFile path: String) -> String {
        // This reads to the end: files in /proc report a length of 0.
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
