import COpenCL
import Rendering

/// One render's way to a device, which it leaves to the next render: a thread for the driver's calls, queues,
/// and memory for strips.
// @unchecked: a lane belongs to one render at a time, which touches it on the lane's thread only.
final class OpenCLLane: @unchecked Sendable {
    let device: OpenCLDevice
    let driver: DriverThread
    private var queues: OpenCLQueues?
    private var hostBlocks = BlockPool<HostBlock>()
    private var deviceBlocks = BlockPool<OpenCLBuffer>()
    /// Bytes that the render may take, and those that it has taken.
    private var memoryLimit = 0
    private var takenByteCount = 0

    init(_ device: OpenCLDevice) {
        self.device = device
        driver = DriverThread(device.watch)
    }

    /// Takes back all memory, for the render that begins.
    ///
    /// - Parameter memoryLimit: bytes that the render may take.
    func beginRender(memoryLimit: Int) throws(DeviceError) -> OpenCLQueues {
        self.memoryLimit = memoryLimit
        takenByteCount = 0
        hostBlocks.beginRender()
        deviceBlocks.beginRender()
        if let queues { return queues }
        let queues = try OpenCLQueues(device)
        self.queues = queues
        return queues
    }

    /// Waits for all that is queued, what a render that failed has left, and lets go of everything.
    func close() {
        try? queues?.finish()
        freeBlocks()
        queues = nil
    }

    /// Lets go of all memory, taken or not.
    func freeBlocks() {
        hostBlocks = BlockPool()
        deviceBlocks = BlockPool()
    }

    /// Memory that the host can fill and read, until the next render begins.
    ///
    /// - Throws: `DeviceError.tooLarge` for more than the render may take.
    func hostBlock(byteCount: Int) throws(DeviceError) -> HostBlock {
        try take(byteCount)
        guard let queue = queues?.compute else { preconditionFailure("a render begins before it asks") }
        return try hostBlocks.block(byteCount: byteCount) { (byteCount) throws(DeviceError) in
            try HostBlock(device, queue: queue, byteCount: byteCount)
        }
    }

    /// Memory of the device's own, until the next render begins.
    ///
    /// - Throws: `DeviceError.tooLarge` for more than the render may take.
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

/// Blocks of memory that one render leaves to the next. What the last render had no use for goes, so the pool
/// never holds more than two renders need.
struct BlockPool<Block> {
    private var blocks: [(block: Block, byteCount: Int, isTaken: Bool)] = []

    /// All that was taken is free again.
    mutating func beginRender() {
        blocks.removeAll { !$0.isTaken }
        for index in blocks.indices { blocks[index].isTaken = false }
    }

    /// The smallest free block that has room and is at most twice as large, or a new one.
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
        let rounded = Self.rounded(byteCount)
        let block = try make(rounded)
        blocks.append((block, rounded, true))
        return block
    }

    /// A little more, up to an eighth, so that strips of nearly equal size share blocks.
    private static func rounded(_ byteCount: Int) -> Int {
        let power = 1 << (Int.bitWidth - 1 - max(byteCount, 1).leadingZeroBitCount)
        return byteCount.roundedUp(toMultipleOf: max(4096, power / 8))
    }
}
