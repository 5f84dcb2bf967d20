import Testing

@testable import TintypeFiles

struct ExactTextTests {
    /// Composed and decomposed, and characters that Unicode has twice.
    @Test(arguments: [("caf\u{E9}", "cafe\u{301}"), ("\u{212B}", "\u{C5}"), ("\u{2126}", "\u{3A9}")])
    func textsThatOnlyLookAlikeAreTwo(first: String, second: String) {
        #expect(first == second)
        #expect(first.exact != second.exact)
        #expect(Set([first.exact, second.exact, first.exact]).count == 2)
        #expect((first.exact < second.exact) != (second.exact < first.exact))
    }

    @Test func partsOfTextAreComparedAlike() {
        #expect("a/b".dropFirst(2).exact == "b".exact)
    }

    @Test(arguments: [("x/\u{301}.jpg", "x/\u{301}-damaged.jpg"), ("x/a.\u{301}", "x/a-damaged.\u{301}")])
    func anAccentAtTheBeginningOfANameIsNoPartOfItsFolder(path: String, expected: String) {
        #expect(FileName.damaged(path).exact == expected.exact)
    }

    @Test func trailingSlashesAreTrimmedBeforeAnAccentToo() {
        #expect("a//".trimmingTrailingSlashes == "a" && "/".trimmingTrailingSlashes == "/")
        #expect("a/".appendingPathComponent("\u{301}b").exact == "a/\u{301}b".exact)
    }
}
