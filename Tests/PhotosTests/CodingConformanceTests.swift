import CodedDevice
import Foundation
import TestSupport
import Testing
import Tintype
import TintypeCodecs
import TintypeCompute
import TintypeImaging
import TintypeIsolatedRendering
import TintypeOpenCLRendering

@testable import TintypePhotos

struct CodingConformanceTests {
    private static let maxPixels = 30_000

    private func outcome(_ device: any Device) throws -> CodingConformance.Outcome {
        let run = CodingConformance([SIMDDevice(), device], isQuick: true, maxPixels: Self.maxPixels)
        let outcomes = try run.outcomes(progress: { _ in })
        #expect(outcomes.count == 1, "the CPU does not code")
        return try #require(outcomes.first)
    }

    private var caseCount: Int { CodingConformance([], isQuick: true, maxPixels: Self.maxPixels).caseCount }

    @Test func aDeviceThatCodesAsTheCPUPasses() throws {
        let outcome = try outcome(CodedDevice())
        #expect(outcome.difference == nil && outcome.equalCount == caseCount)
        #expect(outcome.decodedCount > 5 && outcome.encodedCount > 10 && outcome.irregularCount > 5)
    }

    @Test func aDriverProcessPasses() throws {
        let path = BuiltProducts.path("coded-driver")
        let process = DriverProcess([path], testing: .baseline)
        let outcome = try outcome(try process.devices(timeLimit: nil)[0])
        #expect(outcome.difference == nil && outcome.equalCount == caseCount)
        #expect(outcome.decodedCount > 5 && outcome.encodedCount > 10 && outcome.irregularCount > 5)
    }

    @Test func openCLPasses() throws {
        let device = try #require(
            OpenCLRuntime.shared.devices.first, "no OpenCL device: install pocl-opencl-icd")
        let outcome = try outcome(device)
        #expect(outcome.difference == nil && outcome.equalCount == caseCount)
        #expect(outcome.decodedCount > 5 && outcome.encodedCount > 10 && outcome.irregularCount > 5)
    }

    /// Small photos have many groups of subsequences then.
    @Test func openCLPassesWithShortSubsequences() throws {
        // The first search of a process comes alone.
        _ = try #require(OpenCLRuntime.shared.devices.first, "no OpenCL device: install pocl-opencl-icd")
        let runtime = OpenCLRuntime(testing: .baseline, subsequences: .short)
        let outcome = try outcome(try #require(runtime.devices.first))
        #expect(outcome.difference == nil && outcome.equalCount == caseCount)
        #expect(outcome.decodedCount > 5 && outcome.encodedCount > 10 && outcome.irregularCount > 5)
    }

    @Test(arguments: [CodedDevice.Fault.otherBytes, .otherSamples])
    func aFaultIsFoundAndItsCaseNamed(fault: CodedDevice.Fault) throws {
        let outcome = try outcome(CodedDevice { $0 >= 3 ? fault : nil })
        let difference = try #require(outcome.difference)
        #expect(outcome.equalCount > 0 && outcome.equalCount < caseCount)
        #expect(difference.hasPrefix("a JPEG of ") && difference.contains(", quality "))
        // The recipe, as it can be read again.
        #expect(difference.contains("; v\(Recipe.outputVersion) filters="))
        #expect(difference.contains("byte ") || difference.contains(" bytes instead of "))
    }

    @Test func aDeviceThatFailsIsNamedWithItsCase() throws {
        let failure = DeviceError.callFailed(call: "code", code: -5, device: "Coded JPEGs")
        let outcome = try outcome(CodedDevice { if $0 == 4 { throw failure } else { nil } })
        #expect(outcome.difference?.contains("it fails: \(failure)") == true)
    }

    @Test func aDeviceThatFindsAllPhotosIrregularFails() throws {
        let outcome = try outcome(UnwillingDevice())
        #expect(outcome.decodedCount == 0 && outcome.encodedCount > 10)
        #expect(outcome.difference?.contains("it offers to decode") == true)
    }

    @Test func aDeviceThatOffersNothingIsLeftOut() throws {
        let run = CodingConformance([UnwillingDevice(offers: false)], isQuick: true)
        #expect(try run.outcomes(progress: { Issue.record("\($0)") }).isEmpty)
    }

    @Test func aRunEndsWhenItsTimeIsOver() throws {
        let run = CodingConformance([CodedDevice()], isQuick: true)
        let outcomes = try run.outcomes(progress: { _ in }, isOver: { true })
        #expect(outcomes.map(\.equalCount) == [0] && outcomes[0].difference == nil)
    }

    // MARK: Cases

    @Test func anyTwoChoicesMeet() {
        let counts = [3, 2, 4, 2, 5], rows = PairwiseRows.all(counts)
        for one in counts.indices {
            for other in counts.indices where other != one {
                let pairs = Set(rows.map { [$0[one], $0[other]] })
                #expect(pairs.count == counts[one] * counts[other])
            }
        }
        // At least the two largest counts multiplied; all combinations are 240.
        #expect((20...30).contains(rows.count))
        #expect(PairwiseRows.each(counts).count == 5)
    }

    /// No case is a copy of the compressed bytes.
    @Test(arguments: [CodingCases.Part.jpegs, .jpegsToPNGs], [false, true])
    func allReductionsAreDecoded(part: CodingCases.Part, isQuick: Bool) throws {
        var divisors: Set<Int?> = []
        for test in CodingCases.all(part, isQuick: isQuick) {
            let reader = try PhotoReader(bytes: test.bytes(), limits: DecodeLimits())
            divisors.formUnion(
                RenderDraft.drafts(reader, test.recipes).map { try? $0.get().decoding?.divisor })
        }
        #expect(divisors == [1, 2, 4, 8])
    }

    @Test func planesOfEachSamplingBecomeRGB() throws {
        let cases = CodingCases.all(.jpegsToPNGs, isQuick: true)
        #expect(cases.allSatisfy { $0.recipes.allSatisfy { $0.format == .png } })
        #expect(
            Set(cases.map(\.photo.layout)) == Set(CodingCases.all(.jpegs, isQuick: true).map(\.photo.layout)))
    }

    @Test func sizesAndMarkersAreAsTheCaseSays() throws {
        let photo = ConformancePhoto(
            content: .mixed, layout: .yCbCr(.s420), geometry: PhotoGeometry(width: 61, height: 47),
            format: .jpeg, restarts: .everyMCU)
        let bytes = try photo.bytes(), parts = JPEGParts(bytes)
        let pixels = try EncodedImage(bytes: bytes).pixels()
        #expect(pixels.geometry == photo.geometry && pixels.layout == photo.layout)
        // 4 x 3 MCUs.
        #expect(parts.restartMarkers.count == 11 && parts.size == (61, 47))
        #expect(try photo.bytes() == bytes, "the same bytes each time")
    }

    @Test func mostDamagesAreDamages() throws {
        let photo = ConformancePhoto(
            content: .mixed, layout: .yCbCr(.s420), geometry: PhotoGeometry(width: 203, height: 131),
            format: .jpeg, restarts: .rows(1))
        let sound = try photo.bytes()
        let damaged = Set(JPEGDamage.all.map { $0.damaged(sound) })
        #expect(damaged.count == JPEGDamage.all.count && !damaged.contains(sound))
        #expect(Set(JPEGDamage.all.map(\.description)).count == JPEGDamage.all.count)
    }
}

/// Encodes as `CodedDevice`, and takes no photo to decode, though it offers to.
private final class UnwillingDevice: CodingDevice {
    private let device = CodedDevice()
    private let offers: Bool
    init(offers: Bool = true) { self.offers = offers }
    var info: DeviceInfo { device.info }
    var abilities: DeviceAbilities { DeviceAbilities(coding: self) }
    func selfTest(_ plan: RenderPlan) throws { try device.selfTest(plan) }
    func offer(for work: CodingWork) -> CodingOffer? { offers ? device.offer(for: work) : nil }

    func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        try device.render(plan, from: source, to: sink, isCancelled: isCancelled)
    }

    func render(_ outputs: [RenderOutput], from input: RenderInput, isCancelled: () -> Bool) throws {
        guard input.format == nil else { throw IrregularImage() }
        try device.render(outputs, from: input, isCancelled: isCancelled)
    }
}
