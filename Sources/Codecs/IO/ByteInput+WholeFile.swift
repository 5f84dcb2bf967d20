extension ByteInput {
    /// All bytes. A stream is read to its end.
    ///
    /// - Parameter kind: for errors: "a TIFF".
    func wholeFile(of kind: String, limits: DecodeLimits) throws(CodecError) -> [UInt8] {
        var input = lookAhead()
        if let count = input.byteCount {
            try limits.check(memory: count, because: kind)
            return Array(try input.bytes(at: 0, count: count))
        }
        var file: [UInt8] = []
        while true {
            let more = try input.bytes(at: file.count, count: 1 << 20)
            file += more
            if more.count < 1 << 20 { return file }
            // The stream keeps what it has given, too.
            try limits.check(memory: 2 * file.count, because: kind)
            guard file.count <= limits.maxMetadataByteCount else {
                throw .needsTooMuchMemory(
                    reason: "\(kind) from a stream", byteCount: 2 * file.count,
                    limit: 2 * limits.maxMetadataByteCount)
            }
        }
    }
}
