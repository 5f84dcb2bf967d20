import Foundation
import TestSupport
import Testing
import Tintype
import TintypeFiles

@testable import TintypeManifests

/// A manifest is whole, as planned, or refused.
struct ManifestTests {
    let folder: TemporaryFolder
    private let header = ManifestHeader(root: "/photos", outputFolder: "/out", recipe: "v5 filters=sepia")
    private let photos = [
        ManifestPhoto(input: "a/ä \"1\".jpg", byteCount: 10, outputs: ["a/ä \"1\".jpg"]),
        ManifestPhoto(input: "https://host/b.jpg?x=1", byteCount: nil, outputs: ["b.jpg", "b-small.png"]),
        ManifestPhoto(input: "/elsewhere/c.png", byteCount: 1 << 40, outputs: ["c.png"]),
    ]

    init() throws { folder = try TemporaryFolder() }

    private func write(_ photos: [ManifestPhoto], to name: String = "m.jsonl") throws -> String {
        var writer = try ManifestWriter(at: folder.path(name), header)
        for photo in photos { try writer.write(photo) }
        try writer.finish()
        return folder.path(name)
    }

    private func read(_ manifest: Manifest) throws -> [ManifestPhoto] {
        var found: [ManifestPhoto] = []
        try manifest.forEachPhoto { photo, index throws(ManifestError) in
            #expect(index == found.count)
            found.append(photo)
        }
        return found
    }

    /// The line of a photo is that of a `JSONEncoder`.
    @Test(arguments: [
        "a.jpg", "a/ä.jpg", "\"", "\\", "\n\u{1}\u{1F}", "\u{7F}", "https://host/b.jpg?x=1&y=%2F", "\u{2028}",
        "",
    ])
    func linesAreJSON(text: String) {
        for byteCount in [nil, 0, 1 << 40] {
            for outputs in [[], [text], ["out.jpg", text]] {
                let photo = ManifestPhoto(input: text, byteCount: byteCount, outputs: outputs)
                #expect(photo.line == photo.jsonText(), "\(photo)")
                let other = ManifestPhoto(input: "in.jpg", byteCount: byteCount, outputs: outputs)
                #expect(other.line == other.jsonText(), "\(other)")
            }
        }
    }

    @Test func whatIsWrittenIsRead() throws {
        let manifest = try Manifest(write(photos))
        #expect(manifest.header == header && manifest.photoCount == 3)
        #expect(try read(manifest) == photos)
        #expect(
            photos.map { manifest.location(of: $0, root: nil) }
                == ["/photos/a/ä \"1\".jpg", "https://host/b.jpg?x=1", "/elsewhere/c.png"])
        #expect(manifest.location(of: photos[0], root: "/mnt") == "/mnt/a/ä \"1\".jpg")
    }

    @Test func equalPlansHaveEqualIdentifiersAndOthersNot() throws {
        let first = try Manifest(write(photos)).identifier
        #expect(try Manifest(write(photos, to: "same.jsonl")).identifier == first)
        #expect(try Manifest(write(photos.dropLast(), to: "other.jsonl")).identifier != first)
    }

    @Test func anUnfinishedManifestHasNoName() throws {
        do {
            var writer = try ManifestWriter(at: folder.path("m.jsonl"), header)
            try writer.write(photos[0])
        }
        #expect(folder.files().isEmpty)
    }

    @Test func aManifestIsNeverReplaced() throws {
        let path = try write(photos)
        #expect(throws: ManifestError.exists(path: path)) { try write(photos) }
    }

    @Test func everyCutIsRefused() throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: write(photos))))
        for count in 0..<bytes.count {
            let path = try folder.write(Array(bytes[..<count]), to: "cut.jsonl")
            #expect(throws: ManifestError.self, "the first \(count) bytes") { try Manifest(path) }
        }
    }

    @Test func everyChangedByteIsRefused() throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: write(photos))))
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            let path = try folder.write(changed, to: "changed.jsonl")
            #expect(throws: ManifestError.self, "byte \(index)") { try Manifest(path) }
        }
    }

    @Test func aRemovedOrRepeatedLineIsRefused() throws {
        let lines = try String(contentsOfFile: write(photos), encoding: .utf8).split(separator: "\n")
        for index in 1..<lines.count - 1 {
            for count in [0, 2] {
                let text = lines.enumerated().flatMap {
                    [Substring](repeating: $1, count: $0 == index ? count : 1)
                }
                let path = try folder.write(Array((text.joined(separator: "\n") + "\n").utf8), to: "x.jsonl")
                #expect(throws: ManifestError.changed(path: path)) { try Manifest(path) }
            }
        }
    }

    @Test func anotherVersionIsNamed() throws {
        let text = try String(contentsOfFile: write(photos), encoding: .utf8)
            .replacingOccurrences(of: "\"version\":1", with: "\"version\":2")
        let path = try folder.write(Array(text.utf8), to: "new.jsonl")
        #expect(throws: ManifestError.otherVersion(path: path, 2)) { try Manifest(path) }
    }

    @Test(arguments: [
        "../x.jpg", "../\u{301}x.jpg", "a/../../\u{301}x.jpg", "a/../../x.jpg", "/etc/x.jpg",
        ".tintype/journal.jsonl", "a//b.jpg", "", ".", "a/./b.jpg",
        "a\0.jpg",
    ])
    func outputsThatLeadOutAreRefused(output: String) throws {
        let manifest = try Manifest(
            write([photos[0], ManifestPhoto(input: "b.jpg", byteCount: 1, outputs: [output])]))
        #expect(throws: ManifestError.self) { try read(manifest) }
    }

    @Test(arguments: [FirstBytes.jpeg, Array("a.jpg\nb.jpg\n".utf8), Array("{}\n{}\n".utf8), []])
    func anotherFileIsNoManifest(bytes: [UInt8]) throws {
        let path = try folder.write(bytes, to: "other")
        #expect(throws: ManifestError.notAManifest(path: path)) { try Manifest(path) }
    }
}
