import TintypeImaging
import TintypeKernels
import TintypeRendering

/// Passes a photo's rows on to several consumers.
final class BranchingRows: RowConsumer {
    struct Branch {
        /// The stages between the rows and the consumer.
        let points: PointPass
        let next: any RowConsumer
        /// The outputs behind the consumer.
        let outputs: [RenderOutput]
    }

    private let branches: [Branch]

    init(_ branches: [Branch]) { self.branches = branches }

    /// A branch that fails marks its outputs, and gets no more rows.
    ///
    /// - Throws: the error of the last branch to fail.
    func consume(_ rows: Range<Int>, from source: any RowSource, sink: any StripSink) throws {
        for branch in branches where branch.outputs.contains(where: { $0.failure == nil }) {
            let own = branch.points.isEmpty ? source : PointRows(source, branch.points)
            do {
                try branch.next.consume(rows, from: own, sink: branch.outputs[0].sink)
            } catch {
                for output in branch.outputs where output.failure == nil { output.failure = error }
                if branches.allSatisfy({ $0.outputs.allSatisfy { $0.failure != nil } }) { throw error }
            }
        }
    }
}

/// A source's rows after point stages.
private final class PointRows: RowSource {
    private let source: any RowSource
    private let points: PointPass

    init(_ source: any RowSource, _ points: PointPass) {
        self.source = source
        self.points = points
    }

    var rowsAtOnce: Int { source.rowsAtOnce }

    func load(row: Int, x: Int, count: Int, into rows: kernels_rows) {
        source.load(row: row, x: x, count: count, into: rows)
        points.run(rows, row: row, x: x, count: count)
    }
}
