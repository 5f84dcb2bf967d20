import NIOPosix
import Tintype

/// A picture's bytes, as they are sent to the page.
struct PictureData: Sendable {
    let format: PhotoFormat
    let body: HTTPResponse.Body

    let byteCount: Int

    init(_ bytes: [UInt8], format: PhotoFormat) {
        self.format = format
        byteCount = bytes.count
        body = .bytes(bytes)
    }

    /// A photo as it lies on the disk. It is read piece by piece while it is sent, so that a slow client takes
    /// little memory.
    init(reading image: EncodedImage, format: PhotoFormat, on threads: NIOThreadPool) async throws {
        self.format = format
        byteCount = try await threads.runIfActive { try image.byteCount() }
        let reader = PieceReader(image, byteCount: byteCount, threads)
        body = .stream(byteCount: byteCount) { try await reader.next() }
    }
}

/// Reads an image from the first byte to the last.
private actor PieceReader {
    private static let pieceByteCount = 256 << 10

    private let image: EncodedImage
    private let byteCount: Int
    private let threads: NIOThreadPool
    private var offset = 0

    init(_ image: EncodedImage, byteCount: Int, _ threads: NIOThreadPool) {
        self.image = image
        self.byteCount = byteCount
        self.threads = threads
    }

    /// - Throws: `PhotoError` if the image cannot be read, or has become shorter.
    func next() async throws -> [UInt8]? {
        guard offset < byteCount else { return nil }
        let (image, range) = (image, offset..<min(offset + Self.pieceByteCount, byteCount))
        offset = range.upperBound
        return try await threads.runIfActive { try image.bytes(in: range) }
    }
}
