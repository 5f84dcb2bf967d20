import Testing
import TintypeImaging
import TintypeStages

@testable import TintypeFilters

struct FilterRegistryTests {
    private struct Glow: Filter {
        static let name = "glow"
        static let summary = "Light"
        static let group = FilterGroup.looks
        static let parameters: [Parameter<Self>] = []
        var name = "glow"

        func stages(for photo: PhotoGeometry) -> [Stage] { [] }
    }

    @Test func aFilterIsFoundAfterItWasAdded() throws {
        var registry = FilterRegistry(known: [Sepia()])
        #expect(registry["glow"] == nil)
        try registry.add(Glow())
        #expect(registry["glow"] is Glow && registry["sepia"] is Sepia)
        #expect(registry.filters.map(\.name) == ["sepia", "glow"])
        #expect(throws: FilterError.unusable(filter: "glow", problem: "the name is taken; choose another")) {
            try registry.add(Glow())
        }
        #expect(registry.filters.count == 2)
    }

    // `ycc` and `lut_3d` are kernels of this package and no filters.
    @Test(arguments: [
        "", "Glow", "soft light", "soft_light", "-soft", "soft-", "2soft", "söft", "ycc", "lut-3d",
    ])
    func otherNamesAreRefused(name: String) {
        var registry = FilterRegistry(known: [])
        #expect(throws: FilterError.self) { try registry.add(Glow(name: name)) }
    }

    @Test(arguments: ["glow", "soft-light", "a", "lut-4d", "x2"])
    func namesAreWordsJoinedByHyphens(name: String) throws {
        var registry = FilterRegistry(known: [])
        try registry.add(Glow(name: name))
    }
}
