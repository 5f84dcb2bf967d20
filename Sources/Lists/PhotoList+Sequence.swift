/// A list is a sequence of its entries: `for try await entry in list`. As `next()`, it reads a file or a pipe on the calling
/// thread.
///
/// An error ends the loop. If it concerns one entry only (`ListError.endsList`), another loop continues after it.
extension PhotoList: AsyncSequence {
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let list: PhotoList

        public func next() async throws(ListError) -> ListEntry? { try list.next() }

        public func next(isolation actor: isolated (any Actor)?) async throws(ListError) -> ListEntry? {
            try list.next()
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(list: self) }
}
