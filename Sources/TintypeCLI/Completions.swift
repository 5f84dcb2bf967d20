import ArgumentParser
import Tintype

/// What shells offer for values that are neither words of a short list nor files.
extension CompletionKind {
    /// Filters. In a chain the last one is completed: `noir+se` to `noir+sepia`.
    static let filters = CompletionKind.custom { _, _, prefix in
        let head = prefix.lastIndex(of: "+").map { prefix[...$0] } ?? ""
        return FilterCatalog.all.map { head + $0.name }
    }

    /// The devices of this machine. A driver that hangs does not hold up the shell for long.
    static let devices = CompletionKind.custom { _, _, _ in
        let devices = DeviceSelection.all(timeLimit: .seconds(2)).devices.map(\.info)
        return ["auto"] + (devices.contains(where: \.isGPU) ? ["gpu"] : []) + devices.map(\.identifier)
    }
}
