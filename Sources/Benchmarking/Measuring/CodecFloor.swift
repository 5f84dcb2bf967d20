import CBenchmark

/// The time that libjpeg alone needs to decode and encode a photo: the lower bound of any filter tool.
package enum CodecFloor: String, Codable, CaseIterable, Sendable {
    /// Decodes to RGB rows and encodes from them, as most programs do.
    case rgb
    /// Passes the JPEG's own planes, without upsampling or colour conversion.
    case planes

    /// Decodes and encodes a photo once, from memory to memory.
    ///
    /// - Throws: `BenchmarkError.floorFailed`.
    func run(_ photo: BenchmarkPhoto, into file: MemoryFile) throws(BenchmarkError) {
        file.rewind()
        let isPassed = photo.jpeg.withUnsafeBufferPointer { jpeg in
            cbenchmark_pass_jpeg(jpeg.baseAddress, jpeg.count, file.descriptor, self == .planes)
        }
        guard isPassed else { throw .floorFailed(photo: photo.name) }
    }

    /// The capacity of a file that `run` writes to. A photo keeps its quality, and so about its size.
    static func capacity(for photo: BenchmarkPhoto) -> Int { photo.jpeg.count * 3 / 2 + 65_536 }
}
