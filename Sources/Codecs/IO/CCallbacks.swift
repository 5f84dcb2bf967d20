// Reading and writing as libjpeg's and libpng's shims call them: with a context that points to the object.

extension ByteInput {
    typealias ReadCallback =
        @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int) -> Int

    var callbackContext: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let readCallback: ReadCallback = { context, buffer, capacity in
        guard let context, let buffer else { return -1 }
        let input = Unmanaged<ByteInput>.fromOpaque(context).takeUnretainedValue()
        return input.read(into: buffer, capacity: capacity)
    }
}

extension ByteRereader {
    var callbackContext: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let readCallback: ByteInput.ReadCallback = { context, buffer, capacity in
        guard let context, let buffer else { return -1 }
        let input = Unmanaged<ByteRereader>.fromOpaque(context).takeUnretainedValue()
        return input.read(into: buffer, capacity: capacity)
    }
}

extension ByteOutput {
    typealias WriteCallback = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int) -> Bool

    var callbackContext: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let writeCallback: WriteCallback = { context, bytes, count in
        guard let context else { return false }
        let output = Unmanaged<ByteOutput>.fromOpaque(context).takeUnretainedValue()
        return output.write(UnsafeRawBufferPointer(start: bytes, count: count))
    }
}
