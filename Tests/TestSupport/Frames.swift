import TintypeImaging
import TintypeMetadata

/// What becomes of a photo of 400 x 200 pixels in tests of places.
package enum Frames {
    package static let photo = PhotoGeometry(width: 400, height: 200)
    /// The right half.
    package static let half = FrameChange(of: photo).showing(
        columns: 200..<400, rows: 0..<200, as: PhotoGeometry(width: 200, height: 200))
    package static let smaller = FrameChange(of: photo).resized(to: PhotoGeometry(width: 100, height: 50))
    /// Clockwise: the left side comes to the top.
    package static let turned = FrameChange(of: PhotoGeometry(width: 400, height: 200, orientation: .right))
        .upright()
}
