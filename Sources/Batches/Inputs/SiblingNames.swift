import TintypeFiles
import TintypeFilters
import TintypeImaging

/// The names in one folder, to recognise outputs beside their photos: `a-sepia.jpg` beside `a.png`.
struct SiblingNames {
    private let names: [FolderEntry]
    private var stems: Set<ExactText>?
    private var photos: [ExactText: [String]]?

    init(_ names: [FolderEntry]) { self.names = names }

    /// Whether a run without `--output` would give this name to the output of a photo in the folder.
    mutating func hasPhoto(for output: FileName) -> Bool {
        // By bytes, for speed: a folder may have many names.
        let stem = output.stem.utf8
        guard output.outputFormat != nil, stem.contains(UInt8(ascii: "-")) else { return false }
        return stem.indices.contains { dash in
            stem[dash] == UInt8(ascii: "-") && Recipe.isLabel(output.stem[stem.index(after: dash)...])
                && photoStems().contains(output.stem[..<dash].exact)
        }
    }

    /// The photos of a RAW photo's name: a camera has made them of it.
    mutating func twins(ofRAW name: FileName) -> [String] {
        let photos =
            self.photos
            ?? Dictionary(
                grouping: names.lazy.filter { $0.kind == .file && $0.isUTF8 }.map(\.name)
                    .filter { FileName($0).format.map { $0 != .raw } == true }
            ) { FileName($0).stem.exact }
        self.photos = photos
        return photos[name.stem.exact] ?? []
    }

    private mutating func photoStems() -> Set<ExactText> {
        if let stems { return stems }
        let photos = names.lazy.filter { $0.kind == .file && $0.isUTF8 }.map { FileName($0.name) }
            .filter { $0.looksLikePhoto || $0.fileExtension == nil }
        let made = Set(photos.map(\.stem.exact))
        stems = made
        return made
    }
}
