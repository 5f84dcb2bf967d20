import Foundation
import TestSupport
import Testing
import TintypeBatches

@testable import TintypeFiles

/// Changes in watched folders, and the photos among them.
struct FolderWatchTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(FirstBytes.jpeg, to: "in/old.jpg")
        try folder.write(FirstBytes.jpeg, to: "in/sub/old.jpg")
    }

    /// The changes, relative to the folder, once those that are wanted are among them.
    private func changes(in watch: FolderWatch, until wanted: String...) -> Set<String> {
        var paths: Set<String> = []
        _ = eventually {
            paths.formUnion(watch.take().paths.map { String($0.dropFirst(folder.path.count + 1)) })
            return paths.isSuperset(of: wanted)
        }
        return paths
    }

    @Test func filesWhoseNamesOnlyLookAlikeAreTwoChanges() throws {
        let watch = try FolderWatch([folder.path("in")], outputFolder: nil)
        let names = ["in/caf\u{E9}.jpg", "in/cafe\u{301}.jpg"]
        for name in names { try folder.write(FirstBytes.jpeg, to: name) }
        var paths: Set<ExactText> = []
        _ = eventually {
            // At once, so that both are in one round.
            usleep(50_000)
            let changes = watch.take()
            paths.formUnion(changes.paths.map(\.exact))
            var collector = InputCollector(outputFolder: nil)
            collector.collect(changes.paths, below: folder.path("in"))
            #expect(collector.photos.count == changes.paths.count)
            return paths.count >= 2
        }
        #expect(paths == Set(names.map { folder.path($0).exact }))
    }

    @Test func whatIsWrittenMovedOrMadeIsAChange() throws {
        let watch = try FolderWatch([folder.path("in")], outputFolder: folder.path("in/out"))
        try folder.write(FirstBytes.jpeg, to: "outside.jpg")
        try folder.write(FirstBytes.jpeg, to: "in/.tintype-1-a.tmp")
        try folder.write(FirstBytes.jpeg, to: "in/.hidden/a.jpg")
        try folder.write(FirstBytes.jpeg, to: "in/sub/written.jpg")
        try FileManager.default.moveItem(
            atPath: folder.path("outside.jpg"), toPath: folder.path("in/moved.jpg"))
        // Its name appears without anything being closed, as an output's does.
        #expect(link(folder.path("in/old.jpg"), folder.path("in/linked.jpg")) == 0)
        #expect(
            changes(in: watch, until: "in/moved.jpg", "in/sub/written.jpg")
                == ["in/moved.jpg", "in/sub/written.jpg"])
        try FileManager.default.createDirectory(
            atPath: folder.path("in/new/deep"), withIntermediateDirectories: true)
        #expect(changes(in: watch, until: "in/new").contains("in/new"))
        try FileManager.default.moveItem(atPath: folder.path("in/new"), toPath: folder.path("in/other"))
        #expect(changes(in: watch, until: "in/other").contains("in/other"))
        try folder.write(FirstBytes.jpeg, to: "in/other/deep/a.jpg")
        #expect(changes(in: watch, until: "in/other/deep/a.jpg").contains("in/other/deep/a.jpg"))
    }

    @Test func aFolderThatCannotBeWatchedIsNamed() throws {
        let path = folder.path(String(repeating: "long/", count: 1000))
        let error = #expect(throws: WatchError.self) {
            try FolderWatch([path, folder.path("in")], outputFolder: nil)
        }
        #expect(error?.folder == path)
    }

    @Test func theOutputFolderIsNotWatchedEvenIfItIsMadeLater() throws {
        let watch = try FolderWatch([folder.path("in")], outputFolder: folder.path("in/out"))
        try FileManager.default.createDirectory(
            atPath: folder.path("in/out"), withIntermediateDirectories: true)
        _ = changes(in: watch, until: "in/out")
        try folder.write(FirstBytes.jpeg, to: "in/out/a.jpg")
        try folder.write(FirstBytes.jpeg, to: "in/b.jpg")
        #expect(changes(in: watch, until: "in/b.jpg") == ["in/b.jpg"])
    }

    @Test func tooManyChangesBecomeANewSearch() throws {
        let watch = try FolderWatch([folder.path("in")], outputFolder: nil, changeLimit: 10)
        // The changes of a round may come in several parts that are small enough, so each gets twice the time for them.
        var pause: UInt32 = 1000
        let isIncomplete = try eventually {
            for index in 0..<30 { try folder.write(FirstBytes.jpeg, to: "in/\(index).jpg") }
            usleep(pause)
            pause = min(2 * pause, 1_000_000)
            let changes = watch.take()
            #expect(changes.paths.count <= 10)
            return changes.isIncomplete
        }
        #expect(isIncomplete)
    }

    @Test func aFolderThatIsRemovedIsNotWatchedAnyMore() throws {
        let watch = try FolderWatch([folder.path("in")], outputFolder: nil)
        try FileManager.default.removeItem(atPath: folder.path("in"))
        watch.wait()
        #expect(eventually { watch.take().folders.isEmpty })
        let missing = try FolderWatch([folder.path("in")], outputFolder: nil)
        #expect(missing.take().isEmpty)
    }

    @Test(arguments: ["in", "in/", "in//"])
    func changedPhotosAreFoundByTheRulesOfASearch(input: String) throws {
        for name in [
            "a.jpg", "a-sepia.jpg", "sub/b.jpg", "sub/c.txt", "skip/d.jpg", "new/x/e.jpg", "out/f.jpg",
        ] {
            try folder.write(name.hasSuffix("txt") ? FirstBytes.text : FirstBytes.jpeg, to: "in/\(name)")
        }
        var collector = InputCollector(
            outputFolder: folder.path("in/out"), globs: PathGlobs(excludes: ["skip"]))
        let changed = [
            "a.jpg", "a-sepia.jpg", "sub/b.jpg", "sub/c.txt", "skip/d.jpg", "new", "out/f.jpg", "gone/g.jpg",
        ]
        let root = folder.path(input)
        collector.collect(changed.map(root.appendingPathComponent), below: root)
        #expect(
            collector.photos.map(\.path)
                == ["a.jpg", "new/x/e.jpg", "sub/b.jpg"].map(root.appendingPathComponent))
        #expect(collector.photos.map(\.folder) == ["", "new/x", "sub"] && collector.failures.isEmpty)
    }

    @Test func aFileThatIsOpenForWritingIsKnown() throws {
        let path = try folder.write(FirstBytes.jpeg, to: "a.jpg")
        let writer = try #require(FileHandle(forWritingAtPath: path))
        #expect(try OpenFile(reading: path).isBeingWritten)
        try writer.close()
        // A process that another test is starting may hold the file for a moment.
        #expect(try eventually { try !OpenFile(reading: path).isBeingWritten })
    }

    @Test func linksAreChangesToo() throws {
        try folder.write(FirstBytes.jpeg, to: "real/b.jpg")
        let plain = try FolderWatch([folder.path("in")], outputFolder: nil)
        let following = try FolderWatch([folder.path("in")], outputFolder: nil, followsLinks: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("in/album"), withDestinationPath: folder.path("real"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("in/a.jpg"), withDestinationPath: folder.path("real/b.jpg"))
        #expect(changes(in: plain, until: "in/a.jpg") == ["in/a.jpg"])
        #expect(changes(in: following, until: "in/a.jpg", "in/album") == ["in/a.jpg", "in/album"])
        try folder.write(FirstBytes.jpeg, to: "real/c.jpg")
        #expect(changes(in: following, until: "in/album/c.jpg") == ["in/album/c.jpg"])
    }
}
