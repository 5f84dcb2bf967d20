import TintypeImaging

@testable import TintypeCodecs
@testable import TintypeMetadata

/// All rows go from the reader to the copying writer.
///
/// - Parameter format: the copy's; nil for the photo's own.
func copy(
    _ reader: PhotoReader, as format: PhotoFormat? = nil, metadata: PhotoMetadata? = nil, to descriptor: Int32
) throws {
    let writer = try PhotoWriter(
        fileDescriptor: descriptor, copying: reader, as: format ?? reader.format, readReducedBy: 1,
        metadata: metadata, observer: nil)
    let source = try reader.makeSource(layout: reader.layout)
    let strip = try Strip(layout: reader.layout, width: reader.geometry.width, rowCapacity: 64)
    repeat {
        try source.read(into: strip)
        try writer.write(strip)
    } while strip.rowCount > 0
    try writer.finish()
}

func copied(_ reader: PhotoReader) throws -> [UInt8] { try written { try copy(reader, to: $0) } }

func copied(
    _ bytes: [UInt8], as format: PhotoFormat? = nil, metadata: PhotoMetadata? = nil,
    limits: DecodeLimits = DecodeLimits()
) throws -> [UInt8] {
    let reader = try PhotoReader(bytes: bytes, limits: limits)
    return try written { try copy(reader, as: format, metadata: metadata, to: $0) }
}

/// As libjpeg turns them into RGB, or into grey.
func libjpegSamples(_ jpeg: [UInt8]) throws -> Pixels {
    let reader = try PhotoReader(bytes: jpeg, limits: DecodeLimits())
    return try Pixels(reader.makeSource(layout: .interleaved(reader.layout.hasColour ? .rgb : .grey, .eight)))
}
