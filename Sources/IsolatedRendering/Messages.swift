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
    /// The rows that `Answer.read` asked for are there. What was written before is taken, too.
    case filled(Rows)
    /// The rows of all `Answer.write` so far are no longer needed.
    case taken
    /// The last render gave the right bytes: its programs need no further test.
    case proven
    /// Asks which programs of plans a device would have to compile. Answered by `Answer.programs`.
    case uncompiled(device: Int, [RenderPlan])
    /// Compiles programs for a device, into the cache. Answered by `Answer.done`.
    case compile(device: Int, [ProgramSource])

    fileprivate enum Kind: UInt8 {
        case search, connect, render, filled, taken, proven, uncompiled, compile
    }
}

/// What a driver process answers.
enum Answer {
    case devices([FoundDevice], SearchReport)
    /// Rows are to be read into a strip in shared memory.
    case read(StripPlace)
    /// A strip in shared memory is a part of the result. It stays as it is until `Request.filled` or `.taken` follows.
    case write(StripPlace, Rows)
    /// Asks for `Request.taken`.
    case sync
    /// The process works, and has nothing to say.
    case busy
    /// The render is complete. `freed` are blocks of shared memory that are no longer used.
    case done(freed: [Int])
    /// A program of the plan has not been proven. Nothing was read.
    case unproven
    case programs([ProgramSource])
    case failed(DeviceError)

    fileprivate enum Kind: UInt8 { case devices, read, write, sync, busy, done, unproven, programs, failed }
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

/// A device of the driver process.
struct FoundDevice: Sendable {
    let info: DeviceInfo
    let sharesHostMemory: Bool
    let pixelsPerStrip: Int
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
        case .filled(let rows):
            kind = .filled
            writer.put(rows)
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
        case .write(let place, let rows):
            kind = .write
            writer.put(place)
            writer.put(rows)
        case .sync: kind = .sync
        case .busy: kind = .busy
        case .done(let freed):
            kind = .done
            writer.put(array: freed)
        case .unproven: kind = .unproven
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
        case .filled: return .filled(try reader.takeRows())
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
        case .write: return .write(try reader.takePlace(), try reader.takeRows())
        case .sync: return .sync
        case .busy: return .busy
        case .done: return .done(freed: try reader.takeArray())
        case .unproven: return .unproven
        case .programs: return .programs(try reader.takeSources())
        case .failed: return .failed(try reader.takeDeviceError())
        case nil: throw MalformedMessage()
        }
    }
}

extension ByteWriter {
    fileprivate mutating func put(_ source: ProgramSource) {
        put(text: source.name)
        put(text: source.text)
    }

    fileprivate mutating func put(_ place: StripPlace) {
        put(place.block)
        put(place.layout)
        put(place.width)
        put(place.rowCapacity)
        put(array: place.planeOffsets)
    }

    fileprivate mutating func put(_ rows: Rows) {
        put(rows.first)
        put(rows.count)
        put(rows.haveBlockPadding)
    }

    fileprivate mutating func put(_ device: FoundDevice) {
        for text in [device.info.identifier, device.info.kind.rawValue, device.info.name, device.info.driver]
        {
            put(text: text)
        }
        put(device.info.memoryByteCount)
        put(optional: device.info.hardware) { writer, hardware in
            for text in [hardware.pciAddress, hardware.uuid, hardware.repeats] {
                writer.put(optional: text) { $0.put(text: $1) }
            }
            writer.put(hardware.isVendorsOwn)
        }
        put(device.sharesHostMemory)
        put(device.pixelsPerStrip)
    }
}

extension ByteReader {
    fileprivate mutating func takeSources() throws(MalformedMessage) -> [ProgramSource] {
        try takeList { (reader) throws(MalformedMessage) in
            ProgramSource(name: try reader.takeText(), text: try reader.takeText())
        }
    }

    fileprivate mutating func takePlace() throws(MalformedMessage) -> StripPlace {
        StripPlace(
            block: try take(), layout: try takeLayout(), width: try take(), rowCapacity: try take(),
            planeOffsets: try takeArray())
    }

    fileprivate mutating func takeRows() throws(MalformedMessage) -> Rows {
        Rows(first: try take(), count: try take(), haveBlockPadding: try takeBool())
    }

    fileprivate mutating func takeDevice() throws(MalformedMessage) -> FoundDevice {
        let identifier = try takeText()
        guard let kind = DeviceInfo.Kind(rawValue: try takeText()) else { throw MalformedMessage() }
        let info = DeviceInfo(
            identifier: identifier, kind: kind, name: try takeText(), driver: try takeText(),
            memoryByteCount: try take(),
            hardware: try takeOptional { (reader) throws(MalformedMessage) in
                func text() throws(MalformedMessage) -> String? {
                    try reader.takeOptional { (reader) throws(MalformedMessage) in try reader.takeText() }
                }
                return HardwareIdentity(
                    pciAddress: try text(), uuid: try text(), repeats: try text(),
                    isVendorsOwn: try reader.takeBool())
            })
        let sharesHostMemory = try takeBool()
        let pixelsPerStrip = try take(Int.self)
        guard 1...1 << 31 ~= pixelsPerStrip else { throw MalformedMessage() }
        return FoundDevice(
            info: info, sharesHostMemory: sharesHostMemory, pixelsPerStrip: pixelsPerStrip)
    }
}
