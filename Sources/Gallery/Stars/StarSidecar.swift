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

    /// Writes the file, or changes it: all but the stars stays as it is.
    ///
    /// - Throws: `GalleryError` for a file that is no XMP, which stays as it is; `Errno`.
    func write(_ stars: Int, _ temporaries: TemporaryFiles) throws {
        // A link stays one.
        let path = path.resolvingLinks ?? path
        guard let (bytes, permissions) = try Self.contents(of: path) else {
            let file = try OutputFile(at: path, temporaries: temporaries)
            try file.file.write(XMPRating.packet(with: stars))
            return try file.publish(overwrites: false)
        }
        guard let rating = XMPRating(of: bytes) else { throw GalleryError.noXMP(path.lastPathComponent) }
        let file = try OutputFile(
            at: path, permissions: .init(rawValue: permissions), temporaries: temporaries)
        try file.file.write(rating.setting(stars))
        try file.publish(overwrites: true)
    }

    /// - Returns: nil if there is no such file.
    private static func contents(of path: String) throws -> (bytes: [UInt8], permissions: mode_t)? {
        do {
            let file = try OpenFile(reading: path)
            let status = try file.status()
            guard status.isRegularFile, status.byteCount <= byteLimit else {
                throw GalleryError.noXMP(path.lastPathComponent)
            }
            return (try file.firstBytes(status.byteCount), status.permissions.rawValue & 0o777)
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
