/// Sees a photo's bytes as they are read or written, each once and in order: a hash needs no second reading.
public protocol ByteObserver: AnyObject {
    func observe(_ bytes: UnsafeRawBufferPointer)
}
