import Foundation
import Tintype

/// What the page and the server tell each other about saving, as JSON.

/// What is made of photos: the filters of the page, and how the result is stored.
struct SaveRecipe: Decodable {
    let chain: String
    /// A format's name; nil keeps each photo's own.
    var format: String?
    /// 1...100; nil keeps each photo's own.
    var quality: Int?
    /// The most pixels of the longer side; nil keeps the size.
    var longSide: Int?
    var stripsMetadata: Bool?

    /// - Parameters:
    ///   - chain: nil is that of the page.
    ///   - files: those that filters may read.
    /// - Throws: `FilterError`, `GalleryError`.
    func recipe(_ chain: String? = nil, reading files: FilterFiles) throws -> Recipe {
        if let longSide, !(1...65535 ~= longSide) { throw GalleryError.noSuchSize(longSide) }
        let size = longSide.map { "resize:long=\($0)" }
        let texts = [chain ?? self.chain, size].compactMap { $0 }.filter { !$0.isEmpty }
        var recipe = Recipe(try FilterChain(parsing: texts, reading: files))
        if let format {
            guard let known = PhotoFormat(written: format) else { throw GalleryError.noSuchFormat(format) }
            recipe.format = known
        }
        if let quality {
            guard 1...100 ~= quality else { throw GalleryError.noSuchQuality(quality) }
            recipe.quality = .value(quality)
        }
        recipe.stripsMetadata = stripsMetadata ?? false
        return recipe
    }
}

/// Asks for the folders that photos can be saved in, or to save them.
struct SaveRequest: Decodable {
    /// How outputs are named.
    enum Names: String, Decodable {
        /// As the photos.
        case photo
        /// As the photos, with the filters' names.
        case filters

        /// Nil keeps the photo's name.
        func template() throws -> OutputTemplate? {
            self == .photo ? nil : try OutputTemplate("{dir}/{stem}-{chain}.{ext}")
        }
    }

    let recipe: SaveRecipe
    /// The first photo and the number of each part; nil is all photos.
    var photos: [[Int]]?
    /// The number of a folder, in the order of `SaveFoldersMessage`.
    var folder: Int?
    /// Whether the folder beside that one is meant.
    var isBeside: Bool?
    /// Whether outputs of other filters, and other files of the same names, are replaced.
    var replaces: Bool?
    var names: Names?

    /// - Parameter count: the number of all photos.
    func items(of count: Int) -> IndexSet {
        photos.map { Self.items($0, of: count) } ?? IndexSet(integersIn: 0..<count)
    }

    static func items(_ parts: [[Int]], of count: Int) -> IndexSet {
        var items = IndexSet()
        for part in parts where part.count == 2 && 0..<count ~= part[0] && part[1] > 0 {
            items.insert(integersIn: part[0]..<min(count, part[0] + min(part[1], count)))
        }
        return items
    }
}

/// Asks for one photo as it would be saved.
struct FileRequest: Decodable {
    let recipe: SaveRecipe
    var names: SaveRequest.Names?
}

/// The folders that photos can be saved in.
struct SaveFoldersMessage: Encodable {
    struct Folder: Encodable, Equatable {
        let path: String
        /// Outputs that its journal knows.
        let savedCount: Int
        /// Whether they were made with other filters or settings.
        let hasOthers: Bool
        /// A folder beside it for the photos with these ones; nil unless it has others.
        var beside: String?
        /// Why nothing can be saved in it.
        var problem: String?
    }

    let folders: [Folder]
    /// Photos that would be saved.
    let count: Int
}

/// How far the last saving is.
struct SaveMessage: Encodable, Equatable {
    enum State: String, Encodable {
        case saving, paused
        /// All photos have a result.
        case ended
        /// The user, or a full disk, has stopped it.
        case stopped
    }

    let folder: String
    var total: Int
    var state = State.saving
    var saved = 0
    /// Photos whose outputs were there already.
    var upToDate = 0
    var failed = 0
    /// The first of those that failed.
    var problems: [PhotoProblem] = []
    /// What the user should know beside.
    var warning: String?

    mutating func fail(_ name: String, _ error: String) {
        failed += 1
        problems.appendIfShown(PhotoProblem(name: name, error: error))
    }
}

/// A photo, and why what was asked for could not be done with it.
struct PhotoProblem: Encodable, Equatable {
    /// How many the page shows.
    static let shownCount = 20

    let name: String
    let error: String
}

extension [PhotoProblem] {
    mutating func appendIfShown(_ problem: PhotoProblem) {
        if count < PhotoProblem.shownCount { append(problem) }
    }
}
