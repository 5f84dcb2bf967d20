import Testing
@testable import TintypeBenchmarking

struct StatisticsTests {
    // Quartiles by Python 3.11: statistics.quantiles(values, n=4, method='inclusive').
    @Test(arguments: [
        ([3.0, 1, 4, 1, 5, 9, 2, 6], (1.75, 3.5, 5.25)),
        ([2, 4], (2.5, 3, 3.5)),
        ([7], (7, 7, 7)),
    ])
    func quartilesAreInterpolated(_ values: [Double], _ expected: (Double, Double, Double)) throws {
        let spread = try #require(Spread(values))
        #expect(spread.low == expected.0)
        #expect(spread.median == expected.1)
        #expect(spread.high == expected.2)
        #expect(spread.count == values.count)
    }

    @Test func nothingHasNoSpread() {
        #expect(Spread([]) == nil)
        #expect(Spread(ratiosOf: [1: 5], to: [2: 5]) == nil)
    }

    @Test func ratiosAreThoseOfTheSameRound() throws {
        // In round 2 the machine has half its speed, but the ratio is still 0.9. Round 3 has no floor.
        let spread = try #require(Spread(ratiosOf: [1: 90, 2: 45, 3: 1], to: [1: 100, 2: 50]))
        #expect(spread == Spread([0.9, 0.9]))
    }

    private func breakEven(_ speeds: [BenchmarkReport.BreakEvenEntry.Speeds]) -> BenchmarkReport
        .BreakEvenEntry?
    {
        .init(device: "0.0", cpu: "cpu", chain: "sepia", speeds)
    }

    @Test func breakEvenLiesWhereTheLinesCross() throws {
        // The ratios are 0.5 at 2 MP and 1.5 at 8 MP. Halfway between, in logarithms, is 4 MP.
        let result = try #require(breakEven([(8, 150, 100), (2, 50, 100)]))
        #expect(result.answer == .from)
        #expect(abs(try #require(result.megapixels) - 4) < 1e-9)
    }

    @Test func breakEvenIsTheLastCrossing() throws {
        // The ratio is 2 at 1 MP, 0.5 at 10 MP and 1.5 at 100 MP. It crosses 1 at 10^1.5.
        let result = try #require(breakEven([(1, 2, 1), (10, 0.5, 1), (100, 1.5, 1)]))
        #expect(result.answer == .from)
        #expect(abs(try #require(result.megapixels) - 31.6227766) < 1e-6)
    }

    @Test func breakEvenMayBeEverywhereOrNowhere() {
        #expect(breakEven([(1, 2, 1), (9, 3, 1)])?.answer == .always)
        #expect(breakEven([(1, 2, 1), (9, 1, 1)])?.answer == BenchmarkReport.BreakEvenEntry.Answer.none)
        #expect(breakEven([]) == nil)
    }

    @Test func breakEvenIsToldOfWhatWasMeasured() throws {
        let always = try #require(breakEven([(1, 2, 1)])), nowhere = try #require(breakEven([(1, 1, 2)]))
        #expect(always.text == "faster than the CPU at every size that both were measured with")
        #expect(nowhere.text == "slower than the CPU at the largest size that both were measured with")
    }
}
