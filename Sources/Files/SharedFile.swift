/// An open file with several owners, closed when the last of them lets go of it.
package final class SharedFile: Sendable {
    package let file: OpenFile

    package init(_ file: consuming OpenFile) { self.file = file }
}
