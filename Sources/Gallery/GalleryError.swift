import Tintype

/// Why the gallery cannot do what the page asks for.
enum GalleryError: Error, CustomStringConvertible {
    /// Photos would be copied as they are.
    case nothingChanges
    case noPhotos
    /// One run at a time saves photos.
    case isSaving
    case noSuchFolder
    case noSuchFormat(String)
    case noSuchQuality(Int)
    case noSuchSize(Int)
    /// The photo was not downloaded yet, or has failed.
    case notThere
    case tooManyPreferences
    case noFilterFile(String)
    case tooManyUploads
    case noSuchStars(Int)
    case tooManyStars
    /// The file of stars could not be written. They are known until the gallery ends.
    case starsNotKept(String, String)
    /// The file beside a photo is none that stars can be written to.
    case noXMP(String)
    case readOnlyXMP(String)
    /// Another program changes the file beside a photo again and again.
    case changingXMP(String)
    /// One page at a time writes stars to XMP.
    case isWritingStars

    var description: String {
        switch self {
        case .nothingChanges:
            "Add a filter, or choose a format, quality or size: else photos would only be copied."
        case .noPhotos: "There is no photo to save."
        case .isSaving: "Photos are being saved: wait until they are, or stop it."
        case .noSuchFolder: "The gallery does not save in such a folder. Reload the page."
        case .noSuchFormat(let name):
            "Photos are not saved as '\(name)': choose \(PhotoFormat.writtenNames("or"))."
        case .noSuchSize(let value): "A side has from 1 to 65535 pixels, not \(value)."
        case .tooManyPreferences: "There is no space for more: remove looks that you have kept."
        case .noFilterFile(let name):
            "Filters have no use for '\(name.printableName)': send a .cube, PNG, WebP or JPEG file."
        case .tooManyUploads:
            "There is no space for another file: put it into a folder of the photos, and start the gallery again."
        case .notThere: "The photo is not there yet. Wait until it is shown."
        case .noSuchQuality(let value): "A quality is from 1 to 100, not \(value)."
        case .noSuchStars(let value): "A photo has from 0 to \(Stars.most) stars, not \(value)."
        case .tooManyStars:
            "There is no space for the stars of more photos: write those that you have given to XMP."
        case .starsNotKept(let path, let error):
            "Stars cannot be kept in \(path) (\(error)). They last until the gallery ends: make space, or write them to XMP."
        case .noXMP(let name):
            "\(name) is no XMP that stars can be written to. It stays as it is: repair it, or move it away."
        case .readOnlyXMP(let name):
            "\(name) is closed to writing. It stays as it is: change its permissions, or move it away."
        case .changingXMP(let name):
            "\(name) was changed by another program while stars were written to it. Try again."
        case .isWritingStars: "Stars are being written: wait until they are."
        }
    }
}
