import Foundation
import SystemPackage
import TestSupport
import Testing
import Tintype

@testable import TintypeFiles

struct OutputFileTests {
    let folder: TemporaryFolder
    let temporaries = TemporaryFiles()

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, to name: String, publishing: Bool, overwrites: Bool = false) throws {
        let file = try OutputFile(at: folder.path(name), temporaries: temporaries)
        #expect(
            text.withCString { Foundation.write(file.file.number, $0, strlen($0)) } == text.utf8.count)
        if publishing { try file.publish(overwrites: overwrites) }
    }

    @Test func aPublishedFileIsWholeAndAlone() throws {
        try write("whole", to: "a/b/c.jpg", publishing: true)
        #expect(folder.files() == ["a/b/c.jpg"])
        #expect(try folder.read("a/b/c.jpg") == Array("whole".utf8))
    }

    @Test func aLinkToTheTemporaryFileIsNotTheOutput() throws {
        let file = try OutputFile(at: folder.path("c.jpg"), temporaries: temporaries)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("c.jpg"), withDestinationPath: file.temporaryPath)
        let isItsOwnRival = file.hasContentOfItsName
        #expect(!isItsOwnRival)
        #expect(throws: Errno.fileExists) { try file.publish(overwrites: false) }
    }

    @Test(arguments: ["", "/deeper"])
    func aFileBehindALinkThatLeadsOutIsNotMade(_ below: String) throws {
        for name in ["out/real/deeper", "precious/deeper"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(name), withIntermediateDirectories: true)
        }
        func make(_ target: String) throws {
            let link = folder.path("out/sub")
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: folder.path(target))
            let file = try OutputFile(
                at: "\(link)\(below)/c.jpg", inside: folder.path("out"), temporaries: temporaries)
            try file.publish(overwrites: false)
        }
        #expect(throws: Errno.tooManySymbolicLinkLevels) { try make("precious") }
        #expect(folder.files() == [])
        try make("out/real")
        #expect(folder.files() == ["out/real\(below)/c.jpg"])
    }

    @Test func theFolderThatHoldsOutputsMayItselfBeALink() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("disk/sub"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("out"), withDestinationPath: folder.path("disk"))
        for root in ["out", "out/", "disk", "out/../disk", "out/sub/.."] {
            let file = try OutputFile(
                at: folder.path("out/sub/c.jpg"), inside: folder.path(root), temporaries: temporaries)
            #expect(file.path == folder.path("out/sub/c.jpg"))
        }
    }

    @Test func beforeItIsPublishedOnlyAHiddenFileIsThere() throws {
        do {
            let file = try OutputFile(at: folder.path("c.jpg"), temporaries: temporaries)
            let names = folder.files()
            #expect(names.count == 1 && names.allSatisfy { $0.hasPrefix(".tintype-") })
            _ = consume file
        }
        #expect(folder.files() == [])
    }

    @Test func aFileThatAppearsMeanwhileIsLeftAlone() throws {
        do {
            let file = try OutputFile(at: folder.path("c.jpg"), temporaries: temporaries)
            try folder.write(FirstBytes.text, to: "c.jpg")
            #expect(throws: Errno.fileExists) { try publish(file) }
        }
        #expect(folder.files() == ["c.jpg"])
        #expect(try folder.read("c.jpg") == FirstBytes.text)
    }

    @Test func overwritingReplacesTheNameAndNotTheFileBehindALink() throws {
        try folder.write(FirstBytes.text, to: "original.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("c.jpg"), withDestinationPath: folder.path("original.jpg"))
        try write("new", to: "c.jpg", publishing: true, overwrites: true)
        #expect(try folder.read("c.jpg") == Array("new".utf8))
        #expect(try folder.read("original.jpg") == FirstBytes.text)
    }

    @Test func theUmaskSetsThePermissions() throws {
        try write("x", to: "c.jpg", publishing: true)
        let mask = umask(0)
        umask(mask)
        var status = stat()
        #expect(stat(folder.path("c.jpg"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o666 & ~mask)
    }

    @Test func photosInProgressCanBeRemoved() throws {
        let file = try OutputFile(at: folder.path("c.jpg"), temporaries: temporaries)
        temporaries.removeAll()
        #expect(folder.files() == [])
        // It cannot get a name any more either.
        #expect(throws: Errno.noSuchFileOrDirectory) { try publish(file) }
        #expect(folder.files() == [])
    }

    @Test func aFileWhereAFolderShouldBeIsAnError() throws {
        try folder.write(FirstBytes.text, to: "out")
        #expect(throws: Errno.notDirectory) { try write("x", to: "out/c.jpg", publishing: true) }
    }

    private func publish(_ file: borrowing OutputFile) throws(Errno) {
        try file.publish(overwrites: false)
    }
}
