import CTintypeOpenCL
import TintypeRendering

/// The resources of one render on a device: a thread for driver calls, queues, and memory for strips. The
/// next render reuses them.
// @unchecked: a lane belongs to one render at a time, which uses it on the lane's thread only.
final class OpenCLLane: @unchecked Sendable {
    let device: OpenCLDevice
    let driver: DriverThread
    /// Whether its renders tell the device's times.
    let profiles: Bool
    private var compute: OpenCLQueue?
    /// Those of renders in strips, the first of which makes them.
    private var stripQueues: OpenCLQueues?
    private var hostBlocks = BlockPool<HostBlock>()
    private var deviceBlocks = BlockPool<OpenCLBuffer>()
    /// What the last photo was coded with, if the next one of its kind can use it too.
    private var kept: (work: CodingWork, renderer: CodedRenderer)?
    private var fitting: (plans: [RenderPlan], rows: Int)?
    /// The most bytes of the device's memory that the render may take, and the bytes that it has taken.
    private var memoryLimit = 0
    private var takenByteCount = 0

    init(_ device: OpenCLDevice, profiles: Bool) {
        self.device = device
        self.profiles = profiles
        driver = DriverThread(device.watch)
    }

    /// Bytes of the device's memory that the lane keeps between renders.
    var heldByteCount: Int { deviceBlocks.byteCount }

    /// Marks all memory as free, for a new render.
    ///
    /// - Parameter memoryLimit: the most bytes that the render may take.
    /// - Returns: the queue for kernels.
    func beginRender(memoryLimit: Int) throws(DeviceError) -> OpenCLQueue {
        self.memoryLimit = memoryLimit
        takenByteCount = 0
        forget()
        hostBlocks.beginRender()
        deviceBlocks.beginRender()
        if let compute { return compute }
        let made = try OpenCLQueue(device, profiles: profiles)
        compute = made
        return made
    }

    /// As `beginRender`, for a render in strips, whose copies have queues of their own.
    func beginStrips(memoryLimit: Int) throws(DeviceError) -> OpenCLQueues {
        let compute = try beginRender(memoryLimit: memoryLimit)
        if let stripQueues { return stripQueues }
        let made = try OpenCLQueues(device, compute: compute, profiles: profiles)
        stripQueues = made
        return made
    }

    /// The renderer of the last photo, if it does for one of this work, which then takes no more memory.
    func renderer(for work: CodingWork) -> CodedRenderer? {
        guard let kept, kept.renderer.isKept, kept.work.serves(work) else { return nil }
        return kept.renderer
    }

    /// The renderer of the last photo, for any work.
    var keptRenderer: CodedRenderer? { kept?.renderer }

    /// Keeps a renderer until another one takes the lane's memory.
    func keep(_ renderer: CodedRenderer, for work: CodingWork) { kept = (work, renderer) }

    /// The rows that the filters of the last photo have computed at once; nil for other plans.
    func rowsAtOnce(for plans: [RenderPlan]) -> Int? { fitting?.plans == plans ? fitting?.rows : nil }

    func keepRowsAtOnce(_ rows: Int, for plans: [RenderPlan]) { fitting = (plans, rows) }

    private func forget() {
        kept?.renderer.close()
        kept = nil
    }

    /// Waits for all queued commands, including those of a failed render, and releases everything.
    func close() {
        if let stripQueues { try? stripQueues.finish() } else { try? compute?.finish() }
        freeBlocks()
        stripQueues = nil
        compute = nil
    }

    /// Releases all memory, used or not.
    func freeBlocks() {
        forget()
        hostBlocks = BlockPool()
        deviceBlocks = BlockPool()
    }

    /// Memory that the host can access, until the next render begins.
    ///
    /// - Throws: `DeviceError.tooLarge` if it is the device's, too, and the render exceeds its limit.
    func hostBlock(byteCount: Int) throws(DeviceError) -> HostBlock {
        if device.sharesHostMemory { try take(byteCount) }
        guard let queue = compute else { preconditionFailure("beginRender was not called") }
        return try hostBlocks.block(byteCount: byteCount) { (byteCount) throws(DeviceError) in
            try HostBlock(device, queue: queue, byteCount: byteCount, in: device.hostMemory)
        }
    }

    /// The device's own memory, until the next render begins.
    ///
    /// - Throws: `DeviceError.tooLarge` if the render exceeds its limit.
    func deviceBlock(byteCount: Int) throws(DeviceError) -> OpenCLBuffer {
        try take(byteCount)
        return try deviceBlocks.block(byteCount: byteCount) { (byteCount) throws(DeviceError) in
            try OpenCLBuffer(device, byteCount: byteCount)
        }
    }

    private func take(_ byteCount: Int) throws(DeviceError) {
        takenByteCount += byteCount
        guard takenByteCount <= memoryLimit else {
            throw .tooLarge(device: device.info.name, byteCount: takenByteCount, limit: memoryLimit)
        }
    }
}

/// What renders a photo on a lane.
protocol LaneRenderer: AnyObject, Sendable {
    /// Whether it stays with its lane after a photo.
    var isKept: Bool { get }

    /// Releases all objects of the driver. Called on the lane's thread, because a driver may hang in it.
    func close()
}

extension LaneRenderer {
    var isKept: Bool { false }
}

/// A pool of memory blocks that renders reuse. Blocks that the last render did not use are released, so the
/// pool holds at most what two renders need.
struct BlockPool<Block> {
    private var blocks: [(block: Block, byteCount: Int, isTaken: Bool)] = []

    /// Marks all blocks as free.
    mutating func beginRender() {
        blocks.removeAll { !$0.isTaken }
        for index in blocks.indices { blocks[index].isTaken = false }
    }

    var byteCount: Int { blocks.reduce(0) { $0 + $1.byteCount } }

    /// The smallest sufficient free block of at most twice the size, or a new one.
    mutating func block(
        byteCount: Int, make: (_ byteCount: Int) throws(DeviceError) -> Block
    ) throws(DeviceError) -> Block {
        let fitting = blocks.indices.filter {
            !blocks[$0].isTaken && (byteCount...2 * byteCount).contains(blocks[$0].byteCount)
        }
        if let index = fitting.min(by: { blocks[$0].byteCount < blocks[$1].byteCount }) {
            blocks[index].isTaken = true
            return blocks[index].block
        }
        let rounded = byteCount.roundedToBlock
        let block = try make(rounded)
        blocks.append((block, rounded, true))
        return block
    }
}
