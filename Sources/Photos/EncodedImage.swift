import Foundation
import SystemPackage
import TintypeCodecs
import TintypeDownload
import TintypeFiles
import TintypeImaging

/// An image as operations pass it on: the encoded bytes of a photo's file, not its pixels.
///
/// Copying the value copies no bytes. Large photos take disk space instead of memory. The bytes are held:
/// - in memory, up to `memoryLimit`;
/// - above it in an unnamed file, which costs one file descriptor and disappears with the image's last copy,
///   even if the process is killed;
/// - in a named file of the session's temporary folder, while many images wait or are kept;
/// - in the user's own file, which is open only while it is read.
///
/// A downloaded image may still be encrypted; its `format` is then nil.
public struct EncodedImage: Sendable {
    private enum Storage: Sendable {
        case memory([UInt8])
        case spool(SpoolFile)
        case downloaded(DownloadedBody)
        case parked(ParkedFile)
        case file(path: String)
    }

    /// Images up to this many bytes stay in memory. At most 256 photos are in flight, so 16 MiB in total.
    /// Chosen by eye.
    public static let memoryLimit = 64 << 10

    private let storage: Storage
    /// The format, detected from the first bytes; nil if they are not a photo's.
    public let format: PhotoFormat?

    /// An image of these bytes.
    ///
    /// - Throws: `PhotoError` if more than `memoryLimit` bytes cannot be stored on disk.
    public init(bytes: [UInt8]) throws(PhotoError) {
        format = PhotoFormat.detect(bytes.prefix(PhotoFormat.detectionByteCount))
        do throws(Errno) {
            storage = bytes.count <= Self.memoryLimit ? .memory(bytes) : .spool(try SpoolFile(bytes: bytes))
        } catch {
            throw .temporaryFile(folder: NSTemporaryDirectory(), error)
        }
    }

    /// An image of the bytes of a `Data`, an array, or another buffer.
    ///
    /// - Throws: `PhotoError` if more than `memoryLimit` bytes cannot be stored on disk.
    public init(data: some ContiguousBytes) throws(PhotoError) {
        try self.init(bytes: data.withUnsafeBytes { Array($0) })
    }

    /// The photo in a file, which is read when needed and never changed.
    ///
    /// - Throws: `PhotoError` if the URL is not a file's (`PhotoDownloader.image(at:)` takes others), or the first bytes
    ///   cannot be read.
    public init(contentsOf url: URL) throws(PhotoError) { try self.init(path: url.photoPath()) }

    /// The photo in a file, which is read when needed and never changed.
    ///
    /// - Throws: `PhotoError` if its first bytes cannot be read.
    public init(path: String) throws(PhotoError) {
        self.init(path: path, format: PhotoFormat.detect(try Self.firstBytes(ofFile: path)))
    }

    /// The photo in a file of a known format.
    package init(path: String, format: PhotoFormat?) {
        storage = .file(path: path)
        self.format = format
    }

    /// A small image of a known format.
    init(memory bytes: [UInt8], format: PhotoFormat?) {
        storage = .memory(bytes)
        self.format = format
    }

    /// - Returns: nil if the photo must be downloaded first.
    package init?(_ photo: InputPhoto) {
        switch photo.location {
        case .address: return nil
        case .file(let path): storage = .file(path: path)
        case .spooled(let spool): storage = .spool(spool)
        }
        format = photo.format
    }

    package init(_ body: DownloadedBody) throws(PhotoError) {
        var start = [UInt8](repeating: 0, count: PhotoFormat.detectionByteCount)
        do {
            let count = try start.withUnsafeMutableBytes { try body.read(into: $0, at: 0) }
            format = PhotoFormat.detect(start.prefix(count))
        } catch {
            throw PhotoError(error, path: "a download")
        }
        storage = .downloaded(body)
    }

    package init(_ spool: SpoolFile, format: PhotoFormat?) throws(PhotoError) {
        self.format = format
        do throws(Errno) {
            storage = spool.byteCount <= Self.memoryLimit ? .memory(try spool.bytes()) : .spool(spool)
        } catch {
            throw .cannotRead(error)
        }
    }

    /// Checks that a decoder accepts the image's header.
    ///
    /// - Throws: the decoder's error, as `PhotoError.codec`.
    package func requirePhoto() throws(PhotoError) {
        do {
            try read(limits: DecodeLimits()) { _, _ in }
        } catch {
            throw PhotoError(error, path: "")
        }
    }

    /// Loads all of the image's bytes into memory.
    ///
    /// - Throws: `PhotoError` if there are more than `limit` bytes or they cannot be read.
    public func bytes(limit: Int = .max) throws(PhotoError) -> [UInt8] {
        if case .memory(let bytes) = storage, bytes.count <= limit { return bytes }
        do {
            return try withFile { file in
                let byteCount = try file.status().byteCount
                guard byteCount <= limit else {
                    throw PhotoError.tooLargeForMemory(byteCount: byteCount, limit: limit)
                }
                return try file.firstBytes(byteCount)
            }
        } catch {
            throw PhotoError(error, path: "an image")
        }
    }

    /// All of the image's bytes, loaded into memory.
    ///
    /// - Throws: `PhotoError` if they cannot be read.
    public var data: Data {
        get throws(PhotoError) { Data(try bytes()) }
    }

    /// The size of the image's file in bytes.
    ///
    /// - Throws: `PhotoError` if it cannot be read.
    package func byteCount() throws(PhotoError) -> Int {
        guard case .file = storage else { return keptByteCount }
        do {
            return try withFile { try $0.status().byteCount }
        } catch {
            throw PhotoError(error, path: "an image")
        }
    }

    /// A part of the image's bytes.
    ///
    /// - Throws: `PhotoError` if they cannot be read, or there are fewer.
    package func bytes(in range: Range<Int>) throws(PhotoError) -> [UInt8] {
        if case .memory(let bytes) = storage, range.upperBound <= bytes.count { return Array(bytes[range]) }
        do {
            let bytes = try withFile { try $0.bytes(at: range.lowerBound, count: range.count) }
            guard bytes.count == range.count else { throw PhotoError.inputChanged }
            return bytes
        } catch {
            throw PhotoError(error, path: "an image")
        }
    }

    /// Reads the photo's header at once, and its pixels as `body` asks for them.
    ///
    /// - Parameters:
    ///   - observer: sees every byte that is read.
    ///   - body: must not let the reader or the file escape. The file is nil unless the image is in a user's
    ///     file.
    package func read<Result>(
        limits: DecodeLimits, observer: (any ByteObserver)? = nil,
        _ body: (PhotoReader, WatchedFile?) throws -> Result
    ) throws -> Result {
        if case .memory(let bytes) = storage {
            if let observer { bytes.withUnsafeBytes(observer.observe) }
            return try body(PhotoReader(bytes: bytes, limits: limits), nil)
        }
        return try withFile { file in
            guard try file.status().isRegularFile else { throw PhotoError.notARegularFile }
            let input: WatchedFile? = if case .file = storage { try WatchedFile(file) } else { nil }
            return try body(
                PhotoReader(fileDescriptor: file.number, limits: limits, observer: observer), input)
        }
    }
}

// MARK: Files

extension EncodedImage {
    /// Whether the image keeps a file open for as long as it exists.
    package var costsDescriptor: Bool {
        switch storage {
        case .spool, .downloaded: true
        case .memory, .file, .parked: false
        }
    }

    /// Whether the image takes neither memory nor an open file.
    package var isInNamedFile: Bool {
        switch storage {
        case .file, .parked: true
        case .memory, .spool, .downloaded: false
        }
    }

    /// Bytes that the image takes in memory or in a temporary file; 0 for the user's own file.
    package var keptByteCount: Int {
        switch storage {
        case .memory(let bytes): bytes.count
        case .spool(let spool): spool.byteCount
        case .downloaded(let body): body.byteCount
        case .parked(let file): file.byteCount
        case .file: 0
        }
    }

    /// The same image, moved to a named file that is open only while it is read.
    package func parked(in folder: ParkingFolder) throws -> EncodedImage {
        EncodedImage(.parked(try withFile { try folder.park($0) }), format)
    }

    private init(_ storage: Storage, _ format: PhotoFormat?) {
        self.storage = storage
        self.format = format
    }

    /// Passes an open file, positioned at the first byte, to `body`. Every call gets a file of its own,
    /// because several operations may read one image.
    func withFile<Result>(_ body: (borrowing OpenFile) throws -> Result) throws -> Result {
        switch storage {
        case .memory(let bytes):
            let file = try OpenFile.inMemory()
            try file.write(bytes)
            try file.rewind()
            return try body(file)
        case .spool(let spool): return try body(OpenFile(reopening: spool.file.number))
        case .downloaded(let download): return try body(OpenFile(reopening: download.fileDescriptor))
        case .file(let path): return try body(PhotoPhase.read.measure { try OpenFile(reading: path) })
        case .parked(let file): return try body(OpenFile(reading: file.path))
        }
    }

    private static func firstBytes(ofFile path: String) throws(PhotoError) -> [UInt8] {
        do throws(Errno) {
            let file = try OpenFile(reading: path)
            if try file.status().isRegularFile { return try file.firstBytes(PhotoFormat.detectionByteCount) }
        } catch {
            throw .cannotRead(error)
        }
        throw .notARegularFile
    }
}

extension URL {
    /// - Throws: `PhotoError` if the URL is not a file's.
    func photoPath() throws(PhotoError) -> String {
        guard let filePath else {
            throw .other(
                "This address is not a file's. Download photos with PhotoDownloader, and save them to files.")
        }
        return filePath
    }
}
