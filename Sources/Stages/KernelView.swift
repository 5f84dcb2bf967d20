import TintypeImaging
import TintypeKernels

extension kernels_view {
    /// How a photo is shown.
    package init(_ photo: PhotoGeometry) {
        func place(_ column: Int, _ row: Int) -> (x: Int32, y: Int32) {
            let place = photo.shownPlace(column: column, row: row)
            return (Int32(place.x), Int32(place.y))
        }
        let first = place(0, 0), across = place(1, 0), below = place(0, 1)
        self.init(
            left: first.x, top: first.y, x_by_column: across.x - first.x, x_by_row: below.x - first.x,
            y_by_column: across.y - first.y, y_by_row: below.y - first.y, width: Int32(photo.shownWidth),
            height: Int32(photo.shownHeight))
    }
}
