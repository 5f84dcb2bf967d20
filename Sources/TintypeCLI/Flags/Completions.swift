import ArgumentParser
import Foundation
import Tintype

/// What shells offer for values that are neither words of a short list nor files.
extension CompletionKind {
    /// Filters. In a chain the last one is completed: `noir+se` to `noir+sepia`.
    static let filters = CompletionKind.custom { _, _, prefix in
        let head = prefix.lastIndex(of: "+").map { prefix[...$0] } ?? ""
        return FilterCatalog.all.map { head + $0.name }
    }

    /// Names of filters, for commands that list them.
    static let filterNames = CompletionKind.custom { _, _, _ in FilterCatalog.all.map { $0.name } }

    /// Recipes that Tintype has.
    static let recipeNames = CompletionKind.list(ShippedRecipe.all.map(\.name))

    /// Recipes that Tintype has, and the folders and JSON files that a path may go on with.
    static let recipes = CompletionKind.custom { _, _, prefix in
        let head = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
        let names = (try? FileManager.default.contentsOfDirectory(atPath: head.isEmpty ? "." : head)) ?? []
        let paths = names.filter { !$0.hasPrefix(".") }.compactMap { name -> String? in
            if isFolder(head + name) { return head + name + "/" }
            return name.lowercased().hasSuffix(".json") ? head + name : nil
        }
        return ShippedRecipe.all.map(\.name) + paths.sorted()
    }

    /// The devices of this machine. A driver that hangs does not hold up the shell for long.
    static let devices = CompletionKind.custom { _, _, _ in
        let devices = DeviceSelection.all(timeLimit: .seconds(2)).devices.map(\.info)
        return ["auto"] + (devices.contains(where: \.isGPU) ? ["gpu"] : []) + devices.map(\.identifier)
    }
}
