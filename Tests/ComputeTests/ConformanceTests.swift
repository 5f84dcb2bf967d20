import Filters
import Imaging
import Testing

@testable import CPURendering
@testable import Compute
@testable import OpenCLRendering
@testable import Rendering

/// The first promise: the same bytes on every device, at every strip height.
struct ConformanceTests {
    @Test(arguments: Conformance.layouts)
    func everyDeviceGivesTheSameBytes(layout: PixelLayout) throws {
        let isMain = Conformance.mainLayouts.contains(layout)
        let devices = try TestDevices.all(openCL: isMain ? .max : 1)
        for test in Conformance.cases(over: layout, .quick) {
            let photo = test.photo
            let expected = try test.plan.reference(for: photo)
            for device in devices + TestDevices.asGPU {
                let difference = try test.result(for: photo, on: device).firstDifference(from: expected)
                #expect(difference == nil, "\(test), \(device.info.name)")
            }
        }
    }
}
