/// Values in a row, in the machine's own form: both processes are the same program.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put<Value: BitwiseCopyable>(_ value: Value) {
        withUnsafeBytes(of: value) { bytes += $0 }
    }

    mutating func put<Element: BitwiseCopyable>(array: [Element]) {
        put(array.count)
        array.withUnsafeBytes { bytes += $0 }
    }

    mutating func put(text: String) { put(array: Array(text.utf8)) }

    /// A value that may be missing.
    mutating func put<Value>(optional value: Value?, _ body: (inout ByteWriter, Value) -> Void) {
        put(value != nil)
        if let value { body(&self, value) }
    }

    mutating func put<Element>(list: [Element], _ body: (inout ByteWriter, Element) -> Void) {
        put(list.count)
        for element in list { body(&self, element) }
    }
}

/// Bytes of a message that are not what its sender writes: the other process is no longer in order.
struct MalformedMessage: Error {}

/// Reads what `ByteWriter` has written.
struct ByteReader {
    private let bytes: [UInt8]
    private var next = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private mutating func skip(_ count: Int) throws(MalformedMessage) -> Int {
        guard count >= 0, count <= bytes.count - next else { throw MalformedMessage() }
        defer { next += count }
        return next
    }

    mutating func take<Value: BitwiseCopyable>(_: Value.Type = Value.self) throws(MalformedMessage) -> Value {
        let start = try skip(MemoryLayout<Value>.size)
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Value.self) }
    }

    mutating func takeBool() throws(MalformedMessage) -> Bool { try take(UInt8.self) != 0 }

    mutating func takeSeconds() throws(MalformedMessage) -> Duration {
        let seconds = try take(Double.self)
        guard 0...1e12 ~= seconds else { throw MalformedMessage() }
        return .seconds(seconds)
    }

    private mutating func takeCount(ofSize size: Int) throws(MalformedMessage) -> Int {
        let count = try take(Int.self)
        guard 0...(bytes.count - next) / max(size, 1) ~= count else { throw MalformedMessage() }
        return count
    }

    mutating func takeArray<Element: BitwiseCopyable>(
        _: Element.Type = Element.self
    ) throws(MalformedMessage) -> [Element] {
        let count = try takeCount(ofSize: MemoryLayout<Element>.stride)
        let start = try skip(count * MemoryLayout<Element>.stride)
        // The standard library would store the count in the empty array, which all threads share: a race for the sanitizer.
        guard count > 0 else { return [] }
        return [Element](unsafeUninitializedCapacity: count) { elements, initialized in
            bytes.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(elements).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[start..<next]))
            }
            initialized = count
        }
    }

    mutating func takeText() throws(MalformedMessage) -> String {
        String(decoding: try takeArray(UInt8.self), as: UTF8.self)
    }

    mutating func takeOptional<Value>(
        _ body: (inout ByteReader) throws(MalformedMessage) -> Value
    ) throws(MalformedMessage) -> Value? {
        try takeBool() ? try body(&self) : nil
    }

    mutating func takeList<Element>(
        _ body: (inout ByteReader) throws(MalformedMessage) -> Element
    ) throws(MalformedMessage) -> [Element] {
        let count = try takeCount(ofSize: 1)
        var list: [Element] = []
        for _ in 0..<count { list.append(try body(&self)) }
        return list
    }
}
