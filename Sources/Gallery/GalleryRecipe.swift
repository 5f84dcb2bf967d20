import Foundation
import Tintype
import TintypeDevices

/// The chain and the devices that a gallery filters with.
struct GalleryRecipe: Sendable {
    let chain: FilterChain
    /// What the page has asked for: an argument of `--device`.
    let device: String
    let devices: DevicePool
    /// Counts the changes, so that each page sees those of others.
    var version = 0

    /// Finds the device and tests it, which may take seconds.
    ///
    /// - Throws: `DeviceError` if the device is missing or fails its test.
    init(_ chain: FilterChain, device: String, _ settings: Gallery.Settings) throws {
        self.chain = chain
        self.device = device
        devices = try settings.makeDevices(device, chain)
    }

    /// The names of the devices in use.
    var deviceName: String { devices.devices.map(\.info.name).joined(separator: " + ") }

    /// A chain in the form of `-f`.
    private static func text(of chain: FilterChain) -> String {
        chain.filters.map(\.recipe).joined(separator: "+")
    }

    func message(_ settings: Gallery.Settings) -> RecipeMessage {
        RecipeMessage(
            version: version, chain: Self.text(of: chain), command: command(settings), device: device,
            filters: chain.filters.map { filter in
                RecipeMessage.FilterMessage(name: filter.name, values: Self.values(of: filter))
            })
    }

    private static func values<F: Filter>(of filter: F) -> [String: String] {
        Dictionary(uniqueKeysWithValues: filter.parameters.map { ($0.name, $0.text(in: filter)) })
    }

    /// The command that filters the same photos without the page, in the current folder.
    private func command(_ settings: Gallery.Settings) -> String {
        var words = ["tintype", "apply"]
        if !chain.filters.isEmpty {
            let filters = chain.placingFiles(in: settings.fileFolder).filters
            words += ["-f", filters.map(\.shortRecipe).joined(separator: "+")]
        }
        if device != "auto" { words += ["-d", device] }
        words += ["-o", settings.saveFolders[0]]
        if settings.overwrites { words.append("--overwrite") }
        words += settings.inputArguments
        return words.map(\.shellQuoted).joined(separator: " ")
    }
}
