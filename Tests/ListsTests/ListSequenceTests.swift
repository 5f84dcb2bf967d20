import Foundation
import TestSupport
import Testing
import Tintype

/// Lists in loops, in memory and at URLs.
struct ListSequenceTests {
    private func entries(of list: PhotoList) async throws -> [String] {
        var entries: [String] = []
        for try await entry in list { entries.append(entry.location.text) }
        return entries
    }

    @Test func aLoopReadsAllEntries() async throws {
        let folder = try TemporaryFolder()
        let text = Array("a.jpg\nb.jpg\n".utf8)
        let file = URL(fileURLWithPath: try folder.write(text, to: "my list.txt"))
        #expect(
            try await entries(of: PhotoList(contentsOf: file)) == [
                folder.path("a.jpg"), folder.path("b.jpg"),
            ]
        )
        #expect(
            try await entries(of: PhotoList(data: Data(text), origin: .folder("in"))) == [
                "in/a.jpg", "in/b.jpg",
            ])
        #expect(try await entries(of: PhotoList(data: Data(), origin: .folder("in"))) == [])
    }

    @Test func anErrorOfOneEntryEndsOneLoopAndAnotherContinues() async throws {
        let list = PhotoList(
            data: Data("a.jpg\nftp://example.com/b.jpg\nc.jpg\n".utf8), origin: .folder(""))
        var read: [String] = []
        do {
            for try await entry in list { read.append(entry.location.text) }
            Issue.record("the list has a mistake")
        } catch {
            #expect(!error.endsList)
        }
        #expect(read == ["a.jpg"])
        #expect(try await entries(of: list) == ["c.jpg"])
    }

    @Test func anAddressThatIsNoFilesIsRefused() throws {
        let url = try #require(URL(string: "https://example.com/list.txt"))
        let error = #expect(throws: ListError.self) { try PhotoList(contentsOf: url) }
        #expect(error?.description.contains("list.txt") == true)
    }
}
