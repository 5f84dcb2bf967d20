import Foundation
import Tintype

@MainActor func checkLists(_ report: Report, _ folder: Folder) async throws {
    func entries(_ list: PhotoList) async throws -> [ListEntry] {
        var entries: [ListEntry] = []
        for try await entry in list { entries.append(entry) }
        return entries
    }
    func texts(_ text: String) async throws -> [String] {
        try await entries(PhotoList(data: Data(text.utf8), origin: .folder("in"))).map(\.location.text)
    }
    await report.check("a list of lines") { try await texts("a.jpg\nb.jpg\n") == ["in/a.jpg", "in/b.jpg"] }
    await report.check("a list in JSON") {
        try await texts(#"["a.jpg", "/b.jpg"]"#) == ["in/a.jpg", "/b.jpg"]
    }
    await report.check("a list with names") {
        try await entries(PhotoList(data: Data(#"{"Rose": "r.jpg"}"#.utf8), origin: .folder("")))
            == [ListEntry(name: "Rose", location: .file(path: "r.jpg"), at: .entry(1))]
    }
    await report.check("a list of addresses") {
        try await texts("https://example.com/a.jpg\n") == ["https://example.com/a.jpg"]
    }
    await report.check("an empty list") { try await texts("").isEmpty }
    try Data("photo.png\n".utf8).write(to: folder.file("list.txt"))
    await report.check("a list at a URL") {
        try await entries(PhotoList(contentsOf: folder.file("list.txt"))).map(\.location.text) == [
            folder.path("photo.png")
        ]
    }
    await report.check("a list at a path") {
        try PhotoList(path: folder.path("list.txt")).next()?.location == .file(path: folder.path("photo.png"))
    }
    await report.refuses("a photo is no list", as: ListError.self) {
        _ = try await entries(PhotoList(contentsOf: folder.file("photo.png")))
    }
    await report.refuses("a list from the network names no files", as: ListError.self) {
        let base = URL(string: "https://example.com/list.txt") ?? folder.url
        _ = try await entries(PhotoList(data: Data("file:///etc/passwd\n".utf8), origin: .remote(base)))
    }
    await report.check("an entry's name is safe for a file") {
        OutputName.make(for: ListEntry(name: "../x", location: .file(path: "a.png"))).contains("/") == false
    }
}

@MainActor func checkFolders(_ report: Report, _ folder: Folder) async throws {
    let input = folder.file("photos"), output = folder.file("out")
    try EncodedImage(picture, as: .png).write(to: input.appendingPathComponent("a.png"))
    try EncodedImage(picture, as: .jpeg).write(to: input.appendingPathComponent("below/b.jpg"))
    let start = try EncodedImage(picture, as: .png).data.prefix(20)
    try start.write(to: input.appendingPathComponent("broken.png"))
    try Data("notes".utf8).write(to: input.appendingPathComponent("notes.txt"))
    let recipe: Recipe = [Invert()]

    func run(_ recipe: Recipe) async throws -> [String: PhotoResult.Status] {
        var collector = InputCollector(outputFolder: output)
        collector.collect([Input(input)])
        let plan = try OutputPlanner(.folder(output), recipe: recipe, overwrites: false, hasJournal: true)
            .plan(for: collector.photos)
        let journal = try Journal(outputFolder: output)
        try journal.claim(recipe: recipe.canonicalText)
        let settings = Batch.Settings(
            through: PhotoPipeline(recipe), on: try await DevicePool.make(.cpu), journal: journal,
            concurrentPhotoCount: 2)
        var statuses: [String: PhotoResult.Status] = [:]
        for await result in Batch.results(of: plan.jobs, settings) {
            statuses[URL(fileURLWithPath: result.job.output.path).lastPathComponent] = result.status
        }
        return statuses
    }

    let first = try await run(recipe)
    await report.check("all photos of a folder have results") {
        first.keys.sorted() == ["a.png", "b.jpg", "broken.png"]
    }
    await report.check("sound ones are done") { first["a.png"] == .done && first["b.jpg"] == .done }
    await report.check("a broken one fails, and stops no other") {
        if case .failed(.codec) = first["broken.png"] { true } else { false }
    }
    await report.check("outputs are where the inputs were") {
        folder.has("out/a.png") && folder.has("out/below/b.jpg") && !folder.has("out/broken.png")
    }
    await report.check("outputs are filtered") {
        try EncodedImage(contentsOf: output.appendingPathComponent("a.png")).pixels().bytes
            == samples.map { 255 - $0 }
    }
    await report.check("inputs are as they were") {
        try EncodedImage(contentsOf: input.appendingPathComponent("a.png")).pixels() == picture
    }
    await report.check("the journal counts") {
        let summary = try JournalSummary(outputFolder: output.path)
        return summary.doneCount == 2 && summary.failedCount == 1 && summary.pixelCount == 2400
    }
    try FileManager.default.removeItem(at: output.appendingPathComponent("a.png"))
    let second = try await run(recipe)
    await report.check("a second run does what is missing") {
        second["a.png"] == .done && folder.has("out/a.png")
    }
    await report.check("and skips what is there") { second["b.jpg"] == .skipped(.upToDate) }
    await report.refuses("another recipe is refused in that folder", as: JournalError.self) {
        _ = try await run([Noir()])
    }
    await report.refuses("a folder without a journal has no summary", as: JournalError.self) {
        _ = try JournalSummary(outputFolder: input.path)
    }
    await report.check("an output's name has the filter, beside the photo") {
        var collector = InputCollector(outputFolder: nil)
        collector.collect([Input(input.appendingPathComponent("a.png"))])
        let planner = OutputPlanner(.besidePhoto, recipe: recipe, overwrites: false)
        return try planner.plan(for: collector.photos).jobs.map(\.output.path) == [
            folder.path("photos/a-invert.png")
        ]
    }
    await report.check("a file that is not there is a failure") {
        var collector = InputCollector(outputFolder: nil)
        collector.collect([Input(folder.file("none.png"))])
        return collector.photos.isEmpty && collector.failures.count == 1
    }
}
