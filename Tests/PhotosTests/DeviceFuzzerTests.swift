import CodedDevice
import Foundation
import TestSupport
import Testing
import TintypeCompute
import TintypeOpenCLRendering
import TintypeRendering

@testable import DeviceFuzzer

/// `make fuzz-device` runs it for long.
struct DeviceFuzzerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(
        _ device: any CodingDevice, _ limits: Fuzzer.Limits
    ) throws -> (isGood: Bool, lines: [String]) {
        var lines: [String] = []
        let fuzzer = try Fuzzer(
            usual: device, short: device, folder: URL(fileURLWithPath: folder.path)
        ) { lines.append($0) }
        return (try fuzzer.run(limits), lines)
    }

    private static let limits = Fuzzer.Limits(duration: .seconds(3600), photoCount: 150)

    @Test func aDeviceThatCodesAsTheCPUPasses() throws {
        let (isGood, lines) = try run(CodedDevice(), Self.limits)
        #expect(isGood && lines.first?.hasPrefix("150 photos in ") == true, "\(lines)")
    }

    @Test func openCLPasses() throws {
        let device = try #require(
            OpenCLRuntime.shared.devices.first, "no OpenCL device: install pocl-opencl-icd")
        let (isGood, lines) = try run(device, Self.limits)
        #expect(isGood, "\(lines)")
        let equal = try #require(lines.first { $0.hasPrefix("equal") })
        #expect(equal.split(separator: " ").compactMap { Int($0) }.allSatisfy { $0 > 5 }, "\(equal)")
    }

    @Test func aDeviceThatLeavesAllToTheCPUIsFound() throws {
        let (isGood, lines) = try run(CodedDevice { _ in throw IrregularImage() }, Self.limits)
        #expect(!isGood && lines.last?.contains("without damage") == true, "\(lines)")
    }

    @Test(arguments: [CodedDevice.Fault.otherBytes, .otherSamples])
    func aFaultIsFoundAndItsPhotoKept(fault: CodedDevice.Fault) throws {
        let output =
            fault == .otherSamples
            ? Making.Output.samples : .file(quality: 50, optimizesCodes: false, restartRows: nil)
        let number = try #require(
            try (0..<1000).first { number in
                let round = try Round(number, seed: 1)
                return round.making.output == output && !round.hasDamagedHeader
            })
        var limits = Self.limits
        limits.onlyRound = number
        // The first photo is not damaged.
        let (isGood, lines) = try run(CodedDevice { $0 >= 2 ? fault : nil }, limits)
        #expect(!isGood && lines.first?.hasPrefix("WRONG: a JPEG of ") == true, "\(lines)")
        #expect(folder.files().contains { $0.hasPrefix("findings/1-\(number)-") }, "\(folder.files())")
    }

    @Test func aDeviceThatFailsIsFound() throws {
        let failure = DeviceError.callFailed(call: "code", code: -5, device: "Coded JPEGs")
        let (isGood, lines) = try run(
            CodedDevice { if $0 == 4 { throw failure } else { nil } }, Self.limits)
        #expect(!isGood && lines.first?.contains("the device fails: \(failure)") == true, "\(lines)")
    }

    @Test func equalSeedsMakeEqualPhotos() throws {
        func photos(_ number: Int, seed: UInt64) throws -> [[UInt8]] {
            var round = try Round(number, seed: seed)
            return (0..<round.photoCount).map { round.next($0) }
        }
        let photos1 = try photos(3, seed: 1)
        #expect(try photos(3, seed: 1) == photos1)
        #expect(try photos(4, seed: 1) != photos1 && photos(3, seed: 2) != photos1)
        // Most of them are damaged, in different ways.
        #expect(Set(photos1).count > photos1.count / 2)
    }
}
