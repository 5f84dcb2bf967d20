/// What metadata says about places in the photo. It moves with them, or is left out where it cannot.
public enum PlaceInPhoto: String, CaseIterable, Hashable, Sendable {
    /// Faces and other things, and where they are.
    case region = "regions"
    /// The subject's place in EXIF.
    case subject = "the subject's place"
    /// How far everything is, as a picture.
    case depth = "the depth map"
    /// Where a panorama's pixels are on a sphere.
    case panorama = "the panorama's place"
    /// Photoshop's paths, of which one may clip the photo.
    case path = "clipping paths"
    /// Photoshop's guides.
    case guide = "guides"
}
