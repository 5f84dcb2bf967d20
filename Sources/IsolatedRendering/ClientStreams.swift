import Glibc
import TintypeImaging
import TintypeRendering

/// What the client of a driver process is asked during one render. It answers in order, so what it says of later strips is true
/// of earlier ones.
final class ClientLink {
    private let socket: MessageSocket
    fileprivate let blocks: SharedBlocks
    /// Whether the client may still need what it was given.
    private var isInUse = false
    /// Shared memory for bytes that are elsewhere.
    private var buffer: UnsafeMutableRawBufferPointer?
    private static let bufferByteCount = 1 << 20

    init(_ socket: MessageSocket, _ blocks: SharedBlocks) {
        self.socket = socket
        self.blocks = blocks
    }

    deinit {
        if let start = buffer?.baseAddress { blocks.free(start, byteCount: Self.bufferByteCount) }
    }

    func input(of work: CodingWork) -> RenderInput {
        guard let input = work.input else { return .strips(ClientSource(work.outputs[0].plan, self)) }
        return .compressed(input.image, reducedBy: input.divisor, ClientData(input.byteCount, self))
    }

    func outputs(of work: CodingWork) -> [RenderOutput] {
        work.outputs.enumerated().map { index, output in
            guard let image = output.image else {
                return RenderOutput(
                    output.plan, to: ClientSink(output.plan, output: index, self, waits: true))
            }
            return RenderOutput(output.plan, to: .compressed(image, ClientFile(output: index, self)))
        }
    }

    fileprivate func read(into place: StripPlace, _ descriptor: Int32?) throws -> Rows {
        try send(.read(place), descriptor)
        guard case .filled(let rows) = try socket.receive().request(), 0...place.rowCapacity ~= rows.count
        else { throw ConnectionLost() }
        isInUse = false
        return rows
    }

    fileprivate func read(into place: BytePlace, _ descriptor: Int32?) throws -> Int {
        try send(.readBytes(place), descriptor)
        guard case .filledBytes(let count) = try socket.receive().request(), 0...place.count ~= count
        else { throw ConnectionLost() }
        isInUse = false
        return count
    }

    /// Gives the client something that stays as it is until `waitForUse`, or until something was read.
    fileprivate func give(_ answer: Answer, _ descriptor: Int32?) throws {
        try send(answer, descriptor)
        isInUse = true
    }

    func waitForUse() throws {
        guard isInUse else { return }
        try socket.send(.sync)
        guard case .taken = try socket.receive().request() else { throw ConnectionLost() }
        isInUse = false
    }

    /// - Parameter descriptor: is closed.
    private func send(_ answer: Answer, _ descriptor: Int32?) throws(ConnectionLost) {
        defer { if let descriptor { close(descriptor) } }
        try socket.send(answer, descriptor: descriptor ?? -1)
    }

    /// A window like a strip that is elsewhere, into a strip in shared memory.
    ///
    /// - Parameter shared: that strip; replaced by a larger one if it is too low. There is one, because the client unmaps blocks
    ///   only at the photo's end.
    fileprivate func window(like strip: Strip, in shared: inout Strip?) throws(DeviceError) -> Strip {
        let whole: Strip
        if let shared, shared.rowCapacity >= strip.rowCapacity {
            whole = shared
        } else {
            whole = try sharedStrip(like: strip)
        }
        shared = whole
        return whole.window(atRow: 0, rowCapacity: strip.rowCapacity)
    }

    private func sharedStrip(like strip: Strip) throws(DeviceError) -> Strip {
        let shape = StripShape(layout: strip.layout, width: strip.width, rowCapacity: strip.rowCapacity)
        let memory = try allocate(shape.byteCount)
        return Strip(shape, memory: memory) { [blocks] memory in
            memory.baseAddress.map { blocks.free($0, byteCount: memory.count) }
        }
    }

    fileprivate func sharedBuffer() throws(DeviceError) -> UnsafeMutableRawBufferPointer {
        if let buffer { return buffer }
        let made = try allocate(Self.bufferByteCount)
        buffer = made
        return made
    }

    private func allocate(_ byteCount: Int) throws(DeviceError) -> UnsafeMutableRawBufferPointer {
        guard let memory = blocks.allocate(byteCount: byteCount) else {
            throw .outOfResources(call: "an allocation of shared memory", device: "OpenCL")
        }
        return UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    }
}

/// Reads strips that the client fills.
final class ClientSource: StripSource {
    let geometry: PhotoGeometry
    let layout: PixelLayout
    private let link: ClientLink
    /// For strips in memory of this process, such as those of rows that a crop skips.
    private var shared: Strip?

    init(_ plan: RenderPlan, _ link: ClientLink) {
        geometry = plan.geometry
        layout = plan.input
        self.link = link
    }

    func read(into strip: Strip) throws {
        guard let (place, descriptor) = link.blocks.place(of: strip) else {
            return try readThroughSharedStrip(into: strip)
        }
        try link.read(into: place, descriptor).set(on: strip)
    }

    private func readThroughSharedStrip(into strip: Strip) throws {
        let window = try link.window(like: strip, in: &shared)
        try read(into: window)
        Rows(of: window).set(on: strip)
        window.copyBlocks(window.firstRow..<window.endRow, to: strip)
    }
}

/// Gives strips of an output to the client.
final class ClientSink: StripSink {
    let layout: PixelLayout
    private let output: Int
    private let link: ClientLink
    private let waits: Bool
    /// For strips in memory of this process.
    private var shared: Strip?

    /// - Parameter waits: whether a strip's memory may change once it was written. Otherwise the device calls `waitForUse` before.
    init(_ plan: RenderPlan, output: Int, _ link: ClientLink, waits: Bool = false) {
        layout = plan.output
        self.output = output
        self.link = link
        self.waits = waits
    }

    func write(_ strip: Strip) throws {
        guard let (place, descriptor) = link.blocks.place(of: strip) else {
            return try writeThroughSharedStrip(strip)
        }
        try link.give(.write(output: output, place, Rows(of: strip)), descriptor)
        if waits { try link.waitForUse() }
    }

    private func writeThroughSharedStrip(_ strip: Strip) throws {
        let window = try link.window(like: strip, in: &shared)
        Rows(of: strip).set(on: window)
        strip.copyBlocks(strip.firstRow..<strip.endRow, to: window)
        try write(window)
        try link.waitForUse()
    }
}

/// Reads the data of a compressed photo that the client has.
private final class ClientData: CompressedSource {
    let mostByteCount: Int?
    private let link: ClientLink
    private var isAtEnd = false

    init(_ mostByteCount: Int?, _ link: ClientLink) {
        self.mostByteCount = mostByteCount
        self.link = link
    }

    func read(into memory: UnsafeMutableRawBufferPointer) throws -> Int {
        // The client fills memory as far as it can.
        if isAtEnd { return 0 }
        if let (place, descriptor) = link.blocks.place(of: UnsafeRawBufferPointer(memory)) {
            let count = try link.read(into: place, descriptor)
            isAtEnd = count < memory.count
            return count
        }
        let buffer = try link.sharedBuffer()
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(memory.count))
        let count = try read(into: part)
        memory.copyBytes(from: part.prefix(count))
        return count
    }
}

/// Gives the client an output that the device encodes.
private final class ClientFile: CompressedSink {
    private let output: Int
    private let link: ClientLink

    init(output: Int, _ link: ClientLink) {
        self.output = output
        self.link = link
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard let (place, descriptor) = link.blocks.place(of: bytes) else {
            return try writeThroughSharedBuffer(bytes)
        }
        try link.give(.writeBytes(output: output, place), descriptor)
        try link.waitForUse()
    }

    private func writeThroughSharedBuffer(_ bytes: UnsafeRawBufferPointer) throws {
        let buffer = try link.sharedBuffer()
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(rest.count))
            part.copyBytes(from: rest.prefix(part.count))
            try write(UnsafeRawBufferPointer(part))
            rest = rest.dropFirst(part.count)
        }
    }
}
