extension Sequence<UInt8> {
    /// The 64-bit hash FNV-1a of these bytes (Fowler, Noll, Vo; http://www.isthe.com/chongo/tech/comp/fnv/).
    /// It is the same in every process. It detects accidental damage, not manipulation.
    package var fnv1a: UInt64 {
        reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
