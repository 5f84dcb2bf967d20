import CTintypeSharing
import Glibc
import TintypeImaging
import TintypeLocking
import TintypeRendering

/// The driver process's blocks of memory for strips, which its client maps, too.
package final class SharedBlocks: HostMemory {
    private struct Block {
        let number: Int
        let byteCount: Int
        /// Closed once the client has it.
        var descriptor: Int32?
    }

    private struct State {
        /// By their addresses.
        var blocks: [UInt: Block] = [:]
        var nextNumber = 0
        /// Blocks that the client may unmap.
        var freed: [Int] = []

        /// A block by its address, and its descriptor, which the caller sends to the client.
        mutating func take(_ address: UInt) -> (number: Int, descriptor: Int32?)? {
            guard let block = blocks[address] else { return nil }
            blocks[address]?.descriptor = nil
            return (block.number, block.descriptor)
        }
    }

    private let state = Locked(State())

    package init() {}

    package func allocate(byteCount: Int) -> UnsafeMutableRawPointer? {
        let descriptor = csharing_create_memory(byteCount)
        guard descriptor >= 0 else { return nil }
        guard let address = mapped(descriptor, byteCount) else {
            close(descriptor)
            return nil
        }
        let key = UInt(bitPattern: address)
        state.withLock { state in
            state.blocks[key] = Block(
                number: state.nextNumber, byteCount: byteCount, descriptor: descriptor)
            state.nextNumber += 1
        }
        return address
    }

    package func free(_ address: UnsafeMutableRawPointer, byteCount: Int) {
        let key = UInt(bitPattern: address)
        state.withLock { state in
            guard let block = state.blocks.removeValue(forKey: key) else { return }
            if let descriptor = block.descriptor {
                close(descriptor)
            } else {
                state.freed.append(block.number)
            }
        }
        munmap(address, byteCount)
    }

    /// The place of a strip in its block, and the block's descriptor if the client does not have it yet; nil if the
    /// strip is elsewhere. The caller closes the descriptor.
    func place(of strip: Strip) -> (place: StripPlace, descriptor: Int32?)? {
        guard let base = strip.memory.baseAddress,
            let found = state.withLock({ $0.take(UInt(bitPattern: base)) })
        else { return nil }
        let place = StripPlace(
            block: found.number, layout: strip.layout, width: strip.width, rowCapacity: strip.rowCapacity,
            planeOffsets: strip.planes.map { $0.base - base })
        return (place, found.descriptor)
    }

    /// The place of bytes in a block; as `place(of:)` for strips.
    func place(of bytes: UnsafeRawBufferPointer) -> (place: BytePlace, descriptor: Int32?)? {
        guard let base = bytes.baseAddress else { return nil }
        let start = UInt(bitPattern: base)
        return state.withLock { state in
            let key = state.blocks.first { key, block in
                key <= start && start - key + UInt(bytes.count) <= UInt(block.byteCount)
            }?.key
            guard let key, let found = state.take(key) else { return nil }
            let place = BytePlace(block: found.number, offset: Int(start - key), count: bytes.count)
            return (place, found.descriptor)
        }
    }

    /// The blocks freed since the last call.
    func takeFreed() -> [Int] {
        state.withLock { state in
            defer { state.freed = [] }
            return state.freed
        }
    }

    /// Has the next call of `takeFreed` return blocks again: the client may not have heard of them.
    func putBack(freed: [Int]) { state.withLock { $0.freed += freed } }
}

/// The client's mappings of a driver process's blocks.
final class MappedBlocks: Sendable {
    private final class Mapping: @unchecked Sendable {
        // @unchecked: immutable; the bytes belong to whoever has the strip.
        let memory: UnsafeMutableRawBufferPointer

        init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }
        deinit { munmap(memory.baseAddress, memory.count) }
    }

    private let mappings = Locked<[Int: Mapping]>([:])

    /// The strip at a place.
    ///
    /// - Parameter descriptor: of the block, if it comes for the first time.
    /// - Throws: `ConnectionLost` if there is no such place.
    func strip(at place: StripPlace, descriptor: OwnedDescriptor?) throws(ConnectionLost) -> Strip {
        let mapping = try mapping(place.block, descriptor)
        // A pixel has at least one byte.
        guard place.width > 0, place.rowCapacity > 0,
            place.rowCapacity <= mapping.memory.count / place.width
        else { throw ConnectionLost() }
        // The mapping lives as long as the strip.
        guard
            let strip = Strip(
                layout: place.layout, width: place.width, rowCapacity: place.rowCapacity,
                planesAt: place.planeOffsets, in: mapping.memory,
                release: { _ in withExtendedLifetime(mapping) {} })
        else { throw ConnectionLost() }
        return strip
    }

    /// Passes bytes at a place to `body`; otherwise as `strip`.
    func withBytes<Result>(
        at place: BytePlace, descriptor: OwnedDescriptor?,
        _ body: (UnsafeMutableRawBufferPointer) -> Result
    ) throws(ConnectionLost) -> Result {
        let mapping = try mapping(place.block, descriptor), count = mapping.memory.count
        guard 0...count ~= place.offset, 0...(count - place.offset) ~= place.count else {
            throw ConnectionLost()
        }
        return withExtendedLifetime(mapping) {
            body(.init(rebasing: mapping.memory[place.offset..<place.offset + place.count]))
        }
    }

    private func mapping(
        _ block: Int, _ descriptor: OwnedDescriptor?
    ) throws(ConnectionLost) -> Mapping {
        if let descriptor {
            let byteCount = csharing_memory_size(descriptor.number)
            guard byteCount > 0 else { throw ConnectionLost() }
            guard let address = mapped(descriptor.number, byteCount) else {
                throw ConnectionLost(.outOfResources(call: "mapping a strip"))
            }
            let mapping = Mapping(.init(start: address, count: byteCount))
            mappings.withLock { $0[block] = mapping }
        }
        guard let mapping = mappings.withLock({ $0[block] }) else { throw ConnectionLost() }
        return mapping
    }

    func remove(_ blocks: [Int]) {
        mappings.withLock { mappings in
            for block in blocks { mappings[block] = nil }
        }
    }
}

private func mapped(_ descriptor: Int32, _ byteCount: Int) -> UnsafeMutableRawPointer? {
    let address = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    return address == MAP_FAILED ? nil : address
}
