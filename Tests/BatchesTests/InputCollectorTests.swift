import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeBatches
@testable import TintypeOperations
@testable import TintypePhotos

struct InputCollectorTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func collect(
        _ names: [String], outputFolder: String? = nil, globs: PathGlobs = PathGlobs()
    ) -> InputCollector {
        var collector = InputCollector(outputFolder: outputFolder.map(folder.path(_:)), globs: globs)
        collector.collect(names.map { .path(folder.path($0)) })
        return collector
    }

    private func names(_ collector: InputCollector) -> [String] {
        collector.photos.map { String($0.path.dropFirst(folder.path.count + 1)) }
    }

    @Test func aFolderGivesItsTreeSortedByName() throws {
        for name in ["set/b.jpg", "set/a/2.png", "set/a/10.jpg", "set/Z.JPG", "set/c.jpeg"] {
            try folder.write(name.hasSuffix("png") ? FirstBytes.png : FirstBytes.jpeg, to: name)
        }
        let found = collect(["set"])
        // By bytes: upper case before lower case, "10" before "2".
        #expect(names(found) == ["set/Z.JPG", "set/a/10.jpg", "set/a/2.png", "set/b.jpg", "set/c.jpeg"])
        #expect(found.photos.map(\.folder) == ["", "a", "a", "", ""])
        #expect(found.photos.map(\.format) == [.jpeg, .jpeg, .png, .jpeg, .jpeg])
        #expect(found.failures.isEmpty)
    }

    /// `café-sepia.jpg` is the output of a photo `café` of the same bytes only.
    @Test func anOutputBesideAPhotoHasItsNameByteForByte() throws {
        try folder.write(FirstBytes.jpeg, to: "set/caf\u{E9}.jpg")
        try folder.write(FirstBytes.jpeg, to: "set/cafe\u{301}-sepia.jpg")
        #expect(collect(["set"]).photos.count == 2)
    }

    @Test func ofAFolderOnlyWhatLooksLikeAPhotoIsTaken() throws {
        try folder.write(FirstBytes.text, to: "set/notes.txt")
        try folder.write(FirstBytes.jpeg, to: "set/without-extension")
        try folder.write(FirstBytes.png, to: "set/really-a-png.jpg")
        try folder.write(FirstBytes.jpeg, to: "set/.hidden.jpg")
        try folder.write(FirstBytes.jpeg, to: "set/.cache/thumbnail.jpg")
        let found = collect(["set"])
        #expect(names(found) == ["set/really-a-png.jpg", "set/without-extension"])
        #expect(found.photos.map(\.format) == [.png, .jpeg])
        #expect(found.failures.isEmpty)
    }

    @Test func aFolderNamesPhotosThatAreNone() throws {
        try folder.write(FirstBytes.text, to: "set/broken.jpg")
        try folder.write([], to: "set/empty.png")
        let found = collect(["set"])
        #expect(found.photos.isEmpty)
        #expect(found.failures.map(\.path) == [folder.path("set/broken.jpg"), folder.path("set/empty.png")])
    }

    @Test func namedFilesAreAlwaysTried() throws {
        try folder.write(FirstBytes.jpeg, to: ".hidden")
        try folder.write(FirstBytes.text, to: "notes.txt")
        let found = collect([".hidden", "notes.txt", "missing.jpg"])
        #expect(names(found) == [".hidden"])
        #expect(found.failures.map(\.path) == [folder.path("notes.txt"), folder.path("missing.jpg")])
        #expect(found.failures.last?.error == .cannotRead(.noSuchFileOrDirectory))
    }

    @Test func theOutputFolderIsNotSearchedAgain() throws {
        try folder.write(FirstBytes.jpeg, to: "set/a.jpg")
        try folder.write(FirstBytes.jpeg, to: "set/out/a.jpg")
        try folder.write(FirstBytes.jpeg, to: "set/other/a.jpg")
        #expect(names(collect(["set"], outputFolder: "set/out")) == ["set/a.jpg", "set/other/a.jpg"])
        // Named by hand it is an input like any other.
        #expect(names(collect(["set/out"], outputFolder: "set/out")) == ["set/out/a.jpg"])
    }

    @Test func linksToFilesAreFollowedAndLinksToFoldersAreNot() throws {
        try folder.write(FirstBytes.jpeg, to: "elsewhere/real.jpg")
        try folder.write(FirstBytes.jpeg, to: "set/a.jpg")
        let files = FileManager.default
        try files.createSymbolicLink(
            atPath: folder.path("set/link.jpg"), withDestinationPath: folder.path("elsewhere/real.jpg"))
        try files.createSymbolicLink(
            atPath: folder.path("set/circle"), withDestinationPath: folder.path("set"))
        try files.createSymbolicLink(
            atPath: folder.path("set/lost.jpg"), withDestinationPath: "/nowhere/at-all")
        let found = collect(["set"])
        #expect(names(found) == ["set/a.jpg", "set/link.jpg"])
        #expect(found.failures.map(\.path) == [folder.path("set/lost.jpg")])
        #expect(names(collect(["set/circle"])) == ["set/circle/a.jpg", "set/circle/link.jpg"])
    }

    @Test func pipesAreNotOpenedForGood() throws {
        try FileManager.default.createDirectory(atPath: folder.path("set"), withIntermediateDirectories: true)
        #expect(mkfifo(folder.path("set/pipe.jpg"), 0o600) == 0)
        #expect(collect(["set"]).photos.isEmpty)
        // Would hang here if opening waited for a writer.
        #expect(collect(["set/pipe.jpg"]).failures.map(\.error) == [.notARegularFile])
    }

    @Test func namesThatAreNotUTF8AreNamedAsFailures() throws {
        try FileManager.default.createDirectory(atPath: folder.path("set"), withIntermediateDirectories: true)
        let name = Array(folder.path("set/").utf8) + [0xE9, 0x2E, 0x6A, 0x70, 0x67, 0]  // "é.jpg" in Latin-1
        let descriptor = name.map(CChar.init(bitPattern:)).withUnsafeBufferPointer {
            open($0.baseAddress!, O_CREAT | O_WRONLY, 0o600)
        }
        #expect(descriptor >= 0)
        close(descriptor)
        #expect(collect(["set"]).failures.map(\.error) == [.nameIsNotUTF8])
    }

    @Test func outputsBesideTheirPhotosAreNoInputsUnlessNamed() throws {
        let own = ["a-sepia.jpg", "a-noir+tilt-shift.jpg", "b.c-half+quality-80.png", "a-sepia-noir.jpg"]
        // These have no photo beside them, or no chain of Tintype in their names.
        let others = ["lone-sepia.jpg", "a-holiday.jpg", "a-quality-800.jpg", "a-.jpg", "a-sepia+.jpg"]
        for name in own + others + ["a.jpg", "b.c.jpg"] {
            try folder.write(FirstBytes.jpeg, to: "set/\(name)")
        }
        let found = collect(["set"])
        #expect(Set(names(found)) == Set((others + ["a.jpg", "b.c.jpg"]).map { "set/\($0)" }))
        #expect(found.passedOver.ownOutputCount == own.count)
        #expect(names(collect(["set/a-sepia.jpg"])) == ["set/a-sepia.jpg"])
    }

    private func append(_ output: String, to journal: Journal, _ state: Receipt.State = .done) throws {
        var receipt = Receipt(
            state, output: output, input: InputIdentity(location: "/in"), recipe: "r",
            file: FileFingerprint(byteCount: 1, modified: 1, digest: ContentDigest(.blake3, "00")))
        receipt.device = "cpu"
        try journal.append(receipt)
    }

    @Test func outputsInAJournalAreNoInputs() throws {
        let journal = try Journal(outputFolder: folder.path("set/sepia"))
        try append("x/a.jpg", to: journal)
        try append("b.jpg", to: journal, .publishing)
        try journal.append(
            Receipt(.failed, output: "c.jpg", input: InputIdentity(location: "/in"), recipe: "r"))
        let files = [
            "set/a.jpg", "set/sepia/b.jpg", "set/sepia/c.jpg", "set/sepia/mine.jpg", "set/sepia/x/a.jpg",
        ]
        for name in files { try folder.write(FirstBytes.jpeg, to: name) }
        let found = collect(["set"])
        #expect(names(found) == ["set/a.jpg", "set/sepia/c.jpg", "set/sepia/mine.jpg"])
        #expect(found.passedOver.ownOutputCount == 2 && found.failures.isEmpty)
        #expect(names(collect(["set/sepia"])).count == 4, "a folder that is named is an input like any other")
    }

    @Test func filesThatCannotBeReadAreCounted() throws {
        for name in ["a.PSD", "b.psd", "c.crw", "d.3FR", "e.gif", "f.bmp", "g.txt", "h"] {
            try folder.write(FirstBytes.text, to: "set/\(name)")
        }
        for name in ["@eaDir/a.jpg", ".thumbnails/a.heic", "x/i.mos"] {
            try folder.write(FirstBytes.text, to: "set/\(name)")
        }
        // RAW photos of kinds that are not read begin like TIFFs.
        for name in ["d.3FR", "x/i.mos"] { try folder.write(Array("II*\0".utf8), to: "set/\(name)") }
        let found = collect(["set"])
        #expect(found.photos.isEmpty && found.failures.isEmpty)
        #expect(found.passedOver.files == ["PSD": 2, "RAW": 3, "GIF": 1, "BMP": 1, "other": 2])
        #expect(found.passedOver.summary == "Skipped 9 files: 1 BMP, 1 GIF, 2 PSD, 3 RAW, 2 other.")
    }

    /// What a camera has made of a RAW photo lies beside it.
    @Test func rawPhotosBesideAPhotoOfTheirNameAreSkipped() throws {
        let raw = try TestPhoto.fixture("raw-nikon.nef")
        for name in ["1.NEF", "2.NEF", "2.dng", "3.nef", "x/4.CR2"] {
            try folder.write(raw, to: "set/\(name)")
        }
        for name in ["1.JPG", "2.heic", "x/1.jpg", "2.txt", "4.jpg"] {
            try folder.write(FirstBytes.jpeg, to: "set/\(name)")
        }
        let found = collect(["set"])
        #expect(
            names(found) == [
                "set/1.JPG", "set/2.heic", "set/2.txt", "set/3.nef", "set/4.jpg", "set/x/1.jpg",
                "set/x/4.CR2",
            ])
        #expect(found.photos.count { $0.format == .raw } == 2)
        #expect(found.passedOver.summary == "Skipped 3 files: 3 RAW beside a photo.")
        // A photo that is left out takes nothing's place.
        let rest = collect(["set"], globs: PathGlobs(includes: ["*.NEF"], excludes: []))
        #expect(names(rest) == ["set/1.NEF", "set/2.NEF"])
        // One that is named is wanted.
        #expect(names(collect(["set/1.NEF"])) == ["set/1.NEF"])
    }

    @Test func rawPhotosOfUnreadKindsAreCounted() throws {
        let raw = try TestPhoto.fixture("raw-nikon.nef")
        try folder.write(raw, to: "set/1.3fr")
        try folder.write(Array("II*\0".utf8), to: "set/2.dng")
        try folder.write(raw, to: "set/photo")
        let found = collect(["set"])
        #expect(
            names(found) == ["set/photo"] && found.passedOver.files == ["RAW": 2] && found.failures.isEmpty)
        #expect(collect(["set/1.3fr"]).photos.map(\.format) == [.raw])
    }

    /// What Tintype has made of a RAW photo, where outputs lie beside their photos, is no reason to skip that.
    @Test func anOutputBesideARAWPhotoIsNoPhotoOfTheCamera() throws {
        try folder.write(try TestPhoto.fixture("raw-nikon.nef"), to: "set/x/1.nef")
        try append("1.jpg", to: Journal(outputFolder: folder.path("set/x")))
        try folder.write(FirstBytes.jpeg, to: "set/x/1.jpg")
        let found = collect(["set"])
        #expect(names(found) == ["set/x/1.nef"] && found.passedOver.ownOutputCount == 1)
        // Nor is one without a journal.
        try folder.write(FirstBytes.jpeg, to: "plain/a.png")
        try folder.write(FirstBytes.jpeg, to: "plain/a-sepia.jpg")
        try folder.write(TestPhoto.fixture("raw-adobe.dng"), to: "plain/a-sepia.dng")
        #expect(names(collect(["plain"])) == ["plain/a-sepia.dng", "plain/a.png"])
    }

    @Test func filesOfNoKnownKindAreCalledNoPhotos() throws {
        try folder.write(FirstBytes.text, to: "set/copyright")
        #expect(collect(["set"]).passedOver.summary == "Skipped 1 file that is no photo.")
        try folder.write(FirstBytes.text, to: "set/notes.txt")
        #expect(collect(["set"]).passedOver.summary == "Skipped 2 files that are no photos.")
    }

    @Test(arguments: [
        (["*.jpg"], [], ["a.jpg", "x/c.jpg", "x/drafts/d.jpg"]),
        (["x/*.png"], [], ["x/e.png"]), (["x"], ["drafts"], ["x/c.jpg", "x/e.png"]),
        (["x/drafts"], [], ["x/drafts/d.jpg"]), ([], ["x/*"], ["a.jpg", "b.png"]),
        ([], ["[ab].*", "drafts"], ["x/c.jpg", "x/e.png"]), (["*.jpg"], ["?.jpg"], []),
    ])
    func globsChooseBelowTheNamedFolder(includes: [String], excludes: [String], expected: [String]) throws {
        for name in ["a.jpg", "b.png", "x/c.jpg", "x/drafts/d.jpg", "x/e.png"] {
            try folder.write(name.hasSuffix("png") ? FirstBytes.png : FirstBytes.jpeg, to: "set/\(name)")
        }
        let found = collect(["set"], globs: PathGlobs(includes: includes, excludes: excludes))
        #expect(names(found) == expected.map { "set/\($0)" })
    }

    @Test func namesThatAreNotUTF8AreSpelledOut() {
        #expect([0x63, 0x61, 0x66, 0xE9, 0x0A].map { UInt8($0) }.spelledOut == "caf\\xE9\\x0A")
        #expect("a\nb\u{1B}[2J\u{202E}\u{9B}.jpg".printableName == "a\\nb\\u{1b}[2J\\u{202e}\\u{9b}.jpg")
        #expect("a\nb\u{1B}".printable == "a\nb\\u{1b}" && "Übung – 1.jpg".printableName == "Übung – 1.jpg")
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(name), withDestinationPath: folder.path(target))
    }

    private func following(_ names: [String], outputFolder: String? = nil) -> InputCollector {
        var collector = InputCollector(
            outputFolder: outputFolder.map(folder.path(_:)), followsLinks: true)
        collector.collect(names.map { .path(folder.path($0)) })
        return collector
    }

    @Test func linkedFoldersAreCountedOrFollowed() throws {
        for name in ["set/a.jpg", "real/sub/b.jpg"] { try folder.write(FirstBytes.jpeg, to: name) }
        try link("set/album", to: "real")
        let plain = collect(["set"])
        #expect(names(plain) == ["set/a.jpg"] && plain.passedOver.linkedFolderCount == 1)
        #expect(plain.passedOver.summary == "Skipped 1 link to a folder; follow links to search it.")
        let followed = following(["set"])
        #expect(names(followed) == ["set/a.jpg", "set/album/sub/b.jpg"])
        #expect(followed.photos.map(\.folder) == ["", "album/sub"] && followed.passedOver.summary == nil)
    }

    @Test func linksThatLeadBackEnd() throws {
        try folder.write(FirstBytes.jpeg, to: "set/x/a.jpg")
        try folder.write(FirstBytes.jpeg, to: "other/b.jpg")
        try link("set/x/up", to: "set")
        try link("set/out", to: "other")
        try link("other/back", to: "set")
        let found = following(["set"])
        #expect(names(found) == ["set/out/b.jpg", "set/x/a.jpg"])
        #expect(found.passedOver.circleCount == 2)
    }

    @Test func aLinkIntoTheOutputFolderGivesNoPhotos() throws {
        for name in ["set/a.jpg", "out/web/a.jpg"] { try folder.write(FirstBytes.jpeg, to: name) }
        try link("set/all", to: "out")
        try link("set/web", to: "out/web")
        let found = following(["set"], outputFolder: "out")
        #expect(names(found) == ["set/a.jpg"] && found.passedOver.ownOutputCount == 2)
    }

    @Test func filesThatOtherProgramsHaveNotFinishedAreSkippedUnlessNamed() throws {
        let unfinished = [
            "b.jpg.part", "c.jpg.crdownload", "d.jpg.filepart", "e.jpg~", "f.partial", "g.tmp",
            ".h.jpg.AbC123",
        ]
        for name in ["a.jpg", "apart.jpg"] + unfinished {
            try folder.write(FirstBytes.jpeg, to: "set/\(name)")
        }
        let found = collect(["set"])
        #expect(names(found) == ["set/a.jpg", "set/apart.jpg"] && found.failures.isEmpty)
        #expect(found.passedOver.summary == "Skipped 6 files: 6 unfinished.")
        #expect(names(collect(["set/b.jpg.part"])) == ["set/b.jpg.part"])
    }
}
