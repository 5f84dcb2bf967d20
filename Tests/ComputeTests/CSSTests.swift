import Foundation
import Testing
import TintypeFilterPictures
import TintypeFilters
import TintypeImaging

@testable import TintypeCPURendering
@testable import TintypeCompute
@testable import TintypeRendering

/// Compares filters with Chromium's CSS filters, whose results `scripts/make_css_references` recorded.
struct CSSTests {
    private struct References: Decodable {
        let colours: [UInt8]
        let results: [String: [UInt8]]
    }

    @Test func colourFiltersAreThoseOfCSS() throws {
        let file = try #require(
            Bundle.module.url(forResource: "css-filters", withExtension: "json", subdirectory: "Fixtures"))
        let references = try JSONDecoder().decode(References.self, from: Data(contentsOf: file))
        let layout = PixelLayout.interleaved(.rgb, .eight)
        let photo = MemoryPhoto(PhotoGeometry(width: references.colours.count / 3, height: 1), layout: layout)
        photo.set(references.colours)
        // `sepia` is among the looks, because its default is not that of CSS.
        let css = FilterCatalog.all.filter { $0.group == .css }.map { $0.name } + [Sepia.name]
        #expect(Set(references.results.keys.map { $0.prefix { $0 != ":" } }) == Set(css.map { $0[...] }))
        for (name, expected) in references.results {
            let chain = try FilterChain(parsing: [name])
            let plan = RenderPlan(chain, for: photo.geometry, input: layout, output: layout)
            let result = try SIMDDevice(level: .baseline).render(plan, photo).samples
            let worst = zip(result, expected).map { abs(Int($0) - Int($1)) }.max()
            #expect(worst ?? 255 <= 1, "\(name): \(worst ?? 255) of 255")
        }
    }
}
