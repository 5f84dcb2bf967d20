import Codecs
import Download
import Files
import Foundation
import Imaging
import SystemPackage

/// An image as operations hand it on: the bytes of a photo's file, and not its pixels.
///
/// Copying the value copies no bytes. Where they are held depends on how many there are and where they came
/// from, so that a batch of large photos costs disk space and not memory:
/// - up to `memoryLimit` bytes in memory;
/// - more in a file without a name, which is gone with the image's last copy, even where the process is
///   killed; it costs one file descriptor;
/// - many that wait in files with names, in a folder of the session's;
/// - a named file of this machine's stays where it is, and is opened only while it is read.
///
/// A downloaded image that is yet to be decrypted is one too; its `format` is nil.
public struct EncodedImage: Sendable {
    private enum Storage: Sendable {
        case memory([UInt8])
        case spool(SpoolFile)
        case downloaded(DownloadedBody)
        case parked(ParkedFile)
        case file(path: String)
    }

    /// The most bytes of an image that stay in memory: at most 256 photos are in flight, so 16 MiB together.
    /// Chosen by eye.
    public static let memoryLimit = 64 << 10

    private let storage: Storage
    /// As the first bytes tell; nil where they are no photo's.
    public let format: PhotoFormat?

    /// - Throws: `PhotoError` where there are too many bytes for memory, and they cannot be stored on disk.
    public init(bytes: [UInt8]) throws(PhotoError) {
        format = PhotoFormat.detect(bytes.prefix(16))
        do throws(Errno) {
            storage = bytes.count <= Self.memoryLimit ? .memory(bytes) : .spool(try SpoolFile(bytes: bytes))
        } catch {
            throw .cannotWrite(path: "a temporary file", error)
        }
    }

    /// A photo's file, which is read when it is needed, and never changed.
    ///
    /// - Throws: `PhotoError` where it cannot be read now.
    public init(path: String) throws(PhotoError) {
        self.init(path: path, format: PhotoFormat.detect(try Self.firstBytes(ofFile: path)))
    }

    /// A photo's file whose format is known.
    package init(path: String, format: PhotoFormat?) {
        storage = .file(path: path)
        self.format = format
    }

    /// Few bytes of a known format.
    init(memory bytes: [UInt8], format: PhotoFormat?) {
        storage = .memory(bytes)
        self.format = format
    }

    /// - Returns: nil where the photo is yet to be downloaded.
    package init?(_ photo: InputPhoto) {
        switch photo.location {
        case .address: return nil
        case .file(let path): storage = .file(path: path)
        case .spooled(let spool): storage = .spool(spool)
        }
        format = photo.format
    }

    package init(_ body: DownloadedBody) throws(PhotoError) {
        var start = [UInt8](repeating: 0, count: 16)
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

    /// - Throws: the decoder's own error for a file that is none of its, as `PhotoError.codec`.
    package func requirePhoto() throws(PhotoError) {
        do {
            try read(limits: DecodeLimits()) { _, _ in }
        } catch {
            throw PhotoError(error, path: "")
        }
    }

    /// All of the image's bytes, in memory. Meant for small images, and for those that must be held as a
    /// whole.
    ///
    /// - Throws: `PhotoError` where there are more than `limit`, or they cannot be read.
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

    /// Reads the photo: its header at once, its pixels as they are asked for.
    ///
    /// - Parameters:
    ///   - observer: sees every byte that is read.
    ///   - body: must not let the reader escape, nor the file: nil where the image is in no file of the user's.
    package func read<Result>(
        limits: DecodeLimits, observer: (any ByteObserver)? = nil,
        _ body: (PhotoReader, WatchedFile?) throws -> Result
    ) throws -> Result {
        if case .memory(let bytes) = storage {
            if let observer { bytes.withUnsafeBytes(observer.observe) }
            return try body(PhotoReader(bytes: bytes, limits: limits), nil)
        }
        return try withFile { file in
            let input: WatchedFile? = if case .file = storage { try WatchedFile(file) } else { nil }
            return try body(
                PhotoReader(fileDescriptor: file.number, limits: limits, observer: observer), input)
        }
    }
}

// MARK: Files

extension EncodedImage {
    /// Whether a file is open for as long as there is this image.
    package var costsDescriptor: Bool {
        switch storage {
        case .spool, .downloaded: true
        case .memory, .file, .parked: false
        }
    }

    /// The same image where it costs no open file.
    package func parked(in folder: ParkingFolder) throws -> EncodedImage {
        EncodedImage(.parked(try withFile { try folder.park($0) }), format)
    }

    private init(_ storage: Storage, _ format: PhotoFormat?) {
        self.storage = storage
        self.format = format
    }

    /// Lends an open file that stands at the first byte and is nobody else's: several operations may read one
    /// image.
    func withFile<Result>(_ body: (borrowing OpenFile) throws -> Result) throws -> Result {
        switch storage {
        case .memory(let bytes):
            let spool = try SpoolFile(bytes: bytes)
            return try withExtendedLifetime(spool) { try body(OpenFile(reopening: spool.file.number)) }
        case .spool(let spool): return try body(OpenFile(reopening: spool.file.number))
        case .downloaded(let download): return try body(OpenFile(reopening: download.fileDescriptor))
        case .file(let path): return try body(OpenFile(reading: path))
        case .parked(let file): return try body(OpenFile(reading: file.path))
        }
    }

    private static func firstBytes(ofFile path: String) throws(PhotoError) -> [UInt8] {
        do throws(Errno) {
            let file = try OpenFile(reading: path)
            if try file.status().isRegularFile { return try file.firstBytes(16) }
        } catch {
            throw .cannotRead(error)
        }
        throw .notARegularFile
    }
}
