/// What is worth telling of a photo that was written all the same.
///
/// The sentences do not name the file: whoever knows its name puts it in front.
public enum PhotoNote: Hashable, Sendable {
    /// The photo's inks became RGB by the usual formula, without its CMYK profile.
    case cmykProfileNotUsed
}

extension PhotoNote: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cmykProfileNotUsed:
            "The CMYK colours were converted without the photo's colour profile, so they may look different."
        }
    }
}
