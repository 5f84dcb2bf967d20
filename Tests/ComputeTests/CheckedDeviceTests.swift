import Testing
import TintypeFilterPictures
import TintypeFilters
import TintypeImaging
import TintypeLocking

@testable import TintypeCPURendering
@testable import TintypeCompute
@testable import TintypeOpenCLRendering
@testable import TintypeRendering

/// Checks of a device's pixels during a run.
struct CheckedDeviceTests {
    /// A device that changes a byte of some rows of its results.
    private final class SpoilingDevice: Device {
        let device: any Device
        let rows: ClosedRange<Int>
        var info: DeviceInfo { device.info }

        init(_ device: any Device, rows: ClosedRange<Int>) {
            self.device = device
            self.rows = rows
        }

        func render(
            _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
        ) throws {
            try device.render(plan, from: source, to: Sink(sink, rows), isCancelled: isCancelled)
        }

        func memory(for plan: RenderPlan) -> RenderMemory { device.memory(for: plan) }
        func selfTest(_ plan: RenderPlan) throws { try device.selfTest(plan) }

        private final class Sink: StripSink {
            let sink: any StripSink
            let rows: ClosedRange<Int>
            var layout: PixelLayout { sink.layout }

            init(_ sink: any StripSink, _ rows: ClosedRange<Int>) {
                self.sink = sink
                self.rows = rows
            }

            func write(_ strip: Strip) throws {
                let plane = strip.planes[0]
                for row in (strip.firstRow..<strip.endRow).clamped(to: Range(rows)) {
                    let last = plane.row(row - strip.firstRow) + plane.width * plane.bytesPerSample - 1
                    last.storeBytes(of: ~last.load(as: UInt8.self), as: UInt8.self)
                }
                try sink.write(strip)
            }
        }
    }

    private static let layouts: [PixelLayout] = [
        .yCbCr(.s420), .yCbCr(.s422), .interleaved(.rgb, .eight), .interleaved(.rgba, .sixteen),
    ]
    private static let chains = [
        "sepia", "noir+vignette", "tilt-shift", "resize:width=80",
        "crop:width=61,height=200,x=0.1,y=0.4+sepia",
    ]

    private func plan(_ chain: String, width: Int, height: Int, _ layout: PixelLayout) throws -> RenderPlan {
        RenderPlan(
            try FilterChain(parsing: [chain]), for: PhotoGeometry(width: width, height: height),
            input: layout,
            output: layout)
    }

    @Test(arguments: chains)
    func aRightDeviceIsNeverCalledWrong(chain: String) throws {
        for layout in Self.layouts {
            let plan = try plan(chain, width: 149, height: 517, layout)
            let photo = MemoryPhoto(noise: plan.geometry, layout: layout, seed: 3)
            let expected = try plan.reference(for: photo)
            // What is checked does not depend on the device, whose programs are compiled for each layout.
            let isFirst = layout == Self.layouts[0]
            for device in [SIMDDevice(stripRows: 24)] + (isFirst ? TestDevices.asGPU : []) as [any Device] {
                for share in [1, 0.3, 0.1] {
                    let checked = CheckedDevice(device, share: share)
                    for _ in 0..<4 {
                        let result = try checked.render(plan, photo)
                        #expect(result.firstDifference(from: expected) == nil)
                    }
                    #expect(share < 1 || checked.passedChecks == 4)
                    #expect(checked.passedChecks > 0 || share < 0.3)
                }
            }
        }
    }

    @Test(arguments: chains)
    func oneWrongByteIsFoundWhereAllIsChecked(chain: String) throws {
        for layout in Self.layouts {
            let plan = try plan(chain, width: 149, height: 517, layout)
            let height = plan.outputGeometry.height
            let photo = MemoryPhoto(noise: plan.geometry, layout: layout, seed: 4)
            for row in [0, height / 2, height - 1] {
                let device = CheckedDevice(SpoilingDevice(SIMDDevice(), rows: row...row), share: 1)
                let failure = DeviceError.wrongPixels(device: device.info.name, row: row)
                #expect(throws: failure) { try device.render(plan, photo) }
                #expect(device.passedChecks == 0)
            }
        }
    }

    @Test func partsOfPhotosFindADeviceThatIsWrongSomewhere() throws {
        let plan = try plan("sepia", width: 64, height: 4096, .interleaved(.rgb, .eight))
        let photo = MemoryPhoto(noise: plan.geometry, layout: plan.input, seed: 5)
        // Wrong in a quarter of the rows: each check finds it with that chance.
        let device = CheckedDevice(
            SpoilingDevice(SIMDDevice(), rows: 1024...2047), share: CheckedDevice.usualShare)
        var photos = 0
        #expect(throws: DeviceError.self) {
            while photos < 1000 {
                photos += 1
                _ = try device.render(plan, photo)
            }
        }
        // Each photo earns a check of 16 rows. The chance of a miss is 0.75 to the power of 100.
        #expect(photos < 100 && device.passedChecks >= photos - 2)
    }

    @Test func checksTakeTheirShareOfThePixels() throws {
        let checked = CheckedDevice(SIMDDevice(), share: 1.0 / 32)
        let sepia = try plan("sepia", width: 40, height: 256, .interleaved(.rgb, .eight))
        let blur = try plan("blur:radius=3", width: 40, height: 256, .interleaved(.rgb, .eight))
        let photo = MemoryPhoto(noise: sepia.geometry, layout: sepia.input, seed: 6)
        for _ in 0..<320 { _ = try checked.render(sepia, photo) }
        // 16 of 256 rows, in every second photo.
        #expect((159...161).contains(checked.passedChecks))
        for _ in 0..<320 { _ = try checked.render(blur, photo) }
        // Whole photos.
        #expect((168...172).contains(checked.passedChecks))
        let none = CheckedDevice(SIMDDevice(), share: 0)
        for _ in 0..<10 { _ = try none.render(sepia, photo) }
        #expect(none.passedChecks == 0 && none.memory(for: blur) == none.device.memory(for: blur))
    }

    /// A device that runs a closure during each render, after which its pixels may be wrong.
    private final class TurningDevice: Device {
        let during: Locked<@Sendable () -> Void> = Locked {}
        let isWrong = Locked(false)
        var info: DeviceInfo { SIMDDevice().info }

        func render(
            _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
        ) throws {
            let rows = isWrong.withLock { $0 } ? 0...0 : plan.geometry.height...plan.geometry.height
            during.withLock { $0 }()
            try SpoilingDevice(SIMDDevice(), rows: rows)
                .render(plan, from: source, to: sink, isCancelled: isCancelled)
        }

        func selfTest(_ plan: RenderPlan) throws {}
    }

    @Test func smallPhotosTakeNoChecksFromLargeOnes() throws {
        let chain = "blur:radius=3", layout = PixelLayout.interleaved(.rgb, .eight)
        let plans = try [256, 16].map { try plan(chain, width: 40, height: $0, layout) }
        let photos = plans.map { MemoryPhoto(noise: $0.geometry, layout: layout, seed: 6) }
        // Wrong in a row that only the large ones have. One photo in 16 is checked.
        let device = CheckedDevice(SpoilingDevice(SIMDDevice(), rows: 200...200), share: 1.0 / 16)
        #expect(throws: DeviceError.self) {
            // The chance that all checks fall on small ones is 2 to the power of -40.
            for index in 0..<640 { _ = try device.render(plans[index % 2], photos[index % 2]) }
        }
    }

    @Test func aCheckSaysNothingOfOtherWork() throws {
        let layouts: [PixelLayout] = [.interleaved(.rgb, .eight), .interleaved(.rgb, .sixteen)]
        let plans = try ["blur:radius=3", "sepia"].flatMap { chain in
            try layouts.map { try plan(chain, width: 40, height: 40, $0) }
        }
        let turning = TurningDevice()
        let checked = CheckedDevice(turning, share: 0.9)
        func renderUntilChecked(_ plan: RenderPlan) throws {
            let photo = MemoryPhoto(noise: plan.geometry, layout: plan.input, seed: 7)
            let before = checked.passedChecks
            while checked.passedChecks == before { _ = try checked.render(plan, photo) }
        }
        for (index, plan) in plans.enumerated() { try checked.approve("\(index)", of: DeviceWork(plan)) }
        // Nothing was rendered for a copy.
        try checked.approve(
            "copy", of: DeviceWork(plan("sepia:intensity=0", width: 40, height: 40, layouts[0])))
        try renderUntilChecked(plans[1])
        try renderUntilChecked(plans[2])
        turning.isWrong.withLock { $0 = true }
        #expect(throws: DeviceError.self) {
            for _ in 0..<20 { try renderUntilChecked(plans[0]) }
        }
        #expect(checked.takeSuspectOutputs() == ["0", "3"] && checked.suspectOutputs == [])
        #expect(throws: DeviceError.self) { try checked.approve("late", of: DeviceWork(plans[0])) }
    }

    @Test func aCheckSaysLittleOfOtherValues() throws {
        let layout = PixelLayout.interleaved(.rgb, .eight)
        // One of the tables may be wrong in the device's memory.
        let plans = try ["sepia:intensity=0.4", "sepia:intensity=0.9"].map {
            try plan($0, width: 40, height: 40, layout)
        }
        let photo = MemoryPhoto(noise: plans[0].geometry, layout: layout, seed: 7)
        let turning = TurningDevice()
        let checked = CheckedDevice(turning, share: 0.9)
        func pass(_ count: Int, _ plan: RenderPlan) throws {
            let before = checked.passedChecks
            while checked.passedChecks < before + count { _ = try checked.render(plan, photo) }
        }
        for name in ["early", "late"] {
            for (index, plan) in plans.enumerated() {
                try checked.approve("\(name) \(index)", of: DeviceWork(plan))
            }
            // But outputs of rare values are not kept for ever.
            if name == "early" { try pass(7, plans[0]) }
        }
        try pass(1, plans[0])
        turning.isWrong.withLock { $0 = true }
        #expect(throws: DeviceError.self) { try pass(1, plans[1]) }
        #expect(checked.takeSuspectOutputs() == ["late 1"])
    }

    @Test func aWrongDeviceGetsNoMoreNamesForWhatItHasMade() throws {
        let plan = try plan("blur:radius=3", width: 40, height: 40, .interleaved(.rgb, .eight))
        let photo = MemoryPhoto(noise: plan.geometry, layout: plan.input, seed: 7)
        let turning = TurningDevice()
        // So each second photo is checked.
        let checked = CheckedDevice(turning, share: 0.5)
        func renderUntilChecked() throws {
            let before = checked.passedChecks
            while checked.passedChecks == before { _ = try checked.render(plan, photo) }
        }
        try checked.approve("a", of: DeviceWork(plan))
        try renderUntilChecked()
        // During the check: the device may have become wrong behind it.
        turning.during.withLock { $0 = { try? checked.approve("b", of: DeviceWork(plan)) } }
        try renderUntilChecked()
        turning.during.withLock { $0 = {} }
        try checked.approve("c", of: DeviceWork(plan))
        turning.isWrong.withLock { $0 = true }
        let failure = DeviceError.wrongPixels(device: turning.info.name, row: 0)
        try checked.approve("its name was taken", of: DeviceWork(plan))
        checked.withdraw("its name was taken")
        #expect(checked.suspectOutputs == [])
        #expect(throws: failure) { for _ in 0..<3 { _ = try checked.render(plan, photo) } }
        #expect(throws: failure) { try checked.approve("d", of: DeviceWork(plan)) }
        // The check of "b" may have run twice.
        #expect(Set(checked.suspectOutputs) == ["b", "c"])
        // It renders nothing more, either.
        turning.during.withLock { $0 = { Issue.record("the device was used") } }
        #expect(throws: failure) { try checked.render(plan, photo) }
    }

    /// A sink that fails at a row, as where a disk is full.
    private final class FailingSink: StripSink {
        let layout: PixelLayout
        private let row: Int

        init(_ layout: PixelLayout, atRow row: Int) {
            self.layout = layout
            self.row = row
        }

        func write(_ strip: Strip) throws { if strip.endRow > row { throw Full() } }

        struct Full: Error {}
    }

    @Test(arguments: chains)
    func aDifferenceCountsAlthoughTheRenderFails(chain: String) throws {
        let plan = try plan(chain, width: 200, height: 4000, .interleaved(.rgb, .eight))
        let photo = MemoryPhoto(noise: plan.geometry, layout: plan.input, seed: 8)
        let height = plan.outputGeometry.height
        for wrongRow in [3, height] {
            let device = CheckedDevice(SpoilingDevice(SIMDDevice(), rows: wrongRow...wrongRow), share: 1)
            #expect(throws: FailingSink.Full.self) {
                try device.render(
                    plan, from: photo.makeSource(), to: FailingSink(plan.output, atRow: height / 2),
                    isCancelled: { false })
            }
            guard wrongRow < height else {
                // Rows that were read and not given are no difference.
                try device.approve("a", of: DeviceWork(plan))
                continue
            }
            let failure = DeviceError.wrongPixels(device: device.info.name, row: wrongRow)
            #expect(throws: failure) { try device.approve("a", of: DeviceWork(plan)) }
        }
    }

    @Test func theEstimateOfMemoryHasRoomForACheck() throws {
        let plan = try plan("blur:radius=30", width: 4000, height: 3000, .yCbCr(.s420))
        let device = TestDevices.asGPU[0]
        let difference =
            CheckedDevice(device, share: 0.01).memory(for: plan).byteCount
            - device.memory(for: plan).byteCount
        #expect(difference == SIMDDevice().memory(for: plan).byteCount)
    }
}
