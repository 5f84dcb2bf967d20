/// Gets a photo's bytes as they are read or written, each once and in order, for example to hash them.
public protocol ByteObserver: AnyObject {
    /// Gets the next bytes. The buffer is valid only during the call.
    func observe(_ bytes: UnsafeRawBufferPointer)
}
