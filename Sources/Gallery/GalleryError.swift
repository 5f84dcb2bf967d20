/// Why the gallery cannot do what the page asks for.
enum GalleryError: Error, CustomStringConvertible {
    /// There is no output folder.
    case nothingIsSaved

    var description: String {
        switch self {
        case .nothingIsSaved: "Start the gallery with -o FOLDER to save photos."
        }
    }
}
