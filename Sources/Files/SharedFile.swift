/// An open file with several owners, closed when the last one releases it.
package final class SharedFile: Sendable {
    package let file: OpenFile

    package init(_ file: consuming OpenFile) { self.file = file }
}
