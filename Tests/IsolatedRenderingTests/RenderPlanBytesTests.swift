import Testing
import TintypeCompute
import TintypeFilters
import TintypeImaging
import TintypeRendering
import TintypeStages

@testable import TintypeIsolatedRendering

/// Render plans as a driver process gets them.
struct RenderPlanBytesTests {
    /// Every filter, over photos that are stored upright and turned.
    private static let plans = Conformance.mainLayouts.flatMap { layout in
        Conformance.cases(over: layout, .quick).filter { $0.stripRows == nil }.map(\.plan)
    }

    @Test func aPlanComesOutAsItWentIn() throws {
        #expect(Self.plans.count > 1000)
        for plan in Self.plans {
            var writer = ByteWriter()
            plan.write(to: &writer)
            var reader = ByteReader(writer.bytes)
            #expect(try RenderPlan(from: &reader) == plan)
        }
    }

    @Test func aWrongSettingFailsInTheOtherProcessToo() throws {
        let photo = PhotoGeometry(width: 9, height: 9), layout = PixelLayout.interleaved(.rgb, .eight)
        let chain = FilterChain([Blur(radius: .pixels(.nan))])
        var writer = ByteWriter()
        RenderPlan(chain, for: photo, input: layout, output: layout).write(to: &writer)
        var reader = ByteReader(writer.bytes)
        guard case .point(let stage) = try RenderPlan(from: &reader).stages.first else {
            Issue.record("there is no stage")
            return
        }
        #expect(throws: PointKernelError.wrongSetting("blur: radius expects a number, got 'nan'.")) {
            try stage.floats()
        }
    }

    @Test func aPlanThatIsCutOffIsRefused() throws {
        var writer = ByteWriter()
        Self.plans.filter { $0.stages.contains(where: \.isBlur) }[0].write(to: &writer)
        for count in 0..<writer.bytes.count {
            var reader = ByteReader(Array(writer.bytes.prefix(count)))
            #expect(throws: MalformedMessage.self) { try RenderPlan(from: &reader) }
        }
    }

    @Test func deviceErrorsKeepTheirCauses() throws {
        let errors: [DeviceError] = [
            .buildFailed(kernel: "sepia.cl", device: "gpu", log: "line 1\nline 2"),
            .callFailed(call: "clFlush", code: -36, device: "gpu"),
            .stoppedAnswering(device: "gpu", after: .seconds(2.5)),
            .tooLarge(device: "gpu", byteCount: 1 << 40, limit: 1 << 30), .movedMemory(device: "gpu"),
            .invalidStage(.noArgument(kernel: "sepia", name: "x", known: ["a", "b"])),
            .invalidStage(.wrongSetting("sepia: intensity expects 0 to 1, got 7.")),
            .invalidStage(.otherCount(kernel: "sepia", name: "x", count: 1, expected: 3)),
        ]
        for error in errors {
            var writer = ByteWriter()
            writer.put(error)
            var reader = ByteReader(writer.bytes)
            #expect(try reader.takeDeviceError() == error)
        }
    }
}
