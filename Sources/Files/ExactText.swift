/// Text that is equal only to the same bytes.
///
/// Names, paths, keys of objects and addresses are compared as this. Swift's own `==` also takes `é` as one character and
/// as two for the same, and these are two files.
package struct ExactText: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: some StringProtocol) { self.text = String(text) }

    package static func == (first: Self, second: Self) -> Bool {
        first.text.utf8.elementsEqual(second.text.utf8)
    }

    /// The order of bytes.
    package static func < (first: Self, second: Self) -> Bool {
        first.text.utf8.lexicographicallyPrecedes(second.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // A terminator, so that no two sequences of texts are hashed alike.
        hasher.combine(UInt8(0xFF))
    }
}

extension StringProtocol {
    package var exact: ExactText { ExactText(self) }
}
