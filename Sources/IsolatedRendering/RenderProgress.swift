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
    /// Bytes of a compressed photo that were read, and whether they are all.
    private var readByteCount = 0
    private var hasReadAll = false
    /// The row of each result that comes next.
    private var nextRows: [Int]
    /// Bytes of each result that have come.
    private var byteCounts: [Int]

    init(_ work: CodingWork) {
        self.work = work
        nextRows = work.outputs.map { _ in 0 }
        byteCounts = work.outputs.map { _ in 0 }
    }

    /// Whether nothing was read or written.
    var isUntouched: Bool { readRowCount == 0 && readByteCount == 0 && isUnwritten }
    private var isUnwritten: Bool { nextRows.allSatisfy { $0 == 0 } && byteCounts.allSatisfy { $0 == 0 } }
    /// Whether the device may find that it cannot decode the photo.
    var admitsIrregularity: Bool { work.input != nil && isUnwritten }

    var isComplete: Bool {
        let isRead = work.input == nil ? readRowCount == photo.geometry.height : readByteCount > 0
        return isRead
            && work.outputs.indices.allSatisfy { index in
                let output = work.outputs[index]
                return output.image == nil
                    ? nextRows[index] == output.plan.outputGeometry.height : byteCounts[index] > 0
            }
    }

    /// - Returns: whether rows of the photo may be read into such a strip.
    func admitsReading(into place: StripPlace) -> Bool {
        work.input == nil && readRowCount < photo.geometry.height && place.layout == photo.input
            && place.width == photo.geometry.width
    }

    mutating func rowsAreRead(_ count: Int) { readRowCount += count }

    /// Whether the photo's data may be read.
    var admitsReadingBytes: Bool { work.input != nil && !hasReadAll }

    /// - Parameter isAtEnd: whether there are no more.
    mutating func bytesAreRead(_ count: Int, isAtEnd: Bool) {
        readByteCount += count
        hasReadAll = isAtEnd
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

    /// - Returns: whether an output may get so many bytes more.
    mutating func admitsWritingBytes(_ count: Int, to output: Int) -> Bool {
        guard work.outputs.indices.contains(output), let image = work.outputs[output].image else {
            return false
        }
        let plan = work.outputs[output].plan, size = plan.outputGeometry
        let samples = StripShape(layout: plan.output, width: size.width, rowCapacity: size.height).byteCount
        guard count <= image.header.count + Self.mostCodedGrowth * samples - byteCounts[output] else {
            return false
        }
        byteCounts[output] += count
        return true
    }

    /// Codes of noise may be longer than its samples: four times in a JPEG.
    private static let mostCodedGrowth = 8
}
