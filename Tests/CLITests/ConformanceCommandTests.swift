import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeCLI
@testable import TintypePhotos

/// `tintype conformance`: what it says of the codec of devices.
struct ConformanceCommandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// All of it takes half a minute on PoCL, without programs that are compiled already, and much longer on a busy machine.
    /// Only a quarter of the limit is the codec's.
    private func run(_ arguments: [String]) throws -> Tool.Result {
        try Tool.run(
            ["conformance", "--quick", "--max-pixels", "300", "--limit", "900"] + arguments, in: folder)
    }

    @Test func aDeviceThatCodesHasCasesOfTheCodec() throws {
        let result = try run(["-d", "0", "--json"])
        let lines = try JSONSerialization.jsonObject(with: Data(result.output)) as? [[String: Any]]
        let line = try #require(lines?.first)
        #expect(result.exitCode == 0 && line["passes"] as? Bool == true && line["difference"] == nil)
        let equal = try #require(line["codecEqualCases"] as? Int)
        #expect(equal > 0 && line["codecDifference"] == nil)
        for key in ["codecAllCases", "codecDecoded", "codecEncoded", "codecIrregular", "codecSeconds"] {
            #expect(line[key] is Double, "\(key)")
        }
        #expect(line["equalCases"] is Int && line["allLayouts"] as? Int == Conformance.layouts.count)
        #expect(result.errorText.contains("codec, JPEGs, after "))
    }

    @Test func theCPUHasNone() throws {
        let text = try run(["-d", "cpu"])
        #expect(text.exitCode == 0 && text.outputLines.count == 1 && !text.outputText.contains("codec"))
        #expect(!text.errorText.contains("codec"))
        #expect(!(try run(["-d", "cpu", "--json"]).outputText.contains("codec")))
    }

    @Test func aDifferenceOfTheCodecFailsTheDevice() throws {
        let filters = try ConformanceRun([SIMDDevice()], FilterChain([Noir()]))
            .outcomes(progress: { _ in }, isOver: { true })[0]
        var codec = CodingConformance.Outcome(device: filters.device)
        #expect(ConformanceLine(filters, codec, codecCases: 7).passes)
        codec.difference = "a JPEG of noise: byte 3 is 1 instead of 2"
        let line = ConformanceLine(filters, codec, codecCases: 7)
        #expect(
            !line.passes && line.difference == codec.difference && line.codecDifference == codec.difference)
        let texts = line.text.split(separator: "\n")
        #expect(texts.count == 2 && texts[0].contains("0 cases, all equal"))
        #expect(texts[1].contains("codec: differs: a JPEG of noise: byte 3 is 1 instead of 2; "))
    }
}
