import Testing

@testable import TintypeImaging

struct FNV1aTests {
    /// Vectors of the reference implementation (http://www.isthe.com/chongo/tech/comp/fnv/, test_fnv.c).
    @Test(
        arguments: [
            ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
        ] as [(String, UInt64)])
    func hashesAreThoseOfTheReference(text: String, hash: UInt64) {
        #expect(text.utf8.fnv1a == hash)
    }
}
