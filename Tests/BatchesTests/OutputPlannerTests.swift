import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeBatches
@testable import TintypeOperations
@testable import TintypePhotos

struct OutputPlannerTests {
    let folder: TemporaryFolder
    private let sepia = Recipe(FilterChain([Sepia()]))

    init() throws { folder = try TemporaryFolder() }

    private func collect(_ names: [String]) -> [InputPhoto] {
        var collector = InputCollector(outputFolder: nil)
        collector.collect(names.map { .path($0.hasPrefix("/") ? $0 : folder.path($0)) })
        return collector.photos
    }

    /// Output paths relative to the test's folder.
    private func plan(
        _ names: [String], _ output: String?, _ recipe: Recipe? = nil, overwrites: Bool = false,
        skipsExisting: Bool = false
    ) throws -> OutputPlan {
        let destination = try OutputDestination(output.map(folder.path(_:)), isFolder: { _ in false })
        return try OutputPlanner(
            destination, recipe: recipe ?? sepia, overwrites: overwrites, skipsExisting: skipsExisting
        ).plan(for: collect(names))
    }

    /// Paths relative to the test's folder.
    private func names(_ jobs: [PhotoJob]) -> [String] {
        jobs.map { String($0.output.path.dropFirst(folder.path.count + 1)) }
    }

    private func outputs(
        _ names: [String], _ output: String?, _ recipe: Recipe? = nil, overwrites: Bool = false
    ) throws -> [String] {
        self.names(try plan(names, output, recipe, overwrites: overwrites).jobs)
    }

    @Test func withoutOutputTheResultLiesBesideThePhoto() throws {
        try folder.write(FirstBytes.jpeg, to: "set/a.b.JPG")
        try folder.write(FirstBytes.png, to: "set/sub/c")
        #expect(try outputs(["set"], nil) == ["set/a.b-sepia.JPG", "set/sub/c-sepia.png"])
        let chain = Recipe(FilterChain([Noir(), TiltShift()]))
        #expect(try outputs(["set/a.b.JPG"], nil, chain) == ["set/a.b-noir+tilt-shift.JPG"])
    }

    @Test func aFolderMirrorsTheTree() throws {
        for name in ["set/a.jpg", "set/x/b.jpeg", "set/x/y/c.png"] {
            try folder.write(name.hasSuffix("png") ? FirstBytes.png : FirstBytes.jpeg, to: name)
        }
        #expect(try outputs(["set"], "out/") == ["out/a.jpg", "out/x/b.jpeg", "out/x/y/c.png"])
        #expect(try outputs(["set/x/y/c.png"], "out") == ["out/c.png"])
    }

    @Test func recipesThatDifferInSettingsOnlyHaveOtherNames() throws {
        try folder.write(FirstBytes.jpeg, to: "a.jpg")
        func name(_ recipe: Recipe) throws -> String {
            try #require(outputs(["a.jpg"], "{stem}-{recipe}.{ext}", recipe).first)
        }
        let weak = Recipe(FilterChain([Sepia(intensity: 0.5)])),
            strong = Recipe(FilterChain([Sepia(intensity: 1)]))
        let converted = Recipe(FilterChain([]), format: .jpeg)
        let names = try [weak, strong, converted].map(name), again = try [weak, strong, converted].map(name)
        #expect(Set(names).count == 3 && names == again)
        #expect(try name(weak).wholeMatch(of: /a-sepia-[0-9a-f]{8}\.jpg/) != nil)
        #expect(try name(converted).wholeMatch(of: /a-converted-[0-9a-f]{8}\.jpg/) != nil)
        // Beside their photos, they are the tool's own outputs, as those of {chain} are.
        for recipe in [weak, strong, converted] { #expect(Recipe.isLabel(recipe.tag[...])) }
        #expect(!Recipe.isLabel("holiday-0123abcd") && !Recipe.isLabel("-0123abcd"))
    }

    @Test func theExtensionFollowsTheFormat() throws {
        try folder.write(FirstBytes.png, to: "set/wrong.jpg")
        try folder.write(FirstBytes.jpeg, to: "set/right.jpe")
        #expect(try outputs(["set"], "out") == ["out/right.jpe", "out/wrong.png"])
        let toPNG = Recipe(FilterChain([]), format: .png)
        #expect(try outputs(["set"], "out", toPNG) == ["out/right.png", "out/wrong.png"])
        #expect(try outputs(["set/right.jpe"], nil, toPNG) == ["set/right.png"])
    }

    /// Names of downloads are normalised, so such objects have one output. Neither is taken for the other.
    @Test(arguments: [("caf\u{E9}", "cafe\u{301}"), ("\u{212B}", "\u{C5}"), ("\u{2126}", "\u{3A9}")])
    func objectsWhoseKeysOnlyLookAlikeAreTwo(first: String, second: String) throws {
        let photos = try [first, second].map { key in
            let url = try S3Location(bucket: "b", key: "in/\(key).jpg").url
            let name = OutputName.make(for: ListEntry(name: nil, location: .url(url)))
            return InputPhoto(address: url, folder: "", name: name)
        }
        #expect(!photos[0].isSame(as: photos[1]))
        let planner = { OutputPlanner($0, recipe: sepia, overwrites: false) }
        for destination in [
            OutputDestination.folder(folder.path("out")), .objects(try S3Location("s3://b/out"), names: nil),
        ] {
            let plan = try planner(destination).plan(for: photos)
            #expect(plan.jobs.isEmpty && plan.failures.count == 2)
        }
        let template = OutputDestination.template(try OutputTemplate(folder.path("out/{stem}-{id}.{ext}")))
        #expect(try planner(template).plan(for: photos).jobs.count == 2)
    }

    @Test func filesWhoseNamesOnlyLookAlikeAreTwo() throws {
        let names = ["caf\u{E9}", "cafe\u{301}"]
        for name in names { try folder.write(FirstBytes.jpeg, to: "set/\(name).jpg") }
        let jobs = try plan(["set"], "out").jobs
        #expect(jobs.count == 2 && jobs[0].output != jobs[1].output)
        #expect(Set(jobs.map(\.output)).count == 2)
    }

    @Test func aPathThatNamesNoFileIsExplained() throws {
        let photo = InputPhoto(
            address: try #require(URL(string: "http://h/a.jpg")), folder: "x/../y", name: "a.jpg")
        let plan = try OutputPlanner(.folder("out"), recipe: sepia, overwrites: false).plan(for: [photo])
        #expect(
            plan.failures.map(\.error) == [.outputUnusable(path: "out/x/../y/a.jpg", reason: "'..' in it")])
        for text in ["out/a\0{stem}.jpg", "a\0"] {
            #expect(throws: OutputError.zeroByte) { try OutputDestination(text, isFolder: { _ in false }) }
        }
        #expect(throws: OutputError.zeroByte) { try OutputTemplate("\0{stem}") }
    }

    @Test func photosThatMeetInOneOutputFailAloneAndTheRemedyKeepsThemApart() throws {
        try folder.write(FirstBytes.jpeg, to: "set/a.jpg")
        try folder.write(FirstBytes.jpeg, to: "set/a.png")  // a JPEG inside: its output is a.jpg
        try folder.write(FirstBytes.jpeg, to: "set/b.jpg")
        let plan = try plan(["set"], "out")
        #expect(names(plan.jobs) == ["out/b.jpg"])
        #expect(plan.failures.map(\.path) == [folder.path("set/a.jpg"), folder.path("set/a.png")])
        let output = folder.path("out/a.jpg")
        let remedy = "the template '\(folder.path("out/{dir}/{stem}-{id}.{ext}"))'"
        #expect(
            plan.failures.first?.error
                == .outputClash(path: output, with: folder.path("set/a.png"), remedy: remedy))
        let apart = try outputs(["set"], "out/{dir}/{stem}-{id}.{ext}")
        #expect(apart.count == 3 && Set(apart).count == 3, "\(apart)")
        #expect(try outputs(["set/../set"], "out/{dir}/{stem}-{id}.{ext}") == apart, "named in other words")
    }

    @Test func photosOfOneNameFromTwoFoldersFailAlone() throws {
        for name in ["one/a.jpg", "two/a.jpg", "two/b.jpg"] { try folder.write(FirstBytes.jpeg, to: name) }
        let plan = try plan(["one", "two"], "out")
        #expect(names(plan.jobs) == ["out/b.jpg"] && plan.failures.count == 2)
        #expect(Set(try outputs(["one", "two"], "out/{stem}-{id}.{ext}")).count == 3)
    }

    @Test func aPhotoThatIsNamedTwiceIsDoneOnce() throws {
        try folder.write(FirstBytes.jpeg, to: "set/a.jpg")
        #expect(try outputs(["set", "set/a.jpg", "set/../set/a.jpg"], nil).count == 1)
    }

    @Test func outputsThatMeetThroughALinkedFolderAreRefused() throws {
        try folder.write(FirstBytes.jpeg, to: "in/x/a.jpg")
        try folder.write(FirstBytes.jpeg, to: "in/y/a.jpg")
        try FileManager.default.createDirectory(
            atPath: folder.path("out/x"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path("out/y"), withDestinationPath: "x")
        let plan = try plan(["in"], "out")
        #expect(plan.jobs.isEmpty && plan.failures.count == 2)
    }

    @Test func anOriginalIsNeverAnOutput() throws {
        try folder.write(FirstBytes.jpeg, to: "set/a.jpg")
        let path = folder.path("set/a.jpg")
        let refusal = OutputError.ontoInput(output: path, input: path, moreCount: 0)
        #expect(throws: refusal) { try outputs(["set"], "set", overwrites: true) }
        #expect(throws: refusal) { try outputs(["set"], "set/{name}", overwrites: true) }
        try link(to: "set/a.jpg", at: "out/a.jpg", isSymbolic: true)
        #expect(throws: OutputError.self) { try outputs(["set"], "out", overwrites: true) }
        try link(to: "set/a.jpg", at: "hard/a.jpg", isSymbolic: false)
        #expect(throws: OutputError.self) { try outputs(["set"], "hard", overwrites: true) }
    }

    @Test func anotherPhotoOfTheRunIsNeverAnOutput() throws {
        for name in ["a", "a-sepia", "b"] { try folder.write(FirstBytes.jpeg, to: "set/\(name).jpg") }
        let all = ["set/a.jpg", "set/a-sepia.jpg", "set/b.jpg"]
        let plan = try plan(all, nil, overwrites: true)
        #expect(names(plan.jobs) == ["set/a-sepia-sepia.jpg", "set/b-sepia.jpg"])
        #expect(plan.failures.map(\.error) == [.outputIsInput(path: folder.path("set/a-sepia.jpg"))])
    }

    @Test func outputsThatExistAreLeftAloneWhenAsked() throws {
        for name in ["set/a.jpg", "set/b.jpg", "set/b-sepia.jpg"] {
            try folder.write(FirstBytes.jpeg, to: name)
        }
        let plan = try plan(["set"], nil, skipsExisting: true)
        #expect(names(plan.jobs) == ["set/a-sepia.jpg"] && names(plan.existing) == ["set/b-sepia.jpg"])
        #expect(plan.failures.isEmpty)
    }

    @Test func existingOutputsAreRefusedUnlessOverwritten() throws {
        try folder.write(FirstBytes.jpeg, to: "set/a.jpg")
        try folder.write(FirstBytes.text, to: "out/a.jpg")
        #expect(throws: OutputError.exists([folder.path("out/a.jpg")], count: 1)) {
            try outputs(["set"], "out")
        }
        #expect(try outputs(["set"], "out", overwrites: true) == ["out/a.jpg"])
        try FileManager.default.removeItem(atPath: folder.path("out/a.jpg"))
        try FileManager.default.createDirectory(
            atPath: folder.path("out/a.jpg"), withIntermediateDirectories: true)
        let plan = try plan(["set"], "out", overwrites: true)
        #expect(plan.jobs.isEmpty)
        #expect(plan.failures.map(\.error) == [.outputIsFolder(path: folder.path("out/a.jpg"))])
    }

    @Test func standardOutputTakesOnePhoto() throws {
        try folder.write(FirstBytes.jpeg, to: "a.jpg")
        try folder.write(FirstBytes.jpeg, to: "b.jpg")
        let planner = OutputPlanner(.standardOutput, recipe: sepia, overwrites: false)
        #expect(try planner.plan(for: collect(["a.jpg"])).jobs.map(\.output) == [.standardOutput])
        #expect(throws: OutputError.severalPhotosToStandardOutput(count: 2)) {
            try planner.plan(for: collect(["a.jpg", "b.jpg"]))
        }
    }

    @Test func anAddressIsKnownByItsKeyAndNotByItsSignature() throws {
        func photo(_ query: String) throws -> InputPhoto {
            let url = try #require(URL(string: "https://host/get.jpg?\(query)"))
            return InputPhoto(
                .address(url), folder: "", name: "get.jpg", format: .jpeg, byteCount: 0,
                identity: .address(url))
        }
        let keys = try ["key=1", "key=2"].map { try photo($0) }
        let signed = try ["X-Amz-Date=1&X-Amz-Signature=a", "X-Amz-Date=2&X-Amz-Signature=b"]
            .map { try photo($0) }
        #expect(keys[0].locationID != keys[1].locationID)
        #expect(signed[0].locationID == signed[1].locationID)
        let planner = OutputPlanner(.folder(folder.path("out")), recipe: sepia, overwrites: false)
        #expect(try planner.plan(for: keys).failures.count == 2)
        let plan = try planner.plan(for: signed)
        #expect(plan.jobs.count == 1 && plan.failures.isEmpty)
    }

    @Test(arguments: ["../a.jpg", "..", ".", "x/../../a.jpg"])
    func namesThatClimbOutAreRefused(name: String) throws {
        // Such names cannot come from a folder; lists and addresses can bring them.
        let photo = InputPhoto(
            .file(path: "/somewhere/a.jpg"), folder: "", name: name, format: .jpeg, byteCount: 1,
            identity: .file(FileIdentity(device: 0, inode: 0)))
        let planner = OutputPlanner(.folder(folder.path("out")), recipe: sepia, overwrites: false)
        let plan = try planner.plan(for: [photo])
        #expect(plan.jobs.isEmpty && plan.failures.count == 1)
    }

    @Test(arguments: 1...40)
    func collisionsAreFoundExactlyWhereNamesMeet(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let photos = (0..<12).map { index in
            let stem = ["a", "b", "c.d", "é", "{x}"].randomElement(using: &random)!
            let png = Bool.random(using: &random)
            return InputPhoto(
                .file(path: "/nowhere/\(index)"),
                folder: ["", "x", "x/y", "z"].randomElement(using: &random)!,
                name: stem + (png ? ".png" : ".jpg"), format: png ? .png : .jpeg, byteCount: 1,
                identity: .file(FileIdentity(device: 0, inode: UInt64(1_000_000 + index))))
        }.prefix(Int.random(in: 1...12, using: &random))
        let toPNG = Bool.random(using: &random)
        let keys = photos.map { "\($0.folder)|\(toPNG ? FileName($0.name).stem : $0.name)" }
        let planner = OutputPlanner(
            .folder(folder.path("out")), recipe: Recipe(FilterChain([]), format: toPNG ? .png : nil),
            overwrites: false)
        let plan = try planner.plan(for: Array(photos))
        let counts = Dictionary(keys.map { ($0, 1) }, uniquingKeysWith: +)
        #expect(plan.jobs.count == counts.values.filter { $0 == 1 }.count)
        #expect(plan.failures.count == keys.count - plan.jobs.count)
        let outputs = plan.jobs.map(\.output.path)
        #expect(Set(outputs).count == outputs.count)
        #expect(outputs.allSatisfy { $0.hasPrefix(folder.path("out/")) && !$0.contains("..") })
    }

    private func link(to target: String, at name: String, isSymbolic: Bool) throws {
        let link = URL(fileURLWithPath: folder.path(name))
        try FileManager.default.createDirectory(
            at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
        if isSymbolic {
            try FileManager.default.createSymbolicLink(
                atPath: link.path, withDestinationPath: folder.path(target))
        } else {
            try FileManager.default.linkItem(atPath: folder.path(target), toPath: link.path)
        }
    }

    /// Another recipe's outputs have other names, or none.
    @Test(
        arguments: [(["large", "thumb"], 1), (["big", "small"], nil), ([nil], nil)] as [([String?], Int?)])
    func aFailedOutputIsRetriedUnderItsOwnName(variants: [String?], expected: Int?) throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(try TestPhoto.png(width: 5, height: 4, seed: 1), to: "in/a.png")
        let journal = try Journal(outputFolder: folder.path("out"))
        var receipt = Receipt(
            .failed, output: "a-thumb.png", input: try #require(InputIdentity(file: photo)), recipe: "r")
        receipt.variant = "thumb"
        try journal.append(receipt)
        let plan = try OutputPlan(retryingIn: folder.path("out"), variants: variants)
        #expect(plan.jobs.map(\.variant) == (expected.map { [$0] } ?? []))
        #expect(plan.failures.count == (expected == nil ? 1 : 0))
    }

    @Test(arguments: [
        ".tintype", "out/.tintype/x", "out/.tintype/{stem}.{ext}", ".Tintype/a.jpg", "s3://b/.tintype/",
    ])
    func theJournalsFolderIsNoPlaceForOutputs(output: String) {
        #expect(throws: OutputError.reservedName(output)) {
            try OutputDestination(output, isFolder: { _ in false })
        }
    }

    @Test func aPhotoOrALinkLeadsNoOutputIntoTheJournal() throws {
        try folder.write(FirstBytes.jpeg, to: "set/.tintype.jpg")
        try folder.write(FirstBytes.jpeg, to: "set/journal.jpg")
        for name in ["set/.tintype.jpg", "set/journal.jpg"] {
            let plan = try plan([name], "out/{stem}/x.{ext}")
            #expect(plan.jobs.count == (name.contains(".tintype") ? 0 : 1))
        }
        try folder.write([1], to: "out/.tintype/journal.jsonl")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("out/journal"), withDestinationPath: ".tintype")
        let linked = try plan(["set/journal.jpg"], "out/{stem}/x.{ext}")
        let path = folder.path("out/journal/x.jpg")
        #expect(linked.jobs.isEmpty && linked.failures.map(\.error) == [.outputReserved(path: path)])
    }

    @Test func aPlanHasOnlyPathsThatARunTakes() throws {
        try folder.write(FirstBytes.jpeg, to: "set/a.jpg")
        for template in ["out/{stem}/../../b.{ext}", "out/{stem}/../b.{ext}"] {
            let planner = OutputPlanner(
                try OutputDestination(folder.path(template), isFolder: { _ in false }), recipe: sepia,
                overwrites: false)
            let header = ManifestHeader(
                root: folder.path, outputFolder: folder.path("out"), recipe: sepia.canonicalText)
            let manifest = try ManifestPlanner(
                to: folder.path("m.jsonl"), header, planner, temporaries: TemporaryFiles())
            manifest.add(collect(["set"]))
            #expect(manifest.photoCount == 0 && manifest.failures.count == 1)
        }
    }
}
