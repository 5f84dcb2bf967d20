import TintypeImaging
import TintypeRendering

extension IsolatedDevice {
    package func offer(for work: CodingWork) throws -> CodingOffer? {
        let work = work.rounded
        if let known = offers.withLock({ $0.first { $0.work == work } }) { return known.offer }
        let offer = try ask(about: work)
        offers.withLock { $0 = [(work, offer)] + $0.prefix(Self.mostOffers - 1) }
        return offer
    }

    private static let mostOffers = 16

    private func ask(about work: CodingWork) throws -> CodingOffer? {
        try withConnection { connection in
            try onLink(connection) { (socket) throws(ConnectionLost) in
                try socket.send(.offer(device: connection.device, work))
            }
            switch try nextAnswer(connection, { false }).0 {
            case .offer(let offer) where offer.map({ $0.encodes.count == work.outputs.count }) ?? true:
                return offer
            case .failed(let error): throw error
            default: throw ended(connection)
            }
        }
    }

    package func render(
        _ outputs: [RenderOutput], from input: RenderInput, isCancelled: () -> Bool
    ) throws {
        try withConnection { connection in
            try onLink(connection) { (socket) throws(ConnectionLost) in
                try socket.send(.code(device: connection.device, CodingWork(outputs, from: input)))
            }
            _ = try answerQuestions(about: outputs, from: input, connection, isCancelled)
        }
    }

    /// Gives the driver process what it asks for during a render, and takes what it has rendered.
    ///
    /// - Returns: false, before anything is read, if a program has not been proven.
    func answerQuestions(
        about outputs: [RenderOutput], from input: RenderInput, _ connection: DriverConnection,
        _ isCancelled: () -> Bool, mayBeUnproven: Bool = false
    ) throws -> Bool {
        var progress = RenderProgress(CodingWork(outputs, from: input))
        while true {
            if isCancelled() { throw CancellationError() }
            let (answer, descriptor) = try nextAnswer(connection, isCancelled)
            switch answer {
            case .busy: break
            case .read(let place):
                let strip = try strip(at: place, descriptor, connection)
                guard progress.admitsReading(into: place), case .strips(let source) = input else {
                    throw ended(connection)
                }
                try source.read(into: strip)
                progress.rowsAreRead(strip.rowCount)
                try onLink(connection) { (socket) throws(ConnectionLost) in
                    try socket.send(.filled(Rows(of: strip)))
                }
            case .readBytes(let place):
                guard progress.admitsReadingBytes, case .compressed(_, _, let source) = input else {
                    throw ended(connection)
                }
                let count = try withBytes(at: place, descriptor, connection) { try source.fill($0) }
                progress.bytesAreRead(count, isAtEnd: count < place.count)
                try onLink(connection) { (socket) throws(ConnectionLost) in
                    try socket.send(.filledBytes(count))
                }
            case .write(let output, let place, let rows):
                let strip = try strip(at: place, descriptor, connection)
                guard progress.admitsWriting(rows, of: place, to: output) else { throw ended(connection) }
                rows.set(on: strip)
                try outputs.give(output) { try $0.sink.write(strip) }
            case .writeBytes(let output, let place):
                guard progress.admitsWritingBytes(place.count, to: output),
                    case .compressed(_, let sink) = outputs[output].target
                else { throw ended(connection) }
                try withBytes(at: place, descriptor, connection) { bytes in
                    try outputs.give(output) { _ in try sink.write(UnsafeRawBufferPointer(bytes)) }
                }
            case .sync:
                try onLink(connection) { (socket) throws(ConnectionLost) in try socket.send(.taken) }
            case .done(let freed):
                connection.child.blocks.remove(freed)
                guard progress.isComplete else { throw ended(connection) }
                failures.withLock { $0.end() }
                return true
            case .unproven where mayBeUnproven && progress.isUntouched: return false
            case .irregular where progress.admitsIrregularity: throw IrregularImage()
            case .failed(let error): throw error
            case .unproven, .irregular, .devices, .programs, .offer: throw ended(connection)
            }
        }
    }

    private func withBytes<Result>(
        at place: BytePlace, _ descriptor: OwnedDescriptor?, _ connection: DriverConnection,
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) throws -> Result {
        try onLink(connection) { (_) throws(ConnectionLost) in
            try connection.child.blocks.withBytes(at: place, descriptor: descriptor) { bytes in
                Swift.Result { try body(bytes) }
            }
        }.get()
    }
}

extension CompressedSource {
    /// Reads until the memory is full, or to the end of the file.
    ///
    /// - Returns: the number of bytes.
    fileprivate func fill(_ memory: UnsafeMutableRawBufferPointer) throws -> Int {
        var filled = 0
        while filled < memory.count {
            let count = try read(into: .init(rebasing: memory[filled...]))
            if count == 0 { break }
            filled += count
        }
        return filled
    }
}

extension [RenderOutput] {
    /// Passes something to an output. One that has failed gets nothing more, and the others continue.
    ///
    /// - Throws: the error of the last output that fails.
    fileprivate func give(_ index: Int, _ write: (RenderOutput) throws -> Void) throws {
        guard self[index].failure == nil else { return }
        do {
            try write(self[index])
        } catch {
            self[index].failure = error
            if allSatisfy({ $0.failure != nil }) { throw error }
        }
    }
}
