import Testing
import TintypeFilters

@testable import TintypeKernelFiles

struct KernelHeaderTests {
    private static let glow = """
        // glow.cl: light around bright areas.
        // Source: none
        // summary: Soft light: around bright areas

        // parameter: amount = 0.5 in 0...1, how much, at most
        // parameter: glow-size = 3 in -2...2.5e2, how far
        // parameter: tint = #fc0, the colour of the light
        // colour: keeps-grey
        ARGUMENTS(glow) { float amount, glow_size, tint[3]; };
        // parameter: late = 1 in 0...1, after the header
        """

    @Test func aHeaderIsTheCommentsBeforeTheCode() throws {
        let header = try KernelHeader(parsing: Self.glow)
        #expect(header.summary == "Soft light: around bright areas")
        #expect(header.colourEffect == .keepsGrey)
        #expect(header.parameters.map(\.name) == ["amount", "glow-size", "tint"])
        #expect(header.parameters.map(\.summary)[0] == "how much, at most")
        #expect(
            header.parameters.map(\.value) == [.number(0.5), .number(3), .colour(PlainColour(255, 204, 0))])
        #expect(header.parameters[1].range == -2...250)
        try header.check("glow", in: Self.glow)
    }

    @Test func withoutALineAboutColourAnyIsPossible() throws {
        #expect(try KernelHeader(parsing: "// summary: a").colourEffect == .makesColour)
    }

    @Test(arguments: GainMapRule.allCases)
    func aLineTellsWhatBecomesOfAGainMap(rule: GainMapRule) throws {
        let text = "// summary: a\n// gainmap: \(rule.rawValue)"
        #expect(try KernelHeader(parsing: text).gainMapRule == rule)
        #expect(try KernelHeader(parsing: "// summary: a").gainMapRule == .leftOut)
    }

    @Test(arguments: [
        ("gainmap: keep", "'gainmap' expects kept, kept-in-grey or left-out, got 'keep'"),
        ("sumary: Soft", "'sumary:' is not known; expected are summary, colour, gainmap and parameter"),
        ("summary: a\n// summary: b", "'summary' is expected once"),
        ("summary:", "'summary' is expected once"),
        ("colour: grey", "'colour' expects keeps-grey, makes-colour or makes-grey, got 'grey'"),
        ("parameter: amount", "expected 'parameter: amount = 0.5 in 0...1, how much' or"),
        ("parameter: amount = 0.5 in 0...1", "expected 'parameter: amount"),
        ("parameter: amount = 0.5 in 0...1,", "expected 'parameter: amount"),
        ("parameter: amount = 0.5, how much", "expected 'parameter: amount"),
        ("parameter: amount = 0.5 in 1...0, how much", "expected 'parameter: amount"),
        ("parameter: amount = 0.5 in 0...nan, how much", "expected 'parameter: amount"),
        ("parameter: amount = nan in 0...1, how much", "the default nan of 'amount' is not in 0...1"),
        ("parameter: amount = 2 in 0...1, how much", "the default 2 of 'amount' is not in 0...1"),
        ("parameter: tint = #12, how much", "expected 'parameter: amount"),
        ("parameter: Amount = 0.5 in 0...1, how much", "'Amount' cannot be a parameter's name"),
        ("parameter: glow_size = 0.5 in 0...1, how much", "'glow_size' cannot be a parameter's name"),
        ("parameter: code = 0.5 in 0...1, how much", "'code' cannot be a parameter's name"),
        (
            "parameter: a = 0 in 0...1, b\n// parameter: a = #fff, b", "the parameter 'a' is given twice"
        ),
    ])
    func aMistakeNamesItsLineAndWhatIsExpected(lines: String, problem: String) {
        // The mistake is in the last of the lines.
        let text = "// Glow.\n\n// " + lines
        let line = text.split(separator: "\n", omittingEmptySubsequences: false).count
        let error = #expect(throws: KernelHeader.Problem.self) { try KernelHeader(parsing: text) }
        #expect(error?.line == line)
        #expect(error?.text.hasPrefix(problem) == true, "\(error?.text ?? "")")
    }

    @Test func aHeaderNeedsASummary() {
        #expect(throws: KernelHeader.Problem.self) { try KernelHeader(parsing: "POINT(glow, c, at, a) {}") }
    }

    @Test(arguments: [
        ("float amount;", "the parameter 'tint' needs 'float tint[3]'"),
        ("float amount, tint;", "the parameter 'tint' needs 'float tint[3]'"),
        ("float amount[3], tint[3];", "the parameter 'amount' needs 'float amount'"),
        ("float amount, tint[3], size;", "ARGUMENTS(glow) has 'size'"),
    ])
    func parametersAreTheMembersOfArguments(members: String, problem: String) throws {
        let text = """
            // summary: Glow
            // parameter: amount = 0.5 in 0...1, how much
            // parameter: tint = #fc0, the colour of the light
            ARGUMENTS(glow) { \(members) };
            """
        let header = try KernelHeader(parsing: text)
        let error = #expect(throws: KernelHeader.Problem.self) { try header.check("glow", in: text) }
        #expect(error?.text.contains(problem) == true, "\(error?.text ?? "")")
        #expect(throws: KernelHeader.Problem.self) { try header.check("other", in: text) }
    }
}
