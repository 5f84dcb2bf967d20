/// Why the gallery cannot do what the page asks for.
enum GalleryError: Error, CustomStringConvertible {
    /// There is no output folder.
    case nothingIsSaved
    /// Photos that are not filtered are not saved.
    case noFilters

    var description: String {
        switch self {
        case .nothingIsSaved: "Start the gallery with -o FOLDER to save photos."
        case .noFilters: "Add a filter first: photos that are not changed are not saved."
        }
    }
}
