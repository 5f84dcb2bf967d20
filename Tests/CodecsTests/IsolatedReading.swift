import Foundation
import Testing
import TintypeImaging

@testable import TintypeCodecs

/// The pixels of a file that comes through a pipe, which holds all of it.
func pixelsFromPipe(_ file: [UInt8], limits: DecodeLimits = DecodeLimits()) throws -> Pixels {
    let pipe = try Pipe(holding: file)
    return try withExtendedLifetime(pipe) {
        let reader = try PhotoReader(
            fileDescriptor: pipe.fileHandleForReading.fileDescriptor, limits: limits)
        return try Pixels(reader.makeSource(layout: reader.layout))
    }
}

extension Pipe {
    convenience init(holding file: [UInt8]) throws {
        self.init()
        try fileHandleForWriting.write(contentsOf: file)
        try fileHandleForWriting.close()
    }
}

/// Compares the memory that a library's process took with its estimate.
///
/// What was taken is less in a process that has free memory to copy, and the kernel counts pages of several threads roughly,
/// so only half of the pixels are sure.
func expect(
    taken: Int, below estimate: Int, forPixels byteCount: Int, _ location: SourceLocation = #_sourceLocation
) {
    #expect(
        byteCount / 2 <= taken && taken < estimate, "\(taken) bytes, where \(estimate) were estimated",
        sourceLocation: location)
}

/// Decodes a photo in a library's process, and compares the memory that this took with the decoder's estimate.
///
/// - Returns: the estimate.
@discardableResult func expectMemoryIsEstimated<Head: IsolatedHead>(
    of reader: PhotoReader, in _: Head.Type, _ location: SourceLocation = #_sourceLocation
) throws -> Int {
    let layout = reader.layout, estimate = reader.decoder.memoryByteCount(decodingTo: layout)
    _ = try Pixels(reader.makeSource(layout: layout))
    let decoder = try #require(reader.decoder as? IsolatedDecoder<Head>, sourceLocation: location)
    expect(
        taken: decoder.takenByteCount, below: estimate,
        forPixels: reader.geometry.pixelCount * layout.bytesPerPixel, location)
    return estimate
}
