import Foundation
import Glibc
import Testing
import TintypeCompute
import TintypeFilterPictures
import TintypeFilters
import TintypeImaging
import TintypeRendering

@testable import TintypeIsolatedRendering

/// A driver process whose driver has overwritten its memory, and which says what no sound one would.
struct DriverAnswersTests {
    private let plan: RenderPlan

    init() throws {
        plan = RenderPlan(
            try FilterChain(parsing: ["sepia+crop:aspect=2"]), for: PhotoGeometry(width: 64, height: 48),
            input: .interleaved(.rgb, .eight), output: .interleaved(.rgb, .eight))
    }

    private var work: CodingWork { CodingWork(nil, [CodingWork.Output(plan, to: nil)]) }

    private func place(
        _ layout: PixelLayout = .interleaved(.rgb, .eight), width: Int = 64, rowCapacity: Int = 16
    ) -> StripPlace {
        StripPlace(block: 0, layout: layout, width: width, rowCapacity: rowCapacity, planeOffsets: [0])
    }

    private func rows(_ rows: Range<Int>) -> Rows {
        Rows(first: rows.lowerBound, count: rows.count, haveBlockPadding: false)
    }

    /// `#expect` does not take calls that change their value.
    private func expect(
        _ isTrue: Bool, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(isTrue, comment, sourceLocation: sourceLocation)
    }

    @Test func allRowsInOrderCompleteARender() {
        var progress = RenderProgress(work)
        #expect(plan.outputGeometry == PhotoGeometry(width: 64, height: 32))
        #expect(progress.isUntouched && !progress.isComplete)
        expect(progress.admitsReading(into: place(rowCapacity: 64)))
        progress.rowsAreRead(40)
        expect(progress.admitsWriting(rows(0..<16), of: place(), to: 0))
        #expect(!progress.isUntouched && !progress.isComplete)
        expect(progress.admitsWriting(rows(16..<32), of: place(), to: 0))
        #expect(!progress.isComplete, "rows are not read")
        expect(progress.admitsReading(into: place()))
        progress.rowsAreRead(8)
        #expect(progress.isComplete)
        expect(!progress.admitsReading(into: place()), "all rows are read")
        expect(!progress.admitsWriting(rows(32..<33), of: place(), to: 0), "behind the photo's end")
    }

    @Test func stripsOfAnotherShapeAreNotUsed() {
        var progress = RenderProgress(work)
        for wrong in [
            place(width: 63), place(width: 1 << 40), place(.interleaved(.grey, .eight)), place(.yCbCr(.s420)),
        ] {
            expect(!progress.admitsReading(into: wrong))
            expect(!progress.admitsWriting(rows(0..<16), of: wrong, to: 0))
        }
    }

    @Test func rowsOutsideOfStripAndPhotoAreNotUsed() {
        var progress = RenderProgress(work)
        for (first, count) in [
            (0, 17), (0, 0), (0, -1), (0, .min), (0, .max), (-16, 16), (16, 16), (.max, 1),
        ] {
            let wrong = Rows(first: first, count: count, haveBlockPadding: false)
            expect(!progress.admitsWriting(wrong, of: place(), to: 0), "\(first), \(count)")
        }
        expect(progress.admitsWriting(rows(0..<16), of: place(), to: 0))
    }

    @Test func stripsOutsideOfTheirMemoryAreNotMapped() throws {
        let shared = SharedBlocks(), blocks = MappedBlocks()
        let shape = StripShape(layout: .interleaved(.rgb, .eight), width: 64, rowCapacity: 16)
        let memory = try #require(shared.allocate(byteCount: 4096))
        let strip = Strip(shape, memory: .init(start: memory, count: 4096)) { _ in }
        let (place, descriptor) = try #require(shared.place(of: strip))
        _ = try blocks.strip(at: place, descriptor: OwnedDescriptor(try #require(descriptor)))
        func expectRefused(width: Int = 64, rowCapacity: Int = 16, at offsets: [Int] = [0]) {
            let wrong = StripPlace(
                block: place.block, layout: place.layout, width: width, rowCapacity: rowCapacity,
                planeOffsets: offsets)
            #expect(throws: ConnectionLost.self) { try blocks.strip(at: wrong, descriptor: nil) }
        }
        for number in [0, -1, Int.min, Int.max, 1 << 40] {
            expectRefused(width: number)
            expectRefused(rowCapacity: number)
        }
        expectRefused(rowCapacity: 22)
        for offsets in [[], [0, 0], [-1], [1025], [.max], [.min]] { expectRefused(at: offsets) }
        shared.free(memory, byteCount: 4096)
        #expect(shared.takeFreed() == [place.block])
        // The client has not heard of it.
        shared.putBack(freed: [place.block])
        #expect(shared.takeFreed() == [place.block])
    }

    @Test(arguments: [Double.nan, -1, .infinity, 1e300])
    func aTimeThatIsNoneIsRefused(seconds: Double) {
        var writer = ByteWriter()
        writer.put(seconds)
        var reader = ByteReader(writer.bytes)
        #expect(throws: MalformedMessage.self) { try reader.takeSeconds() }
    }

    @Test func manyRendersMakeUpForACrash() {
        var budget = CrashBudget()
        budget.processEnded()
        for _ in 1..<CrashBudget.rendersToForget { budget.renderSucceeded() }
        #expect(!budget.isSpent)
        var unforgotten = budget
        unforgotten.processEnded()
        #expect(unforgotten.isSpent)
        budget.renderSucceeded()
        budget.processEnded()
        #expect(!budget.isSpent)
        budget.processEnded()
        #expect(budget.isSpent)
    }

    @Test func knownDevicesAreFoundInALaterList() {
        func device(
            _ identifier: String, pci: String? = nil, driver: String = "1.0", memory: UInt64 = 1 << 30
        ) -> DeviceInfo {
            DeviceInfo(
                identifier: identifier, kind: .gpu, name: "Fast GPU", driver: driver, memoryByteCount: memory,
                hardware: HardwareIdentity(pciAddress: pci))
        }
        let known = [device("0.0", pci: "a"), device("0.1", pci: "b"), device("1.0"), device("1.1")]
        func places(_ list: [DeviceInfo]) -> [Int?] { DriverProcess.places(of: known, in: list) }
        #expect(places(known) == [0, 1, 2, 3])
        let withoutFirst = [device("0.0", pci: "b", memory: 5), device("1.0"), device("1.1")]
        #expect(places(withoutFirst) == [nil, 0, 1, 2])
        #expect(places([device("0.0"), device("0.1", pci: "a")]) == [1, nil, 0, nil])
        #expect(places([device("0.0", pci: "a", driver: "2.0")]) == [nil, nil, nil, nil])
    }

    @Test func aMessageThatStopsInItsMiddleIsNotWaitedForForEver() throws {
        let (own, other) = try #require(MessageSocket.pair())
        own.setTimeLimit(.milliseconds(10))
        // The length of a message that never comes.
        let header: [UInt8] = [100, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
        #expect(write(other.descriptor, header, header.count) == header.count)
        #expect(throws: ConnectionLost.self) { try own.receive() }
        // Nobody takes it.
        #expect(throws: ConnectionLost.self) { try own.send(1, [UInt8](repeating: 0, count: 16 << 20)) }
    }

    /// Sends bytes and descriptors together.
    ///
    /// - Returns: sockets that end once the receiver has closed these descriptors.
    private func send(
        _ bytes: [UInt8], withDescriptors count: Int, over socket: MessageSocket
    ) throws -> [MessageSocket] {
        let pairs = try (0..<count).map { _ in try #require(MessageSocket.pair()) }
        // A `cmsghdr`, whose macros Swift does not have: its length, its level and type, and up to two descriptors.
        let scmRights = 1
        var control = [16 + 4 * count, Int(SOL_SOCKET) | scmRights << 32, 0]
        for (index, pair) in pairs.enumerated() { control[2] |= Int(pair.1.descriptor) << (32 * index) }
        var bytes = bytes
        let sentCount = bytes.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    return sendmsg(socket.descriptor, &message, 0)
                }
            }
        }
        try #require(sentCount == bytes.count)
        return pairs.map { $0.0 }
    }

    // A message begins with the length of its contents and its kind.
    @Test(
        arguments: [
            // Stops in its header, or in its contents.
            [[1]], [[9, 0, 0, 0, 0, 0, 0, 0, 1]],
            // A kind that does not exist, and an answer without a strip.
            [[0, 0, 0, 0, 0, 0, 0, 0, 99]], [[0, 0, 0, 0, 0, 0, 0, 0, 4]],
            // Descriptors with the header and with the contents.
            [[1, 0, 0, 0, 0, 0, 0, 0, 4], [0]],
        ] as [[[UInt8]]], [1, 2])
    func descriptorsThatDoNotBelongToAMessageAreClosed(parts: [[UInt8]], count: Int) throws {
        let (own, other) = try #require(MessageSocket.pair())
        own.setTimeLimit(.milliseconds(10))
        let sent = try parts.flatMap { try send($0, withDescriptors: count, over: other) }
        for _ in parts { _ = try? own.receive().answer() }
        for socket in sent { #expect(socket.hasMessage(within: 120_000)) }
        // What nobody has received is closed with its socket.
        withExtendedLifetime((own, other)) {}
    }

    @Test func aMessageThatIsTooLongIsNotSent() throws {
        let (own, other) = try #require(MessageSocket.pair(limit: 100))
        try own.send(1, [UInt8](repeating: 0, count: 100))
        #expect(try other.receive().contents.count == 100)
        let contents = [UInt8](repeating: 0, count: 101)
        do {
            try own.send(1, contents)
            Issue.record("It was sent.")
        } catch {
            guard case .tooLong(let byteCount) = error.ownFailure else {
                Issue.record("\(error)")
                return
            }
            #expect(byteCount == contents.count)
        }
        #expect(!other.hasMessage(within: 0))
    }
}
