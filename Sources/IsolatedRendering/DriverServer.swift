import Foundation
import TintypeImaging
import TintypeOpenCLRendering
import TintypeRendering
import TintypeStages

/// What a driver process does: it renders for the process that has started it.
package enum DriverServer {
    /// The descriptor of the control socket.
    static let controlDescriptor: Int32 = 3
    /// How often a busy process says that it works.
    static let timeBetweenWords = Duration.seconds(1)

    /// Signals to all processes of a service are for the client, whose end is this one's. Writing to a closed pipe, or beyond
    /// the limit of a file's size, is an error. They are blocked, not ignored, because LLVM in a driver sets handlers.
    private static func blockSignals() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ] { sigaddset(&signals, number) }
        // Threads that begin later have the same mask.
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Answers until the client has closed the control socket or has ended.
    ///
    /// - Returns: false if there is no client: the process was started by hand.
    package static func run(_ runtime: OpenCLRuntime) -> Bool {
        var type: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(controlDescriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 else { return false }
        blockSignals()
        let control = MessageSocket(OwnedDescriptor(controlDescriptor))
        let blocks = SharedBlocks()
        var devices: [OpenCLDevice] = []
        while let message = try? control.receive(), let request = try? message.request() {
            do {
                switch request {
                case .search(let limit):
                    devices = try runtime.devices(timeLimit: limit)
                    for device in devices { device.useHostMemory(blocks) }
                    try control.send(.devices(devices.map(FoundDevice.init), runtime.report))
                case .connect:
                    guard let descriptor = message.descriptor else { return true }
                    let connection = ServerConnection(MessageSocket(descriptor), devices, blocks)
                    Thread.detachNewThread { connection.serve() }
                default: return true
                }
            } catch let error as DeviceError {
                guard (try? control.send(.failed(error))) != nil else { return true }
            } catch {
                return true
            }
        }
        return true
    }
}

extension FoundDevice {
    fileprivate init(_ device: OpenCLDevice) {
        self.init(
            info: device.info, sharesHostMemory: device.sharesHostMemory,
            pixelsPerStrip: device.tuning.pixelsPerStrip)
    }
}

/// The renders that one connection asks for, one after the other.
// @unchecked: used on its own thread only.
private final class ServerConnection: @unchecked Sendable {
    private let socket: MessageSocket
    private let devices: [OpenCLDevice]
    private let blocks: SharedBlocks
    /// When the client last heard of this process.
    private var lastWord = ContinuousClock.now

    init(_ socket: MessageSocket, _ devices: [OpenCLDevice], _ blocks: SharedBlocks) {
        self.socket = socket
        self.devices = devices
        self.blocks = blocks
    }

    func serve() {
        var programs: OpenCLPrograms?
        // Blocks whose end the client has been told of.
        var told: [Int] = []
        defer { blocks.putBack(freed: told) }
        while let message = try? socket.receive(), let request = try? message.request() {
            // Whoever asks again has read the last answer.
            told = []
            do {
                switch request {
                case .render(let device, let proven, let plan) where devices.indices.contains(device):
                    programs = try render(plan, on: devices[device], onlyProven: proven)
                    if programs != nil { told = blocks.takeFreed() }
                    try socket.send(programs == nil ? .unproven : .done(freed: told))
                case .proven: programs?.markProven()
                case .uncompiled(let device, let plans) where devices.indices.contains(device):
                    try socket.send(.programs(devices[device].uncompiledPrograms(of: plans)))
                case .compile(let device, let sources) where devices.indices.contains(device):
                    devices[device].compile(sources)
                    try socket.send(.done(freed: []))
                default: return
                }
            } catch let error as DeviceError {
                guard (try? socket.send(.failed(error))) != nil else { return }
            } catch is OutOfMemory {
                guard (try? socket.send(.failed(.outOfMemory))) != nil else { return }
            } catch {
                return
            }
        }
    }

    private func render(
        _ plan: RenderPlan, on device: OpenCLDevice, onlyProven: Bool
    ) throws -> OpenCLPrograms? {
        lastWord = .now
        let sink = ClientSink(plan, socket, blocks)
        return try device.renderUntested(
            plan, from: ClientSource(plan, socket, blocks, sink), to: sink, onlyProven: onlyProven,
            isCancelled: hasLostClient)
    }

    /// Called about ten times a second, while a device works. The client sends nothing then: a message is the stream's end.
    private func hasLostClient() -> Bool {
        if socket.hasMessage(within: 0) { return true }
        let now = ContinuousClock.now
        guard lastWord.duration(to: now) > DriverServer.timeBetweenWords else { return false }
        lastWord = now
        return (try? socket.send(.busy)) == nil
    }
}

/// Reads strips that the client fills.
private final class ClientSource: StripSource {
    let geometry: PhotoGeometry
    let layout: PixelLayout
    private let socket: MessageSocket
    private let blocks: SharedBlocks
    private let sink: ClientSink
    /// See `readThroughSharedStrip`.
    private var shared: Strip?

    init(_ plan: RenderPlan, _ socket: MessageSocket, _ blocks: SharedBlocks, _ sink: ClientSink) {
        geometry = plan.geometry
        layout = plan.input
        self.socket = socket
        self.blocks = blocks
        self.sink = sink
    }

    func read(into strip: Strip) throws {
        guard let (place, descriptor) = blocks.place(of: strip) else {
            return try readThroughSharedStrip(into: strip)
        }
        defer { if let descriptor { close(descriptor) } }
        try socket.send(.read(place), descriptor: descriptor ?? -1)
        guard case .filled(let rows) = try socket.receive().request(), 0...strip.rowCapacity ~= rows.count
        else { throw ConnectionLost() }
        sink.isInUse = false
        rows.set(on: strip)
    }

    /// For strips in memory of this process, such as those of rows that a crop skips. They have one shared strip: the
    /// client unmaps blocks only at the photo's end.
    private func readThroughSharedStrip(into strip: Strip) throws {
        let whole: Strip
        if let shared, shared.rowCapacity >= strip.rowCapacity {
            whole = shared
        } else {
            whole = try sharedStrip(like: strip)
        }
        shared = whole
        let window = whole.window(atRow: 0, rowCapacity: strip.rowCapacity)
        try read(into: window)
        Rows(of: window).set(on: strip)
        window.copyRows(window.firstRow..<window.endRow, to: strip)
    }

    private func sharedStrip(like strip: Strip) throws(DeviceError) -> Strip {
        let shape = StripShape(layout: strip.layout, width: strip.width, rowCapacity: strip.rowCapacity)
        guard let memory = blocks.allocate(byteCount: shape.byteCount) else { throw .outOfMemory }
        return Strip(shape, memory: .init(start: memory, count: shape.byteCount)) { [blocks] memory in
            memory.baseAddress.map { blocks.free($0, byteCount: memory.count) }
        }
    }
}

/// Gives strips of the result to the client. It answers in order, so what it says of later strips is true of these.
private final class ClientSink: UnhurriedSink {
    let layout: PixelLayout
    /// Whether the client may still need a strip.
    var isInUse = false
    private let socket: MessageSocket
    private let blocks: SharedBlocks

    init(_ plan: RenderPlan, _ socket: MessageSocket, _ blocks: SharedBlocks) {
        layout = plan.output
        self.socket = socket
        self.blocks = blocks
    }

    func write(_ strip: Strip) throws {
        guard let (place, descriptor) = blocks.place(of: strip) else {
            preconditionFailure("strips of a result are in shared memory")
        }
        defer { if let descriptor { close(descriptor) } }
        try socket.send(.write(place, Rows(of: strip)), descriptor: descriptor ?? -1)
        isInUse = true
    }

    func waitForUse() throws {
        guard isInUse else { return }
        try socket.send(.sync)
        guard case .taken = try socket.receive().request() else { throw ConnectionLost() }
        isInUse = false
    }
}

extension DeviceError {
    fileprivate static var outOfMemory: DeviceError {
        .outOfResources(call: "an allocation of memory for strips", device: "OpenCL")
    }
}
