import TintypeImaging
import TintypeRendering

/// What a driver process may say during one render. A driver that overwrites that process's memory must not lead this one
/// out of a strip, or past the photo's end.
struct RenderProgress {
    private let work: CodingWork
    /// The photo as each output's plan has it.
    private var photo: RenderPlan { work.outputs[0].plan }
    /// Rows of the photo that were read.
    private var readRowCount = 0
    /// Whether data of a compressed photo were read.
    private var hasReadBytes = false
    /// The row of each result that comes next.
    private var nextRows: [Int]
    /// Whether bytes of each result have come.
    private var haveBytes: [Bool]

    init(_ work: CodingWork) {
        self.work = work
        nextRows = work.outputs.map { _ in 0 }
        haveBytes = work.outputs.map { _ in false }
    }

    /// Whether nothing was read or written.
    var isUntouched: Bool { readRowCount == 0 && !hasReadBytes && isUnwritten }
    /// Whether nothing was written.
    var isUnwritten: Bool { nextRows.allSatisfy { $0 == 0 } && !haveBytes.contains(true) }

    var isComplete: Bool {
        let isRead = work.input == nil ? readRowCount == photo.geometry.height : hasReadBytes
        return isRead
            && work.outputs.indices.allSatisfy { index in
                let output = work.outputs[index]
                return output.image == nil
                    ? nextRows[index] == output.plan.outputGeometry.height : haveBytes[index]
            }
    }

    /// - Returns: whether rows of the photo may be read into such a strip.
    func admitsReading(into place: StripPlace) -> Bool {
        work.input == nil && readRowCount < photo.geometry.height && place.layout == photo.input
            && place.width == photo.geometry.width
    }

    mutating func rowsAreRead(_ count: Int) { readRowCount += count }

    /// - Returns: whether the photo's data may be read.
    mutating func admitsReadingBytes() -> Bool {
        hasReadBytes = true
        return work.input != nil
    }

    /// - Returns: whether these rows of an output are the next ones.
    mutating func admitsWriting(_ rows: Rows, of place: StripPlace, to output: Int) -> Bool {
        guard work.outputs.indices.contains(output), work.outputs[output].image == nil else { return false }
        let plan = work.outputs[output].plan
        let rest = plan.outputGeometry.height - nextRows[output]
        guard place.layout == plan.output, place.width == plan.outputGeometry.width,
            rows.first == nextRows[output], rows.count > 0, rows.count <= min(place.rowCapacity, rest),
            rows.count == rest || rows.count % plan.rowGranularity == 0
        else { return false }
        nextRows[output] += rows.count
        return true
    }

    /// - Returns: whether an output may get bytes.
    mutating func admitsWritingBytes(to output: Int) -> Bool {
        guard work.outputs.indices.contains(output), work.outputs[output].image != nil else { return false }
        haveBytes[output] = true
        return true
    }
}
