import Foundation
import Tintype

/// The XMP file beside a photo, such as `beach.jpg.xmp`, as far as it is about stars.
struct StarSidecar {
    /// Far larger than editors write them.
    private static let byteLimit = 16 << 20

    private let path: String

    /// - Parameter photoPath: the photo's.
    init(of photoPath: String) { path = photoPath + ".xmp" }

    /// `xmp:Rating`; nil if there is no such file, or none in it.
    var rating: Int? {
        (try? Self.contents(of: path)).flatMap { XMPRating.value(of: $0.bytes) }
    }

    /// How often a file is read that another program changes meanwhile.
    private static let attemptLimit = 4

    private struct Contents: Equatable {
        let bytes: [UInt8]
        let permissions: mode_t
        let identity: FileIdentity
        let modified: Int64
    }

    /// Writes the file, or changes it: all but the stars stays as it is.
    ///
    /// - Parameter beforePublishing: called each time before the file gets its name.
    /// - Throws: `Errno`; `GalleryError` for a file that is no XMP, cannot be written or changes all the time,
    ///   which stays as it is.
    func write(
        _ stars: Int, _ temporaries: TemporaryFiles, beforePublishing: () throws -> Void = {}
    ) throws {
        // A link stays one.
        let path = path.resolvingLinks ?? path
        for _ in 0..<Self.attemptLimit {
            if let old = try Self.contents(of: path) {
                if try Self.replace(old, of: path, stars, temporaries, beforePublishing) { return }
            } else {
                if try Self.create(path, stars, temporaries, beforePublishing) { return }
            }
        }
        throw GalleryError.changingXMP(path.lastPathComponent)
    }

    /// - Returns: false if another program has changed the file meanwhile.
    private static func replace(
        _ old: Contents, of path: String, _ stars: Int, _ temporaries: TemporaryFiles,
        _ beforePublishing: () throws -> Void
    ) throws -> Bool {
        guard let rating = XMPRating(of: old.bytes) else { throw GalleryError.noXMP(path.lastPathComponent) }
        guard access(path, W_OK) == 0 else { throw GalleryError.readOnlyXMP(path.lastPathComponent) }
        let file = try OutputFile(
            at: path, permissions: .init(rawValue: old.permissions), temporaries: temporaries)
        try file.file.write(rating.setting(stars))
        // Takes a while, so it comes before the comparison.
        try file.file.sync()
        try beforePublishing()
        guard try contents(of: path) == old else { return false }
        try file.publish(overwrites: true)
        return true
    }

    /// - Returns: false if another program has created the file meanwhile.
    private static func create(
        _ path: String, _ stars: Int, _ temporaries: TemporaryFiles, _ beforePublishing: () throws -> Void
    ) throws -> Bool {
        do {
            try publish(XMPRating.packet(with: stars), at: path, temporaries, beforePublishing)
            return true
        } catch let error as Errno where error == .fileExists {
            return false
        }
    }

    private static func publish(
        _ bytes: [UInt8], at path: String, _ temporaries: TemporaryFiles,
        _ beforePublishing: () throws -> Void
    ) throws {
        let file = try OutputFile(at: path, temporaries: temporaries)
        try file.file.write(bytes)
        try beforePublishing()
        try file.publish(overwrites: false)
    }

    /// - Returns: nil if there is no such file.
    private static func contents(of path: String) throws -> Contents? {
        do {
            let file = try OpenFile(reading: path)
            let status = try file.status()
            guard status.isRegularFile, status.byteCount <= byteLimit else {
                throw GalleryError.noXMP(path.lastPathComponent)
            }
            return Contents(
                bytes: try file.firstBytes(status.byteCount),
                permissions: status.permissions.rawValue & 0o777, identity: FileIdentity(status),
                modified: status.modified)
        } catch let error as Errno where error == .noSuchFileOrDirectory {
            return nil
        }
    }
}

extension EncodedImage {
    /// `xmp:Rating` of the photo's own XMP; nil if it has none, or its header cannot be read.
    func rating(limits: DecodeLimits) -> Int? {
        let packet = try? read(limits: limits) { reader, _ in
            reader.format.codec.neutral(reader.metadata, limits: limits).items.lazy
                .compactMap { if case .xmp(let packet) = $0 { packet } else { nil } }.first
        }
        return packet.flatMap { XMPRating.value(of: $0) }
    }
}
