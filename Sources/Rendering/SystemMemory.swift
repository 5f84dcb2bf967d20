import Foundation

/// This machine's memory.
package enum SystemMemory {
    /// Bytes of physical memory.
    package static let byteCount = ProcessInfo.processInfo.physicalMemory
}
