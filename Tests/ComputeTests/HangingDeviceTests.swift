import CTintypeOpenCL
import Foundation
import Testing
import TintypeFilters
import TintypeImaging

@testable import TintypeCPURendering
@testable import TintypeCompute
@testable import TintypeOpenCLRendering
@testable import TintypeRendering

/// A device that hangs is marked as lost after a time limit, and gets no more calls.
struct HangingDeviceTests {
    /// A device of this test alone; other tests use another instance.
    private let device: OpenCLDevice
    private let photo = MemoryPhoto(
        noise: PhotoGeometry(width: 64, height: 160), layout: .yCbCr(.s420), seed: 3)
    private let plan: RenderPlan

    init() throws {
        try #require(!OpenCLRuntime.shared.devices.isEmpty, "no OpenCL device: install pocl-opencl-icd")
        device = try #require(OpenCLRuntime.shared.makeDevices().first)
        plan = RenderPlan(
            FilterChain([Sepia()]), for: photo.geometry, input: photo.layout, output: photo.layout)
    }

    private func render(sink: (any StripSink)? = nil) throws {
        let result = MemoryPhoto(photo.geometry, layout: photo.layout)
        try device.render(
            plan, from: photo.makeSource(), to: sink ?? result.makeSink(), stripRows: 16,
            isCancelled: { false })
    }

    /// Makes the next render wait for an event that is never set, as after an endless kernel.
    private func hang() throws -> cl_event {
        let lane = device.takeLane()
        let event = try lane.driver.run { () throws(DeviceError) in
            let queue = try lane.beginRender(memoryLimit: .max)
            var code: cl_int = 0
            var event = clCreateUserEvent(try device.context(), &code)
            try device.check(code, "clCreateUserEvent")
            try device.check(
                clEnqueueBarrierWithWaitList(queue.handle, 1, &event, nil), "clEnqueueBarrierWithWaitList")
            return SendableEvent(event: event)
        }
        device.giveBack(lane)
        return try #require(event.event)
    }

    // @unchecked: a handle, which OpenCL lets any thread use.
    private struct SendableEvent: @unchecked Sendable { let event: cl_event? }

    /// The time waited for a device that stopped answering; nil for other errors.
    private func timeWaited(_ error: DeviceError?) -> Duration? {
        guard case .stoppedAnswering(device.info.name, let waited) = error else { return nil }
        return waited
    }

    private final class CountingSink: StripSink {
        let layout: PixelLayout
        var count = 0

        init(_ layout: PixelLayout) { self.layout = layout }

        func write(_ strip: Strip) { count += 1 }
    }

    @Test func aCommandThatNeverEndsIsGivenUpAndTheDeviceLeftAlone() throws {
        // Compiles before the limit is set.
        try render()
        let event = try hang()
        device.watch.limit = .milliseconds(300)
        let sink = CountingSink(photo.layout)
        let start = ContinuousClock.now
        let error = #expect(throws: DeviceError.self) { try render(sink: sink) }
        let waited = try #require(timeWaited(error))
        // The message states the time that has passed.
        #expect(waited >= .milliseconds(300) && waited <= start.duration(to: .now))
        #expect(device.watch.isLost && sink.count == 0)
        // Later renders fail at once, without waiting for the limit.
        device.watch.limit = .seconds(3600)
        let later = #expect(throws: DeviceError.self) { try render() }
        #expect(timeWaited(later) == waited)
        #expect(throws: DeviceError.self) { try device.selfTest(plan) }
        // A device that continues later writes into memory that is still allocated for it.
        clSetUserEventStatus(event, CL_COMPLETE)
    }

    @Test func aDriverThatDoesNotReturnIsGivenUp() throws {
        let hung = DispatchSemaphore(value: 0)
        let lane = device.takeLane()
        device.watch.limit = .milliseconds(100)
        let error = #expect(throws: DeviceError.self) { try lane.driver.run { hung.wait() } }
        #expect(try #require(timeWaited(error)) >= .milliseconds(100))
        #expect(throws: DeviceError.self) { try render() }
        hung.signal()
    }

    @Test func aLostDeviceWakesAllThatWaitForIt() async throws {
        let watch = DeviceWatch(name: "test")
        let never = DriverThread(watch).start { (_: DriverAnswer<Void>) in }
        let patient = Task.detached { try never.wait(patience: 1e6) }
        // The wait must end in both orders: before and after the device is lost.
        watch.limit = .milliseconds(50)
        #expect(throws: DeviceError.self) {
            _ = try watch.wait(for: DispatchSemaphore(value: 0), patience: 1)
        }
        await #expect(throws: DeviceError.self) { try await patient.value }
    }

    @Test func aSharedDeviceMayTakeLonger() throws {
        let watch = DeviceWatch(name: "test")
        watch.limit = .milliseconds(1)
        for _ in 0..<100_000 { watch.renderBegins() }
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            usleep(30_000)
            isDone.signal()
        }
        #expect(try watch.wait(for: isDone, patience: 1))
        #expect(!watch.isLost)
    }

    @Test func timeInWhichTheProcessIsStoppedIsNotWaited() {
        let start = SuspendingClock.now
        var waited = WaitedTime(since: start)
        waited.add(until: start + .milliseconds(100))
        #expect(waited.duration == .milliseconds(100))
        waited.add(until: start + .seconds(3600))
        waited.add(until: start + .seconds(3600) + .milliseconds(100))
        #expect(waited.duration == .milliseconds(1200))
    }

    @Test func aRenderThatIsCancelledDoesNotWaitForItsDevice() throws {
        try render()
        let event = try hang()
        let start = ContinuousClock.now
        let result = MemoryPhoto(photo.geometry, layout: photo.layout)
        #expect(throws: CancellationError.self) {
            try device.render(
                plan, from: photo.makeSource(), to: result.makeSink(), stripRows: 16,
                isCancelled: { start.duration(to: .now) > .milliseconds(100) })
        }
        // The device may only be slow, so other renders may continue on it.
        #expect(!device.watch.isLost)
        try render()
        clSetUserEventStatus(event, CL_COMPLETE)
    }

    @Test func theMessageNamesTheDeviceAndWhatToDo() {
        let text = DeviceError.stoppedAnswering(device: "Fast GPU", after: .milliseconds(24_012)).description
        #expect(text.contains("Fast GPU") && text.contains("24.0 s") && text.contains("Use the CPU"))
    }
}
