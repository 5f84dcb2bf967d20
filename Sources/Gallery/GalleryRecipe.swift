import Foundation
import Tintype
import TintypeDevices

/// The chain and the devices that a gallery filters with.
struct GalleryRecipe: Sendable {
    let chain: FilterChain
    /// What the page has asked for: an argument of `--device`.
    let device: String
    private(set) var devices: DevicePool
    /// Counts the changes, so that each page sees those of others.
    var version = 0
    private(set) var own: OwnFilters

    /// The recipe with other filters of single photos. Devices are tested with filters that are new.
    ///
    /// - Throws: `DeviceError`.
    func having(_ own: OwnFilters, _ settings: Gallery.Settings) throws -> GalleryRecipe {
        var recipe = self
        recipe.own = own
        let names = { (own: OwnFilters) in Set(own.adding(to: chain).filters.map { $0.name }) }
        if !names(own).isSubset(of: names(self.own)) {
            recipe.devices = try settings.makeDevices(device, own.adding(to: chain))
        }
        return recipe
    }

    /// Whether nobody has changed it.
    func isSame(as former: GalleryRecipe) -> Bool {
        version == former.version && own.lastVersion == former.own.lastVersion
    }

    /// What a photo is filtered with.
    func chain(of item: Int) -> FilterChain { own[item]?.chain ?? chain }

    /// Finds the device and tests it, which may take seconds.
    ///
    /// - Parameter own: the filters of single photos.
    /// - Throws: `DeviceError` if the device is missing or fails its test.
    init(
        _ chain: FilterChain, device: String, own: OwnFilters = OwnFilters(), _ settings: Gallery.Settings
    ) throws {
        self.chain = chain
        self.device = device
        self.own = own
        devices = try settings.makeDevices(device, own.adding(to: chain))
    }

    /// The names of the devices in use.
    var deviceName: String { devices.devices.map(\.info.name).joined(separator: " + ") }

    func message(_ settings: Gallery.Settings) -> RecipeMessage {
        RecipeMessage(
            version: version, chain: chain.text,
            command: command(chain, for: settings.inputArguments, settings), device: device,
            filters: Self.message(of: chain))
    }

    /// The same of one photo. Its filters may be its own.
    func message(of item: Int, _ photo: InputPhoto, _ settings: Gallery.Settings) -> RecipeMessage {
        let chain = chain(of: item)
        var settings = settings
        // Its own filters are not those of the folder's other photos.
        if own[item]?.chain != nil, !chain.name.isEmpty { settings.saveFolders[0] += "-\(chain.name)" }
        return RecipeMessage(
            version: own[item]?.version ?? 0, chain: chain.text,
            command: command(chain, for: [photo.path], settings), device: device,
            filters: Self.message(of: chain))
    }

    static func message(of chain: FilterChain) -> [RecipeMessage.FilterMessage] {
        chain.filters.map { RecipeMessage.FilterMessage(name: $0.name, values: values(of: $0)) }
    }

    private static func values<F: Filter>(of filter: F) -> [String: String] {
        Dictionary(uniqueKeysWithValues: filter.parameters.map { ($0.name, $0.text(in: filter)) })
    }

    /// The command that filters photos without the page, in the current folder.
    private func command(
        _ chain: FilterChain, for inputs: [String], _ settings: Gallery.Settings
    ) -> String {
        var words = ["tintype", "apply"]
        if !chain.filters.isEmpty {
            let filters = chain.placingFiles(in: settings.fileFolder).filters
            words += ["-f", filters.map(\.shortRecipe).joined(separator: "+")]
        }
        if device != "auto" { words += ["-d", device] }
        words += ["-o", settings.saveFolders[0]]
        if settings.overwrites { words.append("--overwrite") }
        words += inputs
        return words.map(\.shellQuoted).joined(separator: " ")
    }
}

extension FilterChain {
    /// The chain in the form of `-f`.
    var text: String { filters.map(\.recipe).joined(separator: "+") }
}
