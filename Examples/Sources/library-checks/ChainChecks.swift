import Foundation
import Tintype

@MainActor func checkChains(_ report: Report) async throws {
    let chain: FilterChain = [Sepia(intensity: 0.5), TiltShift(radius: 2)]
    await report.check("a chain has filters") {
        chain.count == 2 && chain[0].name == "sepia" && !chain.isEmpty
    }
    await report.check("a chain is a loop") {
        var names: [String] = []
        for filter in chain { names.append(filter.name) }
        return names == ["sepia", "tilt-shift"]
    }
    await report.check("filters are appended") {
        var longer = chain
        longer.append(Noir())
        return longer == chain + [Noir()] && longer != chain && longer.count == 3
    }
    await report.check("a filter is replaced") {
        var other = chain
        other[0] = Sepia(intensity: 0.6)
        return other != chain && other.recipe.contains("sepia:intensity=0.6")
    }
    await report.check("text is parsed") {
        try FilterChain(parsing: "sepia:intensity=50%+tilt-shift:radius=2") == chain
    }
    await report.check("texts are parsed") {
        try FilterChain(parsing: ["sepia:intensity=0.5", "tilt-shift:radius=2"]) == chain
    }
    await report.check("a chain's text is its own") {
        try FilterChain(parsing: chain.recipe.split(separator: " ").map(String.init)) == chain
    }
    await report.check("a printed chain is its recipe") {
        "\(chain)" == chain.recipe && chain.recipe.hasPrefix("sepia:intensity=0.5")
    }
    await report.check("a chain's name is for files") { chain.name == "sepia+tilt-shift" }
    await report.check("a chain is stored as text") {
        try JSONDecoder().decode(String.self, from: JSONEncoder().encode(chain)) == chain.recipe
    }
    await report.check("a stored chain reads back") {
        try JSONDecoder().decode(FilterChain.self, from: JSONEncoder().encode(chain)) == chain
    }
    await report.check("chains are stored with other things") {
        struct Preset: Codable, Equatable { var name: String, filters: FilterChain }
        let preset = Preset(name: "Old", filters: chain)
        return try JSONDecoder().decode(Preset.self, from: JSONEncoder().encode(preset)) == preset
    }
    await report.refuses("stored nonsense is refused", as: DecodingError.self) {
        _ = try JSONDecoder().decode(FilterChain.self, from: Data(#""sepiaa:intensity=0.5""#.utf8))
    }
    await report.check("a set has a chain once") { Set([chain, chain, []]).count == 2 }
    await report.check("order matters") {
        try await picture.filtered(by: Noir(), Sepia(), on: .cpu)
            != picture.filtered(by: Sepia(), Noir(), on: .cpu)
    }
    await report.check("no filter changes nothing") {
        try await picture.filtered(by: [], on: .cpu) == picture
    }
    await report.check("twice inverted is as before") {
        try await picture.filtered(by: Invert(), Invert(), on: .cpu) == picture
    }
    await report.refuses("a setting out of range is refused", as: FilterError.self) {
        try FilterChain([Sepia(intensity: 7)]).check()
    }
    await report.refuses("also when photos are filtered", as: PhotoError.self) {
        _ = try await EncodedImage(picture, as: .png).filtered(by: Sepia(intensity: 7), on: .cpu)
    }
    await report.refuses(
        "a wrong name has a suggestion", as: FilterError.self, fits: { "\($0)".contains("sepia") }
    ) {
        _ = try FilterChain(parsing: "sepa")
    }
    await report.refuses(
        "a wrong setting has one", as: FilterError.self, fits: { "\($0)".contains("intensity") }
    ) {
        _ = try FilterChain(parsing: "sepia:intensty=1")
    }
    await report.check("the catalogue has all") {
        FilterCatalog.all.count >= 30
            && Set(FilterCatalog.all.map { $0.name }).count == FilterCatalog.all.count
    }
    await report.check("a filter is found by name") {
        try FilterCatalog.filter(named: "bloom") as? Bloom == Bloom()
    }
    await report.check("a filter describes itself") {
        let description = FilterDescription(Sepia())
        return description.id == "sepia" && description.parameters.map { $0.name } == ["intensity", "keep"]
            && description.parameters[0].maximum == 1
    }
    await report.check("examples of all filters are parsed") {
        try FilterCatalog.all.filter { !FilterDescription($0).needsFile }
            .allSatisfy { try FilterChain(parsing: $0.example).count >= 1 }
    }
}

@MainActor func checkRecipes(_ report: Report) async throws {
    let png = try EncodedImage(picture, as: .png)
    await report.check("a list of filters is a recipe") {
        let recipe: Recipe = [Invert()]
        return recipe.chain == [Invert()] && recipe.format == nil
    }
    await report.check("a recipe converts") {
        let image = try await png.filtered(
            by: Recipe([Invert()], format: .jpeg, quality: .value(95)), on: .cpu)
        return try image.format == .jpeg
            && difference(image.pixels(.rgb8).bytes, samples.map { 255 - $0 }) < 6
    }
    await report.check("a recipe halves") {
        try await png.filtered(by: Recipe([], halvesSize: true), on: .cpu).geometry
            == PhotoGeometry(width: 20, height: 15)
    }
    await report.check("a recipe has a text") {
        Recipe([Noir()]).canonicalText.contains("noir:contrast=5")
            && Recipe([Noir()]).canonicalText != Recipe([Sepia()]).canonicalText
    }
}

@MainActor func checkDevices(_ report: Report) async throws {
    let pool = try await DevicePool.make(.cpu)
    let png = try EncodedImage(picture, as: .png)
    let chain: FilterChain = [Sepia(), TiltShift(radius: 2), Vignette()]
    let expected = try await png.filtered(by: chain, on: .cpu).data
    await report.check("the CPU is a device with a name") {
        pool.devices.count == 1 && pool.devices[0].info.id == "cpu" && !pool.devices[0].info.name.isEmpty
    }
    await report.check("a pool filters") { try await png.filtered(by: chain, on: pool).data == expected }
    await report.check("filters one by one do") {
        try await png.filtered(by: Sepia(), TiltShift(radius: 2), Vignette(), on: pool).data == expected
    }
    await report.check("an array does") {
        try await png.filtered(by: [Sepia(), TiltShift(radius: 2), Vignette()]).data == expected
    }
    await report.check("any device gives the same bytes") {
        try await png.filtered(by: chain).data == expected
    }
    await report.check("and in memory the same pixels") {
        try await picture.filtered(by: chain) == EncodedImage(data: expected).pixels()
    }
    await report.refuses("an unknown device is refused", as: DeviceError.self) {
        _ = try await png.filtered(by: Sepia(), on: .named("warp drive"))
    }
    await report.refuses("a cancelled task does not filter", as: CancellationError.self) {
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await picture.filtered(by: Noir(), on: .cpu)
        }
        task.cancel()
        _ = try await task.value
    }
    await report.check("many photos at once give the same") {
        try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<12 { group.addTask { try await png.filtered(by: chain, on: pool).data } }
            var equalCount = 0
            for try await data in group where data == expected { equalCount += 1 }
            return equalCount == 12
        }
    }
}
