import TintypeImaging
import TintypeRendering

/// What a driver process may say during one render. A driver that overwrites that process's memory must not lead this one
/// out of a strip, or past the photo's end.
struct RenderProgress {
    private let plan: RenderPlan
    /// Rows of the photo that were read.
    private var readRowCount = 0
    /// The row of the result that comes next.
    private var nextRow = 0

    init(_ plan: RenderPlan) { self.plan = plan }

    /// Whether nothing was read or written.
    var isUntouched: Bool { readRowCount == 0 && nextRow == 0 }

    var isComplete: Bool {
        nextRow == plan.outputGeometry.height && readRowCount == plan.geometry.height
    }

    /// - Returns: whether rows of the photo may be read into such a strip.
    func admitsReading(into place: StripPlace) -> Bool {
        readRowCount < plan.geometry.height && place.layout == plan.input
            && place.width == plan.geometry.width
    }

    mutating func rowsAreRead(_ count: Int) { readRowCount += count }

    /// - Returns: whether these rows of the result are the next ones.
    mutating func admitsWriting(_ rows: Rows, of place: StripPlace) -> Bool {
        let rest = plan.outputGeometry.height - nextRow
        guard place.layout == plan.output, place.width == plan.outputGeometry.width,
            rows.first == nextRow, rows.count > 0, rows.count <= min(place.rowCapacity, rest),
            rows.count == rest || rows.count % plan.rowGranularity == 0
        else { return false }
        nextRow += rows.count
        return true
    }
}
