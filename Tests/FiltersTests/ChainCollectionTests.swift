import Foundation
import Testing
import TintypeFilterPictures
import TintypeFilters
import TintypeImaging

/// Chains and recipes as Swift code writes them.
struct ChainCollectionTests {
    @Test func aChainIsWrittenAsALiteral() {
        let chain: FilterChain = [Sepia(intensity: 0.5), TiltShift()]
        #expect(chain == FilterChain([Sepia(intensity: 0.5), TiltShift()]))
        #expect(chain.map { $0.name } == ["sepia", "tilt-shift"])
        #expect("\(chain)" == chain.recipe)
        #expect(FilterChain() == [])
        let recipe: Recipe = [Noir()]
        #expect(recipe == Recipe(FilterChain([Noir()])))
        #expect(Recipe([Noir()], format: .png).format == .png)
    }

    @Test func aChainIsACollectionOfItsFilters() throws {
        var chain: FilterChain = [Sepia()]
        chain.append(Noir())
        #expect(chain + [Invert()] == [Sepia(), Noir(), Invert()])
        chain[0] = Blur(radius: 4)
        #expect(chain.recipe == "blur:radius=4 noir:contrast=5,midpoint=0.5")
        #expect(chain.filters.map(\.shortRecipe) == ["blur:radius=4", "noir"])
        for text in ["sepia:intensity=0.5", "resize:long=300", "crop:aspect=3:2", "tilt-shift:radius=2%"] {
            let filter = try #require(try FilterChain(parsing: [text]).filters.first)
            #expect(try FilterChain(parsing: [filter.shortRecipe]).recipe == filter.recipe)
            #expect(filter.shortRecipe.utf8.count <= text.utf8.count + 2, "\(filter.shortRecipe)")
        }
        chain.insert(Invert(), at: 1)
        chain.removeLast()
        #expect(chain == [Blur(radius: .pixels(4)), Invert()] && chain.count == 2)
        #expect(chain.filter { $0.name == "blur" } == FilterChain([Blur(radius: 4.0)]))
    }

    @Test func oneTextIsParsed() throws {
        let chain = try FilterChain(parsing: "sepia:intensity=50%+tilt-shift")
        #expect(chain == [Sepia(intensity: 0.5), TiltShift()])
        #expect(throws: FilterError.self) { try FilterChain(parsing: "sepa") }
    }

    /// Each argument's default is the property's: both are written in the filter's file.
    @Test func settingsThatAreLeftOutHaveTheirDefaults() {
        #expect(Bloom(amount: Bloom().amount) == Bloom() && Bloom(radius: Bloom().radius) == Bloom())
        #expect(Border(size: Border().size) == Border() && Border(aspect: 0) == Border())
        #expect(Crop(x: 0.5) == Crop() && Crop(width: 0) == Crop())
        #expect(Curves(red: .identity) == Curves(master: .identity))
        #expect(Duotone(shadows: Duotone().shadows) == Duotone())
        #expect(Duotone(highlights: Duotone().highlights) == Duotone())
        #expect(Grain(seed: 0) == Grain() && Grain(amount: 0.1) == Grain())
        #expect(Levels(gamma: 1) == Levels())
        #expect(Median(amount: 1) == Median())
        #expect(Noir(midpoint: 0.5) == Noir())
        #expect(Resize(long: 0) == Resize() && Resize(kernel: .lanczos) == Resize())
        #expect(Sepia(keep: .luminance) == Sepia())
        #expect(Sharpen(amount: 0.5) == Sharpen() && Sharpen(radius: 1) == Sharpen())
        #expect(SplitTone(shadows: SplitTone().shadows) == SplitTone())
        #expect(SplitTone(highlights: SplitTone().highlights) == SplitTone())
        #expect(TiltShift(focus: 0.5) == TiltShift())
        #expect(Vignette(begin: 0.3) == Vignette())
        #expect(WetPlate(grain: 0.06) == WetPlate() && WetPlate(softness: 0.5) == WetPlate())
        #expect(WhiteBalance(tint: 0) == WhiteBalance())
    }

    @Test(arguments: FilterCatalog.all.filter { !FilterDescription($0).needsFile }.map { $0.name })
    func aStoredChainReadsBack(name: String) throws {
        var chains = [FilterChain([try FilterCatalog.filter(named: name)])]
        chains.append(try FilterChain(parsing: chains[0][0].example))
        for chain in chains + [chains[0] + [TiltShift(radius: .fractionOfHeight(0.0123))], []] {
            let stored = try JSONEncoder().encode(chain)
            #expect(try JSONDecoder().decode(String.self, from: stored) == chain.recipe)
            #expect(try JSONDecoder().decode(FilterChain.self, from: stored) == chain)
        }
    }

    @Test func textThatIsNoChainIsRefusedWithItsMistake() throws {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(FilterChain.self, from: Data(#""sepia:intensity=7""#.utf8))
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        guard case .outOfRange = context.underlyingError as? FilterError else {
            Issue.record("\(context)")
            return
        }
    }

    @Test func aTableOfAFileReadsBackAndAChangedFileIsRefused() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a look, and+more.cube")
        try Data("LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n".utf8).write(to: file)
        let chain: FilterChain = [try LookUp(contentsOf: file, intensity: 0.5), Sepia()]
        let stored = try JSONEncoder().encode(chain)
        #expect(try JSONDecoder().decode(FilterChain.self, from: stored) == chain)
        try Data("LUT_1D_SIZE 2\n0 0 0\n1 0.5 0.5\n".utf8).write(to: file)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(FilterChain.self, from: stored) }
    }

    @Test func aTableWithoutAFileIsNotStored() {
        let table = ColourTable(.line, size: 2, values: [0, 0, 0, 1, 1, 1])
        #expect(throws: EncodingError.self) {
            try JSONEncoder().encode(FilterChain([LookUp(table)]))
        }
    }

    @Test func aFilterFromAnAddressThatIsNoFilesIsRefused() {
        let url = URL(string: "https://user:secret@example.com/look.cube")!
        for make in [{ _ = try LookUp(contentsOf: url) }, { _ = try Watermark(contentsOf: url) }] {
            let error = #expect(throws: FilterError.self) { try make() }
            #expect(error?.description.contains("secret") == false)
            #expect(error?.description.contains("look.cube") == true)
        }
    }
}
