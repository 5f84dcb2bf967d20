import TintypeFilters
import TintypeImaging
import TintypeRendering

/// The cases in which devices could differ: layouts, awkward sizes, chains, strip heights.
///
/// The tests and `tintype conformance` share them.
package enum Conformance {
    /// The number of cases.
    package enum Scope: Sendable {
        /// Every chain over two layouts. Over all others, enough chains to cover each way to read and write
        /// them. A driver compiles kernels for each pair of layouts, which takes PoCL a second, so
        /// independent features are not combined.
        case quick
        /// Every chain over every layout.
        case full
    }

    /// One photo of noise, and the work on it.
    package struct Case: CustomStringConvertible, Sendable {
        package let chain: FilterChain
        package let plan: RenderPlan
        /// Nil leaves the height to the device.
        package let stripRows: Int?

        package var description: String {
            let chain = self.chain.filters.isEmpty ? "no filter" : self.chain.recipe
            let size = "\(plan.geometry.width)x\(plan.geometry.height)"
            let strips = stripRows.map { ", strips of \($0)" } ?? ""
            return "\(chain), \(size), \(plan.geometry.orientation), \(plan.input) to \(plan.output)\(strips)"
        }
    }

    /// Every filter of the catalogue at its defaults and at the ends of its ranges. Other settings need no
    /// further compilation.
    private static let single: [FilterChain] =
        FilterCatalog.all.map { FilterChain([$0]) }
        + chains([
            ["sepia:intensity=1"], ["sepia:keep=none"], ["noir:contrast=2,midpoint=0.8"],
            ["grayscale:amount=0.4"], ["saturate:amount=0"], ["vignette:amount=1,begin=0"],
            ["grain:amount=1,seed=65535,size=3.7"], ["exposure:stops=-1"], ["exposure:stops=10"],
            ["white-balance:temperature=-100,tint=100"], ["gamma:amount=0.1"], ["gamma:amount=10"],
            ["levels:black=0.3,white=0.6,gamma=2,output-black=1,output-white=0.1"],
            ["curves:master=0/0_1/1,red=0/0.2_0.5/0.4_1/1,blue=0/1_1/0"], ["vibrance:amount=-1"],
            ["duotone:shadows=#fff,highlights=#000"], ["split-tone:balance=-1,amount=1"], ["fade:amount=1"],
            ["tilt-shift:radius=4,focus=0.2,band=0.3,falloff=0,transition=mix"],
            ["blur:radius=1.5"], ["sharpen:radius=5,amount=4"], ["crop:width=40,height=24,x=0.3,y=1"],
            ["resize:scale=37%"], ["border:size=7,colour=#fc0,aspect=2"], ["median:size=5,amount=0.7"],
            ["sharpen:radius=2,amount=2,threshold=0.05"],
        ]) + [FilterChain([LookUp(line)]), FilterChain([LookUp(cube, intensity: 0.7)])]
        + [FilterChain([Watermark(mark)])]

    /// A table of a few values beyond 0...1, over a part of the input's values.
    private static let line = ColourTable(
        .line, size: 7, minimum: [0.1, -0.2, 0], maximum: [0.9, 1, 1.5],
        values: (0..<21).map { Float($0 * 5 % 17) / 15 - 0.05 })

    private static let cube = ColourTable(
        .cube, size: 5, minimum: [0, 0.1, 0], maximum: [1, 0.8, 1.2],
        values: (0..<375).map { Float($0 * 7 % 23) / 20 - 0.05 })

    /// Every alpha beside every colour.
    private static let mark = Picture(
        width: 9, height: 5, rgba: (0..<180).map { UInt8($0 * 29 % 256) })

    /// Kernels for other settings: blurs that downsample by 4, 8 and 32, in one and in several steps, with
    /// one sigma and with many. Also fused and separate filters in every order, and the empty chain.
    private static let further = chains([
        ["noir:contrast=20,midpoint=0.3"], ["tilt-shift:radius=9,transition=mix"],
        ["tilt-shift:radius=17,falloff=1,transition=mix"], ["tilt-shift:radius=70,transition=mix"],
        ["tilt-shift:radius=100%,band=0.1,transition=mix"], ["tilt-shift:radius=9,band=0"],
        ["tilt-shift:radius=70,falloff=1"], ["tilt-shift:radius=100%,focus=1"],
        ["sepia", "noir"], ["noir", "sepia:intensity=0.3"], ["sepia", "tilt-shift:radius=2", "noir"],
        [
            "tilt-shift:radius=1", "sepia", "tilt-shift:radius=2.5,focus=0.8,transition=mix",
            "sepia:intensity=0.5",
        ],
        ["tilt-shift:radius=12", "tilt-shift:radius=6,band=0"], [],
        ["sepia", "resize:scale=170%,kernel=catmull-rom", "vignette"],
        ["crop:aspect=1", "resize:width=20,height=30,fit=stretch,enlarge=yes,kernel=box", "noir"],
        ["tilt-shift:radius=2", "resize:scale=60%", "tilt-shift:radius=1,transition=mix", "crop:height=31"],
        [
            "sepia", "bloom:radius=9,threshold=0.1", "median", "tilt-shift:radius=2", "median:size=5",
            "resize:scale=50%", "median", "noir",
        ],
        ["border:size=2", "blur:radius=2", "border:size=1,colour=#036"],
    ])

    /// Filters that cover each way to read and write a layout.
    private static let layoutChains = chains([
        ["sepia"], ["sepia:intensity=1"], ["noir"],
        ["tilt-shift:radius=4,focus=0.2,band=0.3,falloff=0,transition=mix"],
    ])

    /// A JPEG's usual layout, and the layout with the most bytes a pixel.
    package static let mainLayouts: [PixelLayout] = [.yCbCr(.s420), .interleaved(.rgba, .sixteen)]

    package static let layouts: [PixelLayout] =
        PixelLayout.Channels.allCases.flatMap { channels in
            PixelLayout.SampleDepth.allCases.map { .interleaved(channels, $0) }
        } + ChromaSubsampling.common.map { .yCbCr($0) }

    /// Sizes that are likely to reveal errors of loops over vectors, blocks and strips.
    package static let sizes: [(width: Int, height: Int)] = [
        (1, 1), (1, 7), (1, 130), (7, 1), (130, 1), (2, 2), (3, 5), (16, 16), (17, 33), (31, 37), (64, 64),
        (65, 129), (127, 61), (513, 19), (1031, 23), (40, 300),
    ]

    private static func chains(_ texts: [[String]]) -> [FilterChain] {
        texts.map { text in
            do { return try FilterChain(parsing: text, reading: .none) } catch {
                preconditionFailure("\(error)")
            }
        }
    }

    /// The cases over one layout: every size, with the scope's chains and output layouts.
    package static func cases(over layout: PixelLayout, _ scope: Scope) -> [Case] {
        let isMain = mainLayouts.contains(layout)
        return cases(tests(of: layout, isMain: isMain, scope), over: layout)
            + (isMain ? casesOfStrips(single + further, over: layout) : [])
    }

    /// The cases of one chain over one layout: every size, the result in the first of its layouts.
    package static func cases(of chain: FilterChain, over layout: PixelLayout) -> [Case] {
        let test = Test(chain: chain, outputs: outputs(of: chain, layout).prefix(1), turns: true)
        return cases([test], over: layout)
            + (mainLayouts.contains(layout) ? casesOfStrips([chain], over: layout) : [])
    }

    /// All sizes of a test in a row, so that a run that is cut short has compared a few chains well.
    private static func cases(_ tests: [Test], over layout: PixelLayout) -> [Case] {
        tests.flatMap { test in
            sizes.flatMap { width, height in
                let orientation: Orientation = test.turns && width % 3 == 0 ? .right : .up
                let geometry = PhotoGeometry(width: width, height: height, orientation: orientation)
                return test.outputs.map { output in
                    let plan = RenderPlan(test.chain, for: geometry, input: layout, output: output)
                    return Case(chain: test.chain, plan: plan, stripRows: nil)
                }
            }
        }
    }

    /// A chain over one layout.
    private struct Test {
        let chain: FilterChain
        let outputs: ArraySlice<PixelLayout>
        /// Whether some photos are rotated, so that blurs change by column.
        let turns: Bool
    }

    private static func tests(of layout: PixelLayout, isMain: Bool, _ scope: Scope) -> [Test] {
        func tests(_ chains: [FilterChain], outputs count: Int, turns: Bool = true) -> [Test] {
            chains.map { Test(chain: $0, outputs: outputs(of: $0, layout).prefix(count), turns: turns) }
        }
        guard scope == .quick else { return tests(single + further, outputs: 3) }
        let points = single.filter { !$0.hasBlur }, blurs = single.filter(\.hasBlur)
        guard !isMain else {
            return tests(layoutChains, outputs: 3) + tests(points + blurs + further, outputs: 1)
        }
        // A filter that makes colour, one that makes grey, one blur. Otherwise, kernels do not depend on the
        // layout.
        return tests(layoutChains, outputs: 1, turns: false)
    }

    /// Strips of every height, from one block to more than the photo.
    private static func casesOfStrips(_ chains: [FilterChain], over layout: PixelLayout) -> [Case] {
        [(23, 200), (1, 97), (70, 161)].flatMap { width, height in
            let geometry = PhotoGeometry(width: width, height: height)
            return chains.flatMap { chain in
                let plan = RenderPlan(
                    chain, for: geometry, input: layout, output: outputs(of: chain, layout)[0])
                return [1, 8, 24, 40, 64, 1000].map { Case(chain: chain, plan: plan, stripRows: $0) }
            }
        }
    }

    /// The layouts in which a chain's result may be stored: its own, one with colour, grey, planes.
    private static func outputs(of chain: FilterChain, _ input: PixelLayout) -> [PixelLayout] {
        let hasColour = chain.stages(for: PhotoGeometry(width: 9, height: 9)).haveColour(
            input: input.hasColour)
        let interleaved = PixelLayout.interleaved(
            .init(colour: hasColour, alpha: input.hasAlpha), input.depth)
        let own: PixelLayout =
            switch input {
            case .yCbCr: input
            case .interleaved: interleaved
            }
        let jpeg: PixelLayout = hasColour ? .yCbCr(.s420) : .interleaved(.grey, .eight)
        return own == jpeg ? [own] : own == interleaved ? [own, jpeg] : [own, jpeg, interleaved]
    }
}

extension FilterChain {
    fileprivate var hasBlur: Bool {
        stages(for: PhotoGeometry(width: 9, height: 9)).contains(where: \.isBlur)
    }
}
