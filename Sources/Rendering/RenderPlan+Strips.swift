import TintypeImaging

extension RenderPlan {
    /// Reads the photo into a strip's memory, again and again, and calls `body` with the rows of each time.
    package func readStrips(
        from source: any StripSource, into strip: Strip, isCancelled: () -> Bool,
        _ body: (Strip) throws -> Void
    ) throws {
        var nextRow = 0
        while nextRow < geometry.height {
            if isCancelled() { throw CancellationError() }
            try source.read(into: strip)
            precondition(strip.firstRow == nextRow && strip.rowCount > 0, "source rows must be in order")
            nextRow = strip.endRow
            try body(strip)
        }
    }

    /// Passes the photo on, if the plan changes no sample. This needs no device.
    package func passOn(
        _ source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        let strip = try Strip(layout: input, width: geometry.width, rowCapacity: usualStripRows)
        try readStrips(from: source, into: strip, isCancelled: isCancelled) { try sink.write($0) }
    }

    /// The memory of one strip of the input and one of the output.
    package var memoryOfStrips: RenderMemory {
        let rows = usualStripRows
        return RenderMemory(stripRows: rows, byteCount: byteCount(ofInputRows: rows, outputRows: rows))
    }
}
