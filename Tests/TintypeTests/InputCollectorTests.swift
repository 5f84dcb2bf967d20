import Foundation
import TestSupport
import Testing

@testable import Tintype

struct InputCollectorTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func collect(_ names: [String], outputFolder: String? = nil) -> InputCollector {
        var collector = InputCollector(outputFolder: outputFolder.map(folder.path(_:)))
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
        #expect(found.failures.last?.error == .cannotRead(reason: "No such file or directory"))
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
}
