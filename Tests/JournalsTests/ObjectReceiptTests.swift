import Testing
import TintypeFiles

@testable import TintypeJournals

struct ObjectReceiptTests {
    /// S3 allows 2 KB of names and values.
    @Test(arguments: [10, 60, 100, 1000])
    func longTextsFitIntoAnObjectsMetadata(count: Int) {
        let text = String(repeating: "\u{5199}", count: count)
        let hash = String(repeating: "a", count: 64)
        let input = InputIdentity(
            location: text, byteCount: .max, modified: .max, validator: text,
            digest: ContentDigest(.sha256, hash))
        let receipt = ObjectReceipt(recipe: text, input: input, byteCount: .max, sha256: hash)
        #expect(receipt.metadata.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } <= 2048)
        #expect(receipt.hasRecipe(text) && receipt.input(like: input) == input)
    }
}
