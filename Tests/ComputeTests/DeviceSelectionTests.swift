import Testing
import TintypeRendering

@testable import TintypeCompute

struct DeviceSelectionTests {
    private func selection(_ requests: String...) throws(DeviceError) -> DeviceSelection {
        try DeviceSelection(
            requests, timeLimit: nil, drivers: .thisProcess, store: nil, replacesMissing: true,
            workload: { nil })
    }

    @Test func theCPUReplacesOnlyTheDeviceThatIsMissing() throws {
        let first = DeviceSelection.all().devices[0]
        try #require(first.info.kind != .simd, "no OpenCL device: install pocl-opencl-icd")
        let selection = try selection("0", "no-such-device")
        #expect(selection.devices.map(\.info.identifier) == [first.info.identifier, "cpu"])
        #expect(selection.notes.count == 1 && selection.notes[0].contains("'no-such-device'"))
        #expect(selection.reason == "CPU: 'no-such-device' cannot be used")
    }

    @Test func theCPUIsThereOnce() throws {
        let selection = try selection("no-such-device", "cpu", "neither-this")
        #expect(selection.devices.map(\.info.identifier) == ["cpu"])
        #expect(selection.notes.count == 2)
        #expect(selection.reason == "CPU: 'no-such-device', 'neither-this' cannot be used")
    }

    @Test func withoutAReplacementItIsAnError() {
        #expect(throws: DeviceError.self) { try DeviceSelection(["cpu", "no-such-device"]) }
    }
}
