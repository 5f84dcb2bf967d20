import TintypeImaging
import TintypeOpenCLRendering
import TintypeRendering

/// What this process asks a driver process to do.
enum Request {
    /// Finds the devices. On the control socket; answered by `Answer.devices` or `.failed`.
    case search(timeLimit: Duration?)
    /// Takes the socket that comes along as a further connection.
    case connect
    /// Renders a photo on a device, by its place in the list of devices. Without `proven`, programs that no test has
    /// passed are used, too.
    case render(device: Int, proven: Bool, RenderPlan)
    /// Asks what a device decodes and encodes itself. Answered by `Answer.offer`.
    case offer(device: Int, CodingWork)
    /// Renders a photo, of which the device decodes or encodes something.
    case code(device: Int, CodingWork)
    /// The rows that `Answer.read` asked for are there. What was written before is taken, too.
    case filled(Rows)
    /// So many bytes of those that `Answer.readBytes` asked for are there; fewer at the end. What was written before is taken,
    /// too.
    case filledBytes(Int)
    /// The rows and bytes that were written so far are no longer needed.
    case taken
    /// The last render gave the right bytes: its programs need no further test.
    case proven
    /// Asks which programs of plans a device would have to compile. Answered by `Answer.programs`.
    case uncompiled(device: Int, [RenderPlan])
    /// Compiles programs for a device, into the cache. Answered by `Answer.done`.
    case compile(device: Int, [ProgramSource])

    fileprivate enum Kind: UInt8 {
        case search, connect, render, offer, code, filled, filledBytes, taken, proven, uncompiled, compile
    }
}

/// What a driver process answers.
enum Answer {
    case devices([FoundDevice], SearchReport)
    /// Rows are to be read into a strip in shared memory.
    case read(StripPlace)
    /// The photo's data are to be read into shared memory.
    case readBytes(BytePlace)
    /// A strip in shared memory is a part of an output. It stays as it is until `Request.filled`, `.filledBytes` or `.taken`
    /// follows.
    case write(output: Int, StripPlace, Rows)
    /// The same of an output that the device encodes.
    case writeBytes(output: Int, BytePlace)
    /// Asks for `Request.taken`.
    case sync
    /// The process works, and has nothing to say.
    case busy
    /// The render is complete. `freed` are blocks of shared memory that are no longer used.
    case done(freed: [Int])
    /// A program of the plan has not been proven. Nothing was read.
    case unproven
    /// The device cannot decode the photo. Nothing was written.
    case irregular
    case offer(CodingOffer?)
    case programs([ProgramSource])
    case failed(DeviceError)

    fileprivate enum Kind: UInt8 {
        case devices, read, write, sync, busy, done, unproven, programs, failed
        case readBytes, writeBytes, irregular, offer
    }
}

/// Rows of the photo that a strip holds.
struct Rows {
    var first, count: Int
    var haveBlockPadding: Bool

    init(first: Int, count: Int, haveBlockPadding: Bool) {
        self.first = first
        self.count = count
        self.haveBlockPadding = haveBlockPadding
    }

    init(of strip: Strip) {
        first = strip.firstRow
        count = strip.rowCount
        haveBlockPadding = strip.hasBlockPadding
    }

    func set(on strip: Strip) {
        strip.firstRow = first
        strip.rowCount = count
        strip.hasBlockPadding = haveBlockPadding
    }
}

/// A strip in a block of shared memory. The block's descriptor comes with the first message that names it.
struct StripPlace {
    let block: Int
    let layout: PixelLayout
    let width, rowCapacity: Int
    /// Bytes from the block's start to each plane.
    let planeOffsets: [Int]
}

/// Bytes in a block of shared memory.
struct BytePlace {
    let block: Int
    /// From the block's start.
    let offset, count: Int
}

/// A device of the driver process.
struct FoundDevice: Sendable {
    let info: DeviceInfo
    let stripMemory: StripMemory?
    /// Whether it may decode or encode photos itself.
    let isCoding: Bool
}

extension MessageSocket {
    func send(_ request: Request, descriptor: Int32 = -1) throws(ConnectionLost) {
        var writer = ByteWriter()
        let kind: Request.Kind
        switch request {
        case .search(let limit):
            kind = .search
            writer.put(optional: limit) { $0.put($1 / .seconds(1)) }
        case .connect: kind = .connect
        case .render(let device, let proven, let plan):
            kind = .render
            writer.put(device)
            writer.put(proven)
            plan.write(to: &writer)
        case .offer(let device, let work):
            kind = .offer
            writer.put(device)
            writer.put(work)
        case .code(let device, let work):
            kind = .code
            writer.put(device)
            writer.put(work)
        case .filled(let rows):
            kind = .filled
            writer.put(rows)
        case .filledBytes(let count):
            kind = .filledBytes
            writer.put(count)
        case .taken: kind = .taken
        case .proven: kind = .proven
        case .uncompiled(let device, let plans):
            kind = .uncompiled
            writer.put(device)
            writer.put(list: plans) { $1.write(to: &$0) }
        case .compile(let device, let sources):
            kind = .compile
            writer.put(device)
            writer.put(list: sources) { $0.put($1) }
        }
        try send(kind.rawValue, writer.bytes, descriptor: descriptor)
    }

    func send(_ answer: Answer, descriptor: Int32 = -1) throws(ConnectionLost) {
        var writer = ByteWriter()
        let kind: Answer.Kind
        switch answer {
        case .devices(let devices, let report):
            kind = .devices
            writer.put(list: devices) { $0.put($1) }
            writer.put(list: report.notes) { $0.put(text: $1) }
            writer.put(optional: report.failure) { $0.put(text: $1) }
        case .read(let place):
            kind = .read
            writer.put(place)
        case .readBytes(let place):
            kind = .readBytes
            writer.put(place)
        case .write(let output, let place, let rows):
            kind = .write
            writer.put(output)
            writer.put(place)
            writer.put(rows)
        case .writeBytes(let output, let place):
            kind = .writeBytes
            writer.put(output)
            writer.put(place)
        case .sync: kind = .sync
        case .busy: kind = .busy
        case .done(let freed):
            kind = .done
            writer.put(array: freed)
        case .unproven: kind = .unproven
        case .irregular: kind = .irregular
        case .offer(let offer):
            kind = .offer
            writer.put(optional: offer) { $0.put($1) }
        case .programs(let sources):
            kind = .programs
            writer.put(list: sources) { $0.put($1) }
        case .failed(let error):
            kind = .failed
            writer.put(error)
        }
        try send(kind.rawValue, writer.bytes, descriptor: descriptor)
    }
}

extension MessageSocket.Message {
    func request() throws(MalformedMessage) -> Request {
        var reader = ByteReader(contents)
        switch Request.Kind(rawValue: kind) {
        case .search:
            return .search(
                timeLimit: try reader.takeOptional { (reader) throws(MalformedMessage) in
                    try reader.takeSeconds()
                })
        case .connect: return .connect
        case .render:
            return .render(
                device: try reader.take(), proven: try reader.takeBool(), try RenderPlan(from: &reader))
        case .offer: return .offer(device: try reader.take(), try reader.takeWork())
        case .code: return .code(device: try reader.take(), try reader.takeWork())
        case .filled: return .filled(try reader.takeRows())
        case .filledBytes: return .filledBytes(try reader.take())
        case .taken: return .taken
        case .proven: return .proven
        case .uncompiled:
            return .uncompiled(
                device: try reader.take(),
                try reader.takeList { (reader) throws(MalformedMessage) in try RenderPlan(from: &reader) })
        case .compile: return .compile(device: try reader.take(), try reader.takeSources())
        case nil: throw MalformedMessage()
        }
    }

    func answer() throws(MalformedMessage) -> Answer {
        var reader = ByteReader(contents)
        switch Answer.Kind(rawValue: kind) {
        case .devices:
            let devices = try reader.takeList { (reader) throws(MalformedMessage) in try reader.takeDevice() }
            var report = SearchReport()
            report.notes = try reader.takeList { (reader) throws(MalformedMessage) in try reader.takeText() }
            report.failure = try reader.takeOptional { (reader) throws(MalformedMessage) in
                try reader.takeText()
            }
            return .devices(devices, report)
        case .read: return .read(try reader.takePlace())
        case .readBytes: return .readBytes(try reader.takeBytePlace())
        case .write:
            return .write(output: try reader.take(), try reader.takePlace(), try reader.takeRows())
        case .writeBytes: return .writeBytes(output: try reader.take(), try reader.takeBytePlace())
        case .sync: return .sync
        case .busy: return .busy
        case .done: return .done(freed: try reader.takeArray())
        case .unproven: return .unproven
        case .irregular: return .irregular
        case .offer:
            return .offer(
                try reader.takeOptional { (reader) throws(MalformedMessage) in try reader.takeOffer() })
        case .programs: return .programs(try reader.takeSources())
        case .failed: return .failed(try reader.takeDeviceError())
        case nil: throw MalformedMessage()
        }
    }
}
