import Testing
import TintypeStages

struct PointKernelTests {
    @Test func argumentsAreReadFromTheKernelsText() throws {
        let text = """
            // ARGUMENTS(other) { float a; }
            ARGUMENTS(glow)
            {
                float amount, radius; // float no;
                float curve[1026], table[ANY];
            };
            POINT(glow, c, at, a) { }
            """
        let members = try #require(PointKernel.members(of: "glow", in: text))
        #expect(members.map(\.name) == ["amount", "radius", "curve", "table"])
        #expect(members.map(\.count) == [1, 1, 1026, nil])
        #expect(PointKernel.members(of: "other", in: text) == nil)
        #expect(PointKernel.members(of: "late", in: "ARGUMENTS(late) { float table[ANY], amount; };") == nil)
    }

    @Test func commentsMayHaveBraces() throws {
        let text = "ARGUMENTS(glow) /* as struct s {} ... } */ { float a; /* b; */ };"
        #expect(PointKernel.members(of: "glow", in: text)?.map(\.name) == ["a"])
        let address = "/* a\n */\nARGUMENTS(glow) { float a; /* see http://b */ float c; };"
        #expect(PointKernel.members(of: "glow", in: address)?.map(\.name) == ["a", "c"])
        #expect(PointKernel.members(of: "glow", in: "ARGUMENTS(glow) } {") == nil)
    }

    @Test func argumentsGoToTheirPlacesByName() throws {
        let tone: [Float] = [1, 2, 3]
        let floats = try PointKernel("sepia_luminance").floats([
            "tone": .table(tone), "intensity": .value(0.5),
        ])
        #expect(floats == [0.5] + tone)
    }

    @Test(
        arguments: [
            ("blurr", [:], PointKernelError.unknown(kernel: "blurr")),
            // A file of kernels, but not of a point function.
            ("blur", [:], .unknown(kernel: "blur")),
            ("sepia", [:], .missing(kernel: "sepia", name: "intensity")),
            (
                "sepia", ["intensity": .value(1), "tone": .value(1)],
                .noArgument(kernel: "sepia", name: "tone", known: ["intensity"])
            ),
            (
                "sepia", ["intensity": .table([1, 2])],
                .otherCount(kernel: "sepia", name: "intensity", count: 2, expected: 1)
            ),
        ] as [(PointKernel, [String: PointArgument], PointKernelError)])
    func aStageThatDoesNotFitItsKernelIsAnError(
        kernel: PointKernel, arguments: [String: PointArgument], error: PointKernelError
    ) {
        #expect(throws: error) { try kernel.floats(arguments) }
    }

    @Test func aWindowTellsItsRadius() throws {
        #expect(try PointKernel("median_3").windowRadius() == 1)
        #expect(try PointKernel("median_5").windowRadius() == 2)
        #expect(throws: PointKernelError.unknown(kernel: "sepia")) { try PointKernel("sepia").windowRadius() }
    }
}
