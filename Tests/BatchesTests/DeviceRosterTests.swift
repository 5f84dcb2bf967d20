import TestSupport
import Testing
import Tintype

@testable import Batches
@testable import Operations
@testable import Photos

struct DeviceRosterTests {
    private let chain = FilterChain([Sepia()])
    private let simd = CopyDevice("cpu", kind: .simd)
    private let good = CopyDevice("good")
    private let lying = CopyDevice(
        "lying", failingSelfTest: .failedSelfTest(device: "lying", kernels: "sepia"))

    private func roster(
        _ candidates: [CopyDevice], _ policy: DeviceRoster.FallbackPolicy
    ) throws -> DeviceRoster {
        try DeviceRoster(testing: candidates, notes: [], simd: simd, chain: chain, policy: policy)
    }

    private func identifiers(_ roster: DeviceRoster) -> [String] {
        roster.pool.devices.map(\.info.identifier)
    }

    @Test func aDeviceThatFailsItsTestIsRefusedByName() {
        let error = #expect(throws: DeviceError.self) { try roster([good, lying], .fail) }
        #expect(error?.description.contains("lying") == true)
    }

    @Test func withAFallbackItIsNamedAndNotUsed() throws {
        let roster = try roster([lying, good], .cpu)
        #expect(identifiers(roster) == ["good"])
        #expect(roster.notes.count == 1 && roster.notes[0].contains("lying"))
        #expect(roster.pool.fallback === simd)
    }

    @Test(arguments: [DeviceRoster.FallbackPolicy.cpu, .fail])
    func theSameHardwareUnderAnotherPlatformReplacesADeviceThatFails(policy: DeviceRoster.FallbackPolicy)
        throws
    {
        let roster = try DeviceRoster(
            testing: [lying], ["lying": [lying, good]], notes: [], simd: simd, chain: chain, policy: policy)
        #expect(identifiers(roster) == ["good"])
        #expect(roster.notes.count == 2 && roster.notes[0].contains("lying is not used"))
        let error = #expect(throws: DeviceError.self) {
            try DeviceRoster(
                testing: [lying], ["lying": [lying]], notes: [], simd: simd, chain: chain, policy: .fail)
        }
        #expect(error?.description.contains("lying") == true)
    }

    @Test func theCPUReplacesTheLastDeviceWithANote() throws {
        let roster = try roster([lying], .cpu)
        #expect(identifiers(roster) == ["cpu"])
        #expect(roster.notes.count == 2 && roster.notes[1].contains("CPU"))
    }

    @Test func withoutAFallbackTheCPUReplacesNoDevice() throws {
        #expect(try roster([good], .fail).pool.fallback == nil)
    }

    @Test func aMissingDeviceIsAnErrorWithoutAFallback() throws {
        func missing() throws -> DeviceSelection { throw DeviceError.notFound(asked: "gpu", known: ["cpu"]) }
        #expect(throws: DeviceError.notFound(asked: "gpu", known: ["cpu"])) {
            try DeviceRoster(selecting: missing, simd: simd, chain: chain, policy: .fail)
        }
        let roster = try DeviceRoster(selecting: missing, simd: simd, chain: chain, policy: .cpu)
        #expect(identifiers(roster) == ["cpu"])
        #expect(roster.notes.count == 1 && roster.notes[0].contains("'gpu'"))
    }

    @Test func aCPUThatFailsItsTestIsNeverUsed() {
        let wrong = CopyDevice(
            "cpu", kind: .simd, failingSelfTest: .failedSelfTest(device: "cpu", kernels: "sepia"))
        #expect(throws: DeviceError.self) {
            try DeviceRoster(testing: [lying], notes: [], simd: wrong, chain: chain, policy: .cpu)
        }
        #expect(throws: DeviceError.self) {
            try DeviceRoster(testing: [wrong], notes: [], simd: wrong, chain: chain, policy: .cpu)
        }
    }
}
