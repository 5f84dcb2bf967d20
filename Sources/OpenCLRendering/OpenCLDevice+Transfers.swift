import CTintypeOpenCL
import Foundation
import TintypeRendering

extension OpenCLDevice {
    package func transferTimes(
        byteCount: Int, count: Int, in hostMemory: TransferMemory
    ) throws(DeviceError) -> TransferTimes? {
        guard !sharesHostMemory else { return nil }
        return try DriverThread(watch).run(patience: Self.patienceToCompile) {
            [self] () throws(DeviceError) in
            let queue = try OpenCLQueue(self, profiles: false)
            switch hostMemory {
            case .pinned: return try measureTransfers(in: nil, byteCount, count, queue)
            case .provided(let memory): return try measureTransfers(in: memory, byteCount, count, queue)
            case .pageable:
                let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
                defer { memory.deallocate() }
                // The system allocates pages when they are first written.
                memset(memory, 1, byteCount)
                return try measureTransfers(at: memory, byteCount, count, queue)
            }
        }
    }

    /// - Parameter memory: nil lets the driver choose.
    private func measureTransfers(
        in memory: (any HostMemory)?, _ byteCount: Int, _ count: Int, _ queue: OpenCLQueue
    ) throws(DeviceError) -> TransferTimes {
        let block = try HostBlock(self, queue: queue, byteCount: byteCount, in: memory)
        return try withExtendedLifetime(block) { () throws(DeviceError) in
            try measureTransfers(at: block.address, byteCount, count, queue)
        }
    }

    private func measureTransfers(
        at memory: UnsafeMutableRawPointer, _ byteCount: Int, _ count: Int, _ queue: OpenCLQueue
    ) throws(DeviceError) -> TransferTimes {
        let buffer = try OpenCLBuffer(self, byteCount: byteCount)
        // Commands that fail to be queued must not outlive the memory.
        defer { try? queue.finish() }
        func seconds(_ enqueue: () throws(DeviceError) -> Void) throws(DeviceError) -> Double {
            let start = ContinuousClock.now
            try enqueue()
            try queue.finish()
            let time = start.duration(to: .now)
            for event in queue.takeEvents() { try event.check() }
            return time / .seconds(1)
        }
        var times = TransferTimes()
        for _ in 0...count {
            times.upload.append(
                try seconds { () throws(DeviceError) in
                    try queue.write(memory, to: buffer.handle, byteCount: byteCount)
                })
            times.download.append(
                try seconds { () throws(DeviceError) in
                    try queue.read(buffer.handle, into: memory, byteCount: byteCount)
                })
        }
        times.upload.removeFirst()
        times.download.removeFirst()
        return times
    }
}
