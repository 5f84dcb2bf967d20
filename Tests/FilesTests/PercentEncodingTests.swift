import Foundation
import TestSupport
import Testing

@testable import TintypeFiles

/// Compared with Foundation's own `removingPercentEncoding`.
struct PercentEncodingTests {
    @Test(arguments: [
        "", "plain.jpg", "a%20b", "%41%6a%6A", "%", "%4", "%4g", "a%zz", "%2", "100%", "%25", "%2541", "%00",
        "%C3%A4", "ä%C3%A4",
        "%C3", "%C3ä", "%E2%82%AC.jpg", "%ff", "%41%", "é\u{301}%41\u{301}", "%+1", "% 41", "%۱۲",
    ])
    func escapesAreRemoved(text: String) {
        #expect(text.removingPercentEscapes?.exact == text.removingPercentEncoding?.exact, "\(text)")
    }

    @Test func damagedEscapesAreFound() {
        var random = SeededGenerator(seed: 1)
        let parts = ["%", "%4", "%41", "%C3", "%A4", "%e2%82%ac", "a", "ä", "\u{301}", "f", "0", "/"]
        for _ in 0..<2000 {
            let text = (0..<6).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            #expect(text.removingPercentEscapes?.exact == text.removingPercentEncoding?.exact, "\(text)")
        }
    }
}
