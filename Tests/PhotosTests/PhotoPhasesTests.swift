import Foundation
import TestSupport
import Testing
import Tintype
import TintypeCodecs
import TintypeCompute
import TintypeImaging
import TintypeOpenCLRendering
import TintypeRendering

@testable import TintypePhotos

/// Where a photo's time goes.
struct PhotoPhasesTests {
    private let folder: TemporaryFolder
    private static let pause = Duration.milliseconds(30)

    init() throws { folder = try TemporaryFolder() }

    /// Filters a photo on this thread.
    private func times(
        on device: any Device, hashes: Bool = false, _ bytes: [UInt8]? = nil,
        _ change: (inout PhotoPipeline) -> Void = { _ in }
    ) throws -> PhotoTimes {
        let path = try folder.write(bytes ?? TestPhoto.jpeg(width: 320, height: 240, seed: 1), to: "a.jpg")
        var pipeline = PhotoPipeline(Recipe(FilterChain([Sepia()])), overwrites: true)
        change(&pipeline)
        let start = ContinuousClock.now, clock = PhaseClock.start()
        defer { _ = clock.end() }
        let announce: PhotoPipeline.WillPublish? = hashes ? { _ in } : nil
        _ = try pipeline.process(
            EncodedImage(path: path), to: .file(path: folder.path("out.jpg")), on: device,
            willPublish: announce)
        let times = clock.end()
        #expect(times.total <= start.duration(to: .now))
        return times
    }

    private func slowDevice(_ kind: DeviceInfo.Kind) -> CopyDevice {
        CopyDevice(kind: kind, beforeEachPhoto: { _ in usleep(UInt32(Self.pause / .microseconds(1))) })
    }

    @Test func aSlowDeviceIsWaitedFor() throws {
        let times = try times(on: slowDevice(.gpu))
        #expect(times[.device] >= Self.pause && times[.host] > .zero && times[.queue] == .zero)
    }

    @Test func theCPUsTimeIsTheHosts() throws {
        let times = try times(on: slowDevice(.simd))
        #expect(times[.host] >= Self.pause && times[.device] == .zero)
    }

    @Test func filesAreReadWrittenAndSynchronised() throws {
        let times = try times(on: SIMDDevice())
        for phase in [PhotoPhase.read, .plan, .host, .write, .sync] {
            #expect(times[phase] > .zero, "\(phase)")
        }
        for phase in [PhotoPhase.device, .queue, .hash, .journal] {
            #expect(times[phase] == .zero, "\(phase)")
        }
    }

    @Test func hashesAreToldApart() throws {
        #expect(try times(on: SIMDDevice(), hashes: true)[.hash] > .zero)
    }

    /// Whether a pause of another thread is seen in a phase. On a busy machine, the pause may be over too early; not each time.
    private func isSeen(_ measure: () throws -> Duration) rethrows -> Bool {
        for _ in 0..<20 where try measure() > Self.pause / 3 { return true }
        return false
    }

    @Test func waitingForMemoryIsNoWork() throws {
        // Made before the pause: under the thread sanitizer, that takes as long.
        let path = try folder.write(TestPhoto.jpeg(width: 320, height: 240, seed: 1), to: "a.jpg")
        let isSeen = try isSeen {
            let memory = MemoryBudget(byteCount: 64 << 20), isLent = DispatchSemaphore(value: 0)
            let pipeline = PhotoPipeline(
                Recipe(FilterChain([Sepia()])), overwrites: true, memory: memory)
            Thread.detachNewThread {
                try? memory.lend(memory.byteCount, isCancelled: { false }) {
                    isLent.signal()
                    usleep(UInt32(Self.pause / .microseconds(1)))
                }
            }
            isLent.wait()
            let clock = PhaseClock.start()
            defer { _ = clock.end() }
            _ = try pipeline.process(
                EncodedImage(path: path), to: .file(path: folder.path("out.jpg")), on: SIMDDevice())
            return clock.end()[.wait]
        }
        #expect(isSeen)
    }

    /// The bytes come through a pipe, the second half later.
    @Test func aSlowSourceIsReading() throws {
        let bytes = try TestPhoto.jpeg(width: 640, height: 480, seed: 2)
        let isSeen = try isSeen {
            let pipe = Pipe()
            Thread.detachNewThread {
                pipe.fileHandleForWriting.write(Data(bytes.prefix(bytes.count / 2)))
                usleep(UInt32(Self.pause / .microseconds(1)))
                pipe.fileHandleForWriting.write(Data(bytes.dropFirst(bytes.count / 2)))
                try? pipe.fileHandleForWriting.close()
            }
            let clock = PhaseClock.start()
            defer { _ = clock.end() }
            let reader = try PhotoReader(
                fileDescriptor: pipe.fileHandleForReading.fileDescriptor, limits: DecodeLimits())
            let source = try reader.makeSource(layout: reader.layout)
            let photo = MemoryPhoto(reader.geometry, layout: reader.layout)
            try RenderPlan([], for: reader.geometry, input: reader.layout, output: reader.layout)
                .passOn(source, to: photo.makeSink(), isCancelled: { false })
            return clock.end()[.read]
        }
        #expect(isSeen)
    }

    @Test func queueingACodedPhotosCommandsIsToldApart() throws {
        let device = try #require(
            OpenCLRuntime.shared.devices.first, "no OpenCL device: install pocl-opencl-icd")
        let times = try times(on: device) { $0.deviceCodec = .always }
        #expect(times[.queue] > .zero && times[.device] > .zero)
    }
}
