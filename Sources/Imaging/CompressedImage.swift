/// What a compressed image is, known before its data: its format, and its header in the format's own form.
///
/// The header and the data after it are a file of the format, without metadata. So whoever decodes or encodes the image needs
/// nothing else, in this process or in another.
package struct CompressedImage: Hashable, Sendable {
    package let format: PhotoFormat
    package let header: [UInt8]

    package init(_ format: PhotoFormat, header: [UInt8]) {
        self.format = format
        self.header = header
    }
}

/// Yields the data of a compressed image that a device decodes.
package protocol CompressedSource: AnyObject {
    /// The most bytes that were there when the photo was opened; nil if that is not known. A file that grows gives more.
    var mostByteCount: Int? { get }
    /// Decodes the image on the CPU, from all data that this source has given; nil where only a device can.
    var referenceDecoder: ((_ data: [UInt8]) throws -> any StripSource)? { get }

    /// Copies the next bytes: the rest of the image, and what follows it in its file.
    ///
    /// - Returns: how many; 0 at the end of the file.
    func read(into memory: UnsafeMutableRawBufferPointer) throws -> Int
}

/// Takes a compressed image from the device that encodes it.
package protocol CompressedSink: AnyObject {
    /// Encodes the image on the CPU; nil where only a device can.
    var referenceEncoder: (() throws -> any MemoryEncoder)? { get }

    /// Takes the next bytes of the image: its header, and its data. Where the header leaves something to the encoder, as an
    /// image's own codes, it is complete now.
    func write(_ bytes: UnsafeRawBufferPointer) throws
}

/// An encoder into memory.
package protocol MemoryEncoder: StripSink {
    /// Call it after the last row.
    ///
    /// - Returns: the bytes that a `CompressedSink` gets.
    func finish() throws -> [UInt8]
}

extension CompressedSource {
    package var referenceDecoder: ((_ data: [UInt8]) throws -> any StripSource)? { nil }
}

extension CompressedSink {
    package var referenceEncoder: (() throws -> any MemoryEncoder)? { nil }
}
