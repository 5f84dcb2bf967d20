import Testing
import TintypeFilterPictures
import TintypeImaging
import TintypeStages

@testable import TintypeFilters

struct FilterTextTests {
    /// Sides below a pixel, shapes that no file can have, and photos that would become as long as memory has room.
    @Test(arguments: [
        "resize:width=0.4,height=100,fit=fill", "resize:width=0.4", "resize:width=1920,enlarge=yes",
        "resize:short=1000,enlarge=yes", "resize:scale=16,enlarge=yes", "border:size=0,aspect=1e-20",
        "border:size=0,aspect=1:1000000", "border:size=0,aspect=100",
    ])
    func noResultIsLongerThanFilesCanBe(text: String) throws {
        let chain = try FilterChain(parsing: [text])
        for (width, height) in [(1, 65000), (65000, 1), (40, 30), (1, 1)] {
            let photo = PhotoGeometry(width: width, height: height)
            let result = chain.stages(for: photo).reduce(photo) { $1.result(of: $0) }
            #expect(max(result.width, result.height) <= 65535, "\(result)")
        }
    }

    @Test func aChainIsReadInOrder() throws {
        let chain = try FilterChain(parsing: ["sepia", "tilt-shift:radius=0.4%,focus=0.25"])
        #expect(chain.name == "sepia+tilt-shift")
        #expect(
            chain.recipe
                == "sepia:intensity=0.8,keep=luminance tilt-shift:radius=0.4%,focus=0.25,band=0.2,falloff=0.25,transition=lens"
        )
    }

    @Test(arguments: FilterCatalog.all.map { FilterDescription($0) }.filter { !$0.needsFile }.map(\.name))
    func aRecipeReadsBackAsItself(name: String) throws {
        let chain = try FilterChain(parsing: [name])
        #expect(try FilterChain(parsing: chain.recipe.split(separator: " ").map(String.init)) == chain)
    }

    @Test func percentagesReadBackAsThemselves() throws {
        for hundredth in 1...10_000 {
            let text = "\(hundredth / 100).\(hundredth % 100 + 100)".replacing(".1", with: ".")
            let chain = try FilterChain(parsing: ["blur:radius=\(text)%"])
            #expect(try FilterChain(parsing: [chain.recipe]) == chain, "\(text)")
        }
        #expect(try FilterChain(parsing: ["blur:radius=1.18%"]).recipe == "blur:radius=1.18%")
        #expect(try FilterChain(parsing: ["blur:radius=100%"]).recipe == "blur:radius=100%")
    }

    private static let known = FilterCatalog.all.map { $0.name }.joined(separator: ", ")

    @Test(arguments: [
        ("sepai", "There is no filter 'sepai'. Did you mean 'sepia'? FilterCatalog.all lists them."),
        ("glow", "There is no filter 'glow'. There are: \(known). FilterCatalog.all lists them."),
        (
            "resize:width=80,fit=fill",
            "resize: fit=fill needs a width and a height, such as width=800,height=600."
        ),
        (
            "resize:width=80,height=60,fit=stretch,scale=0.5",
            "resize: fit=stretch takes its size from width and height alone."
        ),
        ("crop:aspect=3:0", "crop: aspect expects a number or a ratio such as 3:2, got '3:0'."),
        ("crop:aspect=3x2", "crop: aspect expects a number or a ratio such as 3:2, got '3x2'."),
        ("crop:aspect=a:b", "crop: aspect expects a number or a ratio such as 3:2, got 'a:b'."),
        ("crop:aspect=200:1", "crop: aspect expects 0 to 100, got 200:1."),
        ("sepia:intensity=3", "sepia: intensity expects 0 to 1, got 3."),
        ("sepia:intensity=nan", "sepia: intensity expects a number, got 'nan'."),
        ("sepia:intensity=", "sepia: intensity expects a number, got ''."),
        ("sepia:intensity", "sepia: 'intensity' has no value; write intensity=VALUE."),
        ("noir:contrats=2", "noir has no parameter 'contrats'. Did you mean 'contrast'?"),
        ("noir:contrast=2,contrast=3", "noir: 'contrast' is given twice."),
        ("tilt-shift:radius=101", "tilt-shift: radius expects 0 to 100, got 101."),
        ("tilt-shift:radius=200%", "tilt-shift: radius expects 0% to 100%, got 200%."),
        ("sepia:intensity=150%", "sepia: intensity expects 0% to 100%, got 150%."),
        ("sepia:intensity=%", "sepia: intensity expects a number, got '%'."),
        ("noir:contrast=50%", "noir: contrast expects a number, got '50%'."),
        (
            "sepia:keep=luminanse",
            "sepia: keep expects none or luminance, got 'luminanse'. Did you mean 'luminance'?"
        ),
        (
            "tilt-shift:transition=lense",
            "tilt-shift: transition expects lens or mix, got 'lense'. Did you mean 'lens'?"
        ),
        ("sepia:keep=1", "sepia: keep expects none or luminance, got '1'."),
        (
            "duotone:shadows=blue",
            "duotone: shadows expects a colour such as #1f2a52 or #fc0, got 'blue'."
        ),
        (
            "duotone:shadows=#12345",
            "duotone: shadows expects a colour such as #1f2a52 or #fc0, got '#12345'."
        ),
        (
            "duotone:shadows=#1234g6",
            "duotone: shadows expects a colour such as #1f2a52 or #fc0, got '#1234g6'."
        ),
        (
            "watermark:file=a.png,position=center",
            "watermark: position expects top-left, top, top-right, left, centre, right, bottom-left, bottom or "
                + "bottom-right, got 'center'. Did you mean 'centre'?"
        ),
        ("watermark:file=a.png,size=5", "watermark: size expects 0.001 to 1, got 5."),
        ("watermark:opacity=abc", "watermark: opacity expects a number, got 'abc'."),
        ("lut:file=a.cube,intensity=2", "lut: intensity expects 0 to 1, got 2."),
        ("lut:file=a, v2.cube", "lut: 'a, v2.cube' cannot be read: No such file or directory."),
        ("white-balance:temperature=101", "white-balance: temperature expects -100 to 100, got 101."),
    ])
    func wrongTextIsExplained(text: String, message: String) {
        #expect { try FilterChain(parsing: [text]) } throws: { "\($0)" == message }
    }

    /// What people type first, in any spelling.
    @Test(arguments: [
        ("bw", "'grayscale' or 'noir'"), ("Black-White", "'grayscale' or 'noir'"),
        ("black_and_white", "'grayscale' or 'noir'"), ("mono", "'grayscale' or 'noir'"),
        ("saturation", "'saturate' or 'vibrance'"), ("temperature", "'white-balance'"),
        ("vintage", "'fade', 'sepia' or 'tintype'"), ("hdr", "'curves', 'levels' or 'vibrance'"),
    ])
    func namesOfOtherProgramsAreSuggestions(name: String, suggestion: String) {
        let message =
            "There is no filter '\(name)'. Did you mean \(suggestion)? FilterCatalog.all lists them."
        #expect { try FilterChain(parsing: [name]) } throws: { "\($0)" == message }
    }

    @Test func everySuggestionIsAFilter() throws {
        for (name, texts) in FilterAlias.meanings {
            #expect(FilterCatalog[name] == nil && !texts.isEmpty, "\(name)")
            for text in texts { _ = try FilterChain.filters(parsing: text) }
        }
    }

    @Test func anotherSpellingIsTheSameFilter() throws {
        #expect(try FilterChain(parsing: ["greyscale:amount=0.5"]).recipe == "grayscale:amount=0.5")
    }

    /// A message is no place for ten kilobytes, nor for what moves the cursor.
    @Test(arguments: [
        String(repeating: "x", count: 10_000), "sepia:" + String(repeating: "y", count: 10_000) + "=1",
        "sepia:intensity=" + String(repeating: "z", count: 10_000),
        "duotone:shadows=" + String(repeating: "#", count: 10_000),
        "e" + String(repeating: "\u{301}", count: 10_000),
        "sepia:intensity=1\n2\u{1B}[31m",
    ])
    func messagesQuoteTheBeginningOfLongTexts(text: String) {
        let error = #expect(throws: FilterError.self) { try FilterChain(parsing: [text]) }
        let message = error?.description ?? ""
        #expect(message.unicodeScalars.count < 600)
        #expect(!message.contains { $0 == "\n" || $0 == "\u{1B}" }, "\(message)")
    }

    @Test func filtersInOneTextAreJoinedByPlus() throws {
        let joined = try FilterChain(parsing: ["sepia+noir:contrast=1e+0,midpoint=+0.5+sepia"])
        #expect(joined == (try FilterChain(parsing: ["sepia", "noir:contrast=1,midpoint=0.5", "sepia"])))
    }

    @Test(arguments: [
        ("sepia,noir", "sepia+noir"), ("sepia:intensity=1,noir", "sepia:intensity=1+noir"),
        ("sepia+noir,tilt-shift:radius=8,band=0.2", "sepia+noir+tilt-shift:radius=8,band=0.2"),
        ("sepia:0.5", "sepia:intensity=0.5"), ("sepia=0.5", "sepia:intensity=0.5"),
        ("tilt-shift:8,0.4", "tilt-shift:radius=8,focus=0.4"),
        ("sepia:intensity=0,5", "sepia:intensity=0.5"),
        ("tilt-shift:radius=8,5,band=0,1", "tilt-shift:radius=8.5,band=0.1"),
        ("sepia,intensity=0.5", "sepia:intensity=0.5"),
        ("noir:contrast=2+sepia,intensity=0.5", "noir:contrast=2+sepia:intensity=0.5"),
        ("sepia:intensity:0.5", "sepia:intensity=0.5"),
        ("crop:aspect=16:9:x=0.2", "crop:aspect=16:9,x=0.2"),
        ("sepia+tilt-shift:radius=8:band=0.2:focus=0.4", "sepia+tilt-shift:radius=8,band=0.2,focus=0.4"),
        ("sepia: intensity = 0.5", "sepia:intensity=0.5"),
    ])
    func aNearMissGetsItsCorrection(text: String, correction: String) {
        let expected = "'\(text)' is not how filters are written. Write '\(correction)'."
        #expect { try FilterChain(parsing: [text]) } throws: { "\($0)" == expected }
    }

    @Test(arguments: ["", "+", "sepia+", ",", ":", "=", "sepia,,noir", "sepia:3", "sepia:0,5,5"])
    func mistakesWithoutACorrectionAreErrors(text: String) {
        #expect(throws: FilterError.self) { try FilterChain(parsing: [text]) }
    }

    @Test(arguments: [
        ("sepia:intensity=80%", "sepia:intensity=0.8"), ("noir:midpoint=33.3%", "noir:midpoint=0.333"),
        ("tilt-shift:focus=0%,band=100%", "tilt-shift:focus=0,band=1"),
    ])
    func fractionsMayBePercentages(text: String, same: String) throws {
        #expect(try FilterChain(parsing: [text]).recipe == FilterChain(parsing: [same]).recipe)
    }

    @Test func aNamedValueIsReadAndWritten() throws {
        let chain = try FilterChain(parsing: ["sepia:keep=none"])
        #expect(chain == FilterChain([Sepia(intensity: 0.8, keep: .none)]))
        #expect(chain.recipe == "sepia:intensity=0.8,keep=none")
    }

    @Test func aColourIsReadAndWritten() throws {
        let chain = try FilterChain(parsing: ["duotone:shadows=#0Af,highlights=#FEDCBA"])
        let colours = Duotone(shadows: PlainColour(0, 170, 255), highlights: PlainColour(254, 220, 186))
        #expect(chain == FilterChain([colours]))
        #expect(chain.recipe == "duotone:shadows=#00aaff,highlights=#fedcba")
    }

    @Test func aCurveIsReadAndWritten() throws {
        let chain = try FilterChain(parsing: ["curves:master=0/0 0.5/.25\t1/1,red=0/1_1/0"])
        #expect(chain.recipe == "curves:master=0/0_0.5/0.25_1/1,red=0/1_1/0,green=0/0_1/1,blue=0/0_1/1")
        #expect(try FilterChain(parsing: [chain.recipe]) == chain)
    }

    @Test(arguments: [
        "", "0/0", "0/0_1", "0/0_1/2", "-0.1/0_1/1", "0/0_0/1", "0.5/0_0.2/1", "0/0_1/nan", "0/0/0_1/1",
        "0/0-1/1", (0...32).map { "\(Float($0) / 32)/0" }.joined(separator: "_"),
    ])
    func whatIsNoCurveIsExplained(text: String) {
        let expected =
            "curves: red expects 2 to 32 points such as 0/0_0.25/0.2_1/1, in 0 to 1 and in order, got '\(text.count > 80 ? text.prefix(77) + "..." : text[...])'."
        #expect { try FilterChain(parsing: ["curves:red=\(text)"]) } throws: { "\($0)" == expected }
    }

    /// Settings of one channel leave the others alone.
    @Test func aCurveOfOneChannelHasNoOtherMaster() throws {
        #expect(
            try FilterChain(parsing: ["curves:red=0/0_0.5/0.6_1/1"]).recipe
                == "curves:master=0/0_1/1,red=0/0_0.5/0.6_1/1,green=0/0_1/1,blue=0/0_1/1")
        #expect(try FilterChain(parsing: ["curves"]).recipe == Curves().recipe)
        let both = Curves(master: Curves().master, red: Curves().master)
        #expect(try FilterChain(parsing: [both.recipe]).recipe == both.recipe)
    }

    @Test func settingsThatChangeNothingLeaveNoStage() throws {
        let photo = PhotoGeometry(width: 100, height: 100)
        for text in [
            "sepia:intensity=0", "tilt-shift:radius=0", "tilt-shift:band=1",
            "tilt-shift:radius=0,transition=mix", "white-balance:temperature=0", "gamma:amount=1",
            "levels:black=0,white=1", "curves:master=0/0_1/1", "vibrance:amount=0", "split-tone:amount=0",
            "fade:amount=0",
        ] {
            #expect(try FilterChain(parsing: [text]).stages(for: photo).isEmpty, "\(text)")
        }
    }

    @Test func theMaskFollowsThePhotoAsShown() {
        let filter = TiltShift(radius: .pixels(2), focus: 0.25, band: 0.2, falloff: 0.5)
        // Row 0 of 10: |.05 - .25| - .1 = .1, over .5: .2. Row 9: |.95 - .25| - .1 = .6: 1.
        let up = filter.shares(for: PhotoGeometry(width: 3, height: 10))
        #expect(abs(up[0] - 0.2) < 1e-6 && up[2] == 0 && up[9] == 1)
        #expect(filter.shares(for: PhotoGeometry(width: 3, height: 10, orientation: .down)) == up.reversed())
        #expect(filter.shares(for: PhotoGeometry(width: 10, height: 3, orientation: .right)) == up)
        #expect(filter.shares(for: PhotoGeometry(width: 10, height: 3, orientation: .left)) == up.reversed())
    }
}
