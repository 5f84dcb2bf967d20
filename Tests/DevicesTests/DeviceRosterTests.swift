import Foundation
import TestSupport
import Testing
import Tintype
import TintypeLocking

@testable import TintypeDevices

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

    @Test func aMissingDeviceIsAnErrorWithoutAFallback() {
        func missing() throws -> DeviceSelection { throw DeviceError.notFound(asked: "gpu", known: ["cpu"]) }
        #expect(throws: DeviceError.notFound(asked: "gpu", known: ["cpu"])) {
            try DeviceRoster(selecting: missing, simd: simd, chain: chain, policy: .fail)
        }
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

    // MARK: Tests beside a run

    private func rosterOfRun(_ candidates: [CopyDevice]) throws -> DeviceRoster {
        let selection = DeviceSelection(devices: candidates, notes: ["a note"])
        return try DeviceRoster(
            selecting: { selection }, simd: simd, chain: chain, policy: .cpu, testsLater: true)
    }

    /// What the tests beside a run tell.
    private final class Outcome: Sendable {
        let notes = Locked<[String]?>(nil)
    }

    private func start(_ roster: DeviceRoster) throws -> Outcome {
        let outcome = Outcome()
        try #require(roster.laterTests).start { notes, _ in outcome.notes.withLock { $0 = notes } }
        return outcome
    }

    private func notesOfTests(_ roster: DeviceRoster) throws -> [String] {
        let outcome = try start(roster)
        while true {
            if let notes = outcome.notes.withLock({ $0 }) { return notes }
            usleep(1000)
        }
    }

    @Test func aRunBeginsOnTheCPUUntilDevicesHavePassed() throws {
        let roster = try rosterOfRun([lying, good])
        #expect(identifiers(roster) == ["cpu"] && roster.notes == ["a note"])
        guard case .running = roster.laterTests?.state else { throw DeviceError.movedMemory(device: "") }
        // A photo that is at work when they take over stays where it is.
        let pool = roster.pool
        let device = try pool.withDevices { device, isFallback in
            let notes = try notesOfTests(roster)
            #expect(notes.count == 1 && notes[0].contains("lying is not used"))
            #expect(!isFallback)
            return device.info.identifier
        }
        #expect(device == "cpu")
        #expect(identifiers(roster) == ["good"] && pool.fallback === simd)
        #expect(try pool.withDevices { device, _ in device.info.identifier } == "good")
        #expect(Set(pool.names.keys) == ["cpu", "good"])
        guard case .passed(let passed) = roster.laterTests?.state else {
            throw DeviceError.movedMemory(device: "")
        }
        #expect(passed.map(\.identifier) == ["good"])
    }

    @Test func theCPUGoesOnWhereNoDevicePasses() throws {
        let roster = try rosterOfRun([lying])
        let notes = try notesOfTests(roster)
        #expect(notes.count == 2 && notes[1].contains("The CPU is used instead"))
        #expect(identifiers(roster) == ["cpu"])
        guard case .failed = roster.laterTests?.state else { throw DeviceError.movedMemory(device: "") }
    }

    /// A first crash of a driver ends all photos at work.
    @Test func photosThatOneCrashEndsAreTriedAgain() throws {
        let pool = DevicePool([good], fallback: simd)
        let crash = DeviceError.driverEnded(device: "good", reason: "crashed", isRestarted: true)
        for _ in 0..<8 {
            var hasCrashed = false
            let used = try pool.withDevices { device, _ in
                defer { hasCrashed = true }
                if !hasCrashed { throw crash }
                return device.info.identifier
            }
            #expect(used == "good")
        }
        #expect(pool.retired.isEmpty)
    }

    @Test func failuresAreForgottenAfterManyPhotos() throws {
        let pool = DevicePool([good], fallback: simd)
        func filter(_ count: Int, fails: Bool) throws {
            for _ in 0..<count {
                try pool.withDevices { _, isFallback in
                    if fails, !isFallback { throw DeviceError.movedMemory(device: "good") }
                }
            }
        }
        for _ in 0..<3 {
            try filter(4, fails: true)
            try filter(100, fails: false)
        }
        #expect(pool.retired.isEmpty)
        try filter(4, fails: true)
        try filter(99, fails: false)
        try filter(1, fails: true)
        #expect(pool.retired.count == 1)
    }

    @Test func aDeviceThatTookOverAndFailsIsReplacedByTheCPU() throws {
        let roster = try rosterOfRun([good])
        _ = try notesOfTests(roster)
        let used = try roster.pool.withDevices { device, isFallback in
            guard isFallback else { throw DeviceError.movedMemory(device: "good") }
            return device.info.identifier
        }
        #expect(used == "cpu")
    }
}
