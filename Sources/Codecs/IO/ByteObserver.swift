/// Gets a photo's bytes as they are read or written, each once and in order, for example to hash them.
public protocol ByteObserver: AnyObject {
    func observe(_ bytes: UnsafeRawBufferPointer)
}
