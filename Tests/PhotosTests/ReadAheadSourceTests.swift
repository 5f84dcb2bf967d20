import Dispatch
import Foundation
import TestSupport
import Testing
import Tintype
import TintypeLocking

@testable import TintypeCodecs
@testable import TintypeCompute
@testable import TintypePhotos

struct ReadAheadSourceTests {
    private static let layouts: [PixelLayout] =
        ChromaSubsampling.common.map(PixelLayout.yCbCr)
        + [.interleaved(.grey, .eight), .interleaved(.rgba, .sixteen)]

    /// Reads a source to its end, in strips of random heights.
    private func samples(
        of source: any StripSource, heightsFrom seed: UInt64, beforeEachStrip: () -> Void = {}
    ) throws -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        let result = MemoryPhoto(source.geometry, layout: source.layout)
        let sink = result.makeSink()
        var row = 0
        while row < source.geometry.height {
            let capacity =
                source.layout.rowGranularity(width: source.geometry.width)
                * Int.random(in: 1...3, using: &random)
            let strip = try Strip(layout: source.layout, width: source.geometry.width, rowCapacity: capacity)
            beforeEachStrip()
            try source.read(into: strip)
            #expect(strip.firstRow == row && strip.rowCount == min(capacity, source.geometry.height - row))
            try sink.write(strip)
            row = strip.endRow
        }
        return result.samples
    }

    @Test(arguments: layouts) func itsRowsAreTheSourcesOwn(layout: PixelLayout) throws {
        for (seed, height) in zip(UInt64(1)..., [1, 7, 32, 33, 200, 333]) {
            let photo = MemoryPhoto(
                noise: PhotoGeometry(width: 37, height: height), layout: layout, seed: seed)
            let workers = PhotoWorkers(1)
            let source = ReadAheadSource(photo.makeSource(), workers: workers)
            #expect(try samples(of: source, heightsFrom: seed) == photo.samples)
            source.abandon()
            #expect(workers.takeIdleSlot() != nil)
        }
    }

    @Test func aPhotoThatWaitsGetsTheWorkerAndNoRowIsLost() throws {
        let photo = MemoryPhoto(
            noise: PhotoGeometry(width: 37, height: 999), layout: .yCbCr(.s420), seed: 3)
        let threads = Locked<[UInt]>([])
        let observed = ObservedSource(photo.makeSource()) { threads.withLock { $0.append(Self.thread) } }
        let workers = PhotoWorkers(1)
        let source = ReadAheadSource(observed, workers: workers)
        let (isHeld, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        var strips = 0
        let result = try samples(of: source, heightsFrom: 4) {
            strips += 1
            switch strips {
            case 5:
                workers.run {
                    let slot = workers.takeSlot()
                    isHeld.signal()
                    isDone.wait()
                    slot.giveBack()
                }
                while !workers.isSlotWanted { usleep(100) }
            case 6:
                // The worker was handed over while the previous strip was read.
                #expect(isHeld.wait(timeout: .now() + 60) == .success)
            case 12:
                isDone.signal()
            default: break
            }
        }
        #expect(result == photo.samples)
        source.abandon()
        // A worker decodes ahead at first, and this thread while the other photo has the worker.
        let own = threads.withLock { $0.map { $0 == Self.thread } }
        #expect(own.first == false && own.contains(true))
    }

    private static var thread: UInt { UInt(pthread_self()) }

    @Test func withoutAnIdleWorkerTheCallersThreadDecodes() throws {
        let photo = MemoryPhoto(
            noise: PhotoGeometry(width: 8, height: 99), layout: .interleaved(.rgb, .eight), seed: 5)
        let workers = PhotoWorkers(1)
        let slot = workers.takeSlot()
        let here = Self.thread
        for workers in [workers, nil] {
            let observed = ObservedSource(photo.makeSource()) { #expect(Self.thread == here) }
            let source = ReadAheadSource(observed, workers: workers)
            #expect(try samples(of: source, heightsFrom: 6) == photo.samples)
        }
        slot.giveBack()
    }

    @Test func aDamagedPhotoFailsWhereItIsDamaged() throws {
        let photo = MemoryPhoto(
            noise: PhotoGeometry(width: 8, height: 99), layout: .interleaved(.rgb, .eight), seed: 7)
        let reads = Locked(0)
        let damage = CodecError.writeFailed(.ioError)
        let observed = ObservedSource(photo.makeSource()) {
            if reads.withLock({
                $0 += 1; return $0
            }) == 4 {
                throw damage
            }
        }
        let workers = PhotoWorkers(1)
        let source = ReadAheadSource(observed, workers: workers)
        let strip = try Strip(layout: source.layout, width: 8, rowCapacity: 8)
        for row in [0, 8, 16] {
            try source.read(into: strip)
            #expect(strip.firstRow == row && strip.rowCount == 8)
        }
        for _ in 1...2 { #expect(throws: damage) { try source.read(into: strip) } }
        source.abandon()
        #expect(workers.takeIdleSlot() != nil)
        #expect(reads.withLock { $0 } == 4)
    }

    @Test func anAbandonedPhotoGivesTheWorkerBack() throws {
        let photo = MemoryPhoto(
            noise: PhotoGeometry(width: 8, height: 999), layout: .interleaved(.rgb, .eight), seed: 8)
        let workers = PhotoWorkers(1)
        let source = ReadAheadSource(photo.makeSource(), workers: workers)
        try source.read(into: Strip(layout: source.layout, width: 8, rowCapacity: 8))
        #expect(workers.takeIdleSlot() == nil)
        source.abandon()
        source.abandon()
        #expect(workers.takeIdleSlot() != nil)
    }

    /// Chains that filter, that leave blocks as the decoder gave them, and that copy.
    @Test(arguments: [
        Recipe(FilterChain([TiltShift()])), Recipe(FilterChain([]), quality: .value(80)),
        Recipe(FilterChain([])),
    ])
    func outputsAreTheSame(recipe: Recipe) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(try TestPhoto.jpeg(width: 301, height: 1203, seed: 9), to: "a.jpg")
        var outputs: [[UInt8]] = []
        for workers in [nil, PhotoWorkers(2)] {
            let output = PhotoOutput(.file(path: folder.path("out/a.jpg")), overwrites: true)
            for stripRows in [16, 48, 400] {
                let run = PhotoRun(
                    PhotoPipeline(recipe), try EncodedImage(path: path), [output], of: [recipe],
                    on: SIMDDevice(stripRows: stripRows), workers: workers, isCancelled: { false })
                _ = try run.results()[0].get()
                outputs.append(try folder.read("out/a.jpg"))
            }
        }
        #expect(Set(outputs).count == 1)
    }
}

/// Reports each strip before it is read.
private final class ObservedSource: StripSource {
    private let source: any StripSource
    private let willRead: () throws -> Void

    init(_ source: any StripSource, willRead: @escaping () throws -> Void) {
        self.source = source
        self.willRead = willRead
    }

    var geometry: PhotoGeometry { source.geometry }
    var layout: PixelLayout { source.layout }

    func read(into strip: Strip) throws {
        try willRead()
        try source.read(into: strip)
    }
}
