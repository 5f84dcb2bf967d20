import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeLists

struct OutputNameTests {
    private func name(_ name: String?, _ address: String) throws -> String {
        OutputName.make(for: ListEntry(name: name, location: .url(try #require(URL(string: address)))))
    }

    @Test(arguments: [
        ("Old House", "Old House.png"), ("St. Mary", "St. Mary.png"), ("a.JPG", "a.JPG"),
        ("../../etc/passwd", "___.._etc_passwd.png"), ("..", "__.png"), ("", "photo.png"),
        ("  ", "photo.png"), (".jpg", "_jpg.png"), (".\u{301}a.jpg", "_\u{301}a.jpg"),
        ("a/b\\c", "a_b_c.png"), ("a\u{0}b\nc\u{202E}gpj", "a_b_c_gpj.png"), ("e\u{301}", "\u{E9}.png"),
        ("👨‍👩‍👧", "👨‍👩‍👧.png"),
    ])
    func listNamesBecomePlainNames(text: String, expected: String) throws {
        let made = try name(text, "https://host/x.png")
        #expect(Array(made.utf8) == Array(expected.utf8), "\(made)")
    }

    @Test func addressesGiveNamesToo() throws {
        #expect(try name(nil, "https://host/a/rose%20red.jpg?size=5") == "rose red.jpg")
        #expect(try name(nil, "https://host/a/..%2F..%2Fx.jpg") == "___.._x.jpg")
        #expect(try name(nil, "https://host/") == "photo.jpg")
        #expect(try name(nil, "https://host") == "photo.jpg")
        #expect(try name(nil, "https://host/image") == "image.jpg")
        #expect(OutputName.make(for: ListEntry(name: nil, location: .file(path: "/x/a.png"))) == "a.png")
    }

    @Test func longNamesAreCutBetweenCharacters() throws {
        let made = try name(String(repeating: "é", count: 300) + ".jpeg", "https://host/x")
        #expect(made == String(repeating: "é", count: 125) + ".jpeg")
        let family = try name(String(repeating: "👨‍👩‍👧", count: 20), "https://host/x")
        #expect(family == String(repeating: "👨‍👩‍👧", count: 13) + ".jpg")
    }

    /// A name is cut before it is normalised, which takes long. The result is the same.
    @Test func veryLongNamesAreCutFirst() throws {
        for piece in ["a", "e\u{301}", "\u{1112}\u{1161}\u{11AB}", "👨‍👩‍👧", "a b"] {
            for ending in ["", ".jpeg", ".JPG  "] {
                let long = "  " + String(repeating: piece, count: 8000) + ending
                let short = "  " + String(repeating: piece, count: 300) + ending
                #expect(
                    try name(long, "https://host/x").exact == name(short, "https://host/x").exact, "\(piece)")
            }
        }
    }

    @Test func namesDoNotDependOnTheListsOrder() throws {
        let entries = try (0..<40).map { number in
            let url = try #require(
                URL(string: "https://host/\(number)/\(number % 7 == 0 ? "rose" : "photo\(number)").jpg"))
            return ListEntry(name: nil, location: .url(url))
        }
        func names(_ entries: [ListEntry]) -> [ListEntry: String] {
            var names = UniqueNames()
            entries.forEach { names.add($0) }
            return Dictionary(uniqueKeysWithValues: entries.map { ($0, names.name(for: $0)) })
        }
        let inOrder = names(entries)
        #expect(Set(inOrder.values).count == 40)
        #expect(inOrder[entries[1]] == "photo1.jpg")
        #expect(inOrder.values.filter { $0.hasPrefix("rose~") }.count == 6)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<5 { #expect(names(entries.shuffled(using: &random)) == inOrder) }
    }

    @Test func photosOfOneNameKeepTheirNamesWhenAListIsSignedAnew() throws {
        func names(_ date: Int) throws -> [String] {
            let entries = try ["a", "b"].map { folder in
                let signature = "X-Amz-Date=\(date)&X-Amz-Signature=\(folder)\(date)"
                let url = try #require(URL(string: "https://host/\(folder)/rose.jpg?\(signature)"))
                return ListEntry(name: nil, location: .url(url))
            }
            var names = UniqueNames()
            entries.forEach { names.add($0) }
            return entries.map { names.name(for: $0) }
        }
        #expect(try Set(names(1)).count == 2)
        #expect(try names(1) == names(2))
    }

    /// With eight digits, ten pairs would share their names.
    @Test func manyPhotosOfOneNameHaveNamesOfTheirOwn() throws {
        let digits = (0..<300_000).map { UniqueNames.digits(of: "https://host/\($0)/default.jpg") }
        #expect(Set(digits).count == digits.count)
    }

    @Test func thePhotoNamedTwiceKeepsItsName() throws {
        let url = try #require(URL(string: "https://host/rose.jpg"))
        let (first, second) = (
            ListEntry(name: nil, location: .url(url), at: .line(1)),
            ListEntry(name: nil, location: .url(url), at: .line(2))
        )
        var names = UniqueNames()
        names.add(first)
        names.add(second)
        #expect(names.name(for: first) == "rose.jpg" && names.name(for: second) == "rose.jpg")
    }
}
