import Foundation
import SystemPackage
import TintypeFiles
import TintypeJournals

/// A frozen list of photos, what is done with them, and the outputs that they get: a file of JSON lines.
///
/// The first line is the `ManifestHeader`, each further line a `ManifestPhoto`, and the last line has their number and
/// their hash. So a manifest that is cut off or changed is refused before any work. It is read in constant memory.
public struct Manifest: Sendable {
    public let path: String
    public let header: ManifestHeader
    public let photoCount: Int
    /// Twelve hexadecimal digits of the content's hash.
    public let identifier: String

    private static let identifierLength = 12

    /// Reads the manifest once, to check it.
    ///
    /// - Throws: `ManifestError`.
    public init(_ path: String) throws(ManifestError) {
        self.path = path
        var header: ManifestHeader?
        var lineCount = 0
        var last: [UInt8] = []
        let hash = ContentHash(.sha256)
        try LineFile.forEachLine(path) { line, number throws(ManifestError) in
            if number == 1 {
                header = try Self.header(line, path)
            } else {
                last.append(UInt8(ascii: "\n"))
                last.withUnsafeBytes(hash.observe)
            }
            last.removeAll(keepingCapacity: true)
            last += line
            lineCount = number
        }
        guard let header else { throw .notAManifest(path: path) }
        guard let end = try? JSONDecoder().decode(ManifestEnd.self, from: Data(last)),
            end.type == ManifestEnd.type
        else { throw .incomplete(path: path) }
        let content = hash.digest.hexadecimal
        // The last line is not in the hash, so it must be as it is written.
        guard end.sha256 == content, end.photos == lineCount - 2, last == Array(end.jsonText().utf8) else {
            throw .changed(path: path)
        }
        self.header = header
        photoCount = end.photos
        identifier = String(content.prefix(Self.identifierLength))
    }

    private static func header(_ line: ArraySlice<UInt8>, _ path: String) throws(ManifestError)
        -> ManifestHeader
    {
        let data = Data(line)
        guard let signature = try? JSONDecoder().decode(ManifestSignature.self, from: data),
            signature.type == ManifestHeader.type
        else { throw .notAManifest(path: path) }
        guard signature.version == ManifestHeader.version else {
            throw .otherVersion(path: path, signature.version)
        }
        guard let header = try? JSONDecoder().decode(ManifestHeader.self, from: data) else {
            throw .line(path: path, 1, "The root, the output folder or the recipe is missing.")
        }
        return header
    }

    /// Visits the photos in order.
    ///
    /// - Parameters:
    ///   - isWanted: by the photo's index; the other lines are not parsed.
    ///   - visit: gets the photo and its index.
    /// - Throws: `ManifestError`.
    public func forEachPhoto(
        where isWanted: (Int) -> Bool = { _ in true },
        _ visit: (ManifestPhoto, Int) throws(ManifestError) -> Void
    ) throws(ManifestError) {
        let decoder = JSONDecoder()
        try LineFile.forEachLine(path) { line, number throws(ManifestError) in
            let index = number - 2
            guard 0..<photoCount ~= index, isWanted(index) else { return }
            guard let photo = try? decoder.decode(ManifestPhoto.self, from: Data(line)) else {
                throw .line(path: path, number, "This is no photo.")
            }
            try check(photo, number)
            try visit(photo, index)
        }
    }

    /// Refuses paths that lead out of the folders: a manifest may come from somebody else.
    private func check(_ photo: ManifestPhoto, _ line: Int) throws(ManifestError) {
        for output in photo.outputs {
            switch OutputPath.problem(of: output) {
            case nil: continue
            case .outside:
                throw .line(
                    path: path, line, "'\(output.printableName)' is no path below the output folder.")
            case .reserved:
                throw .line(
                    path: path, line,
                    "'\(output.printableName)' is a name of Tintype's own files, not of an output.")
            }
        }
        guard !photo.outputs.isEmpty, !photo.input.isEmpty, !photo.input.contains("\0") else {
            throw .line(path: path, line, "The photo has no input or no output.")
        }
    }

    /// The path or the address of a photo's input.
    ///
    /// - Parameter root: stands for the manifest's own; nil is that.
    public func location(of photo: ManifestPhoto, root: String? = nil) -> String {
        photo.isAddress || photo.input.utf8.first == UInt8(ascii: "/")
            ? photo.input : (root ?? header.root).appendingPathComponent(photo.input)
    }
}

/// Reads a file line by line.
private enum LineFile {
    private static let chunkByteCount = 1 << 18
    /// A longer line is no manifest's.
    private static let maxLineByteCount = 1 << 20

    /// - Parameter visit: gets the line without its end, and its number from 1.
    static func forEachLine(
        _ path: String, _ visit: (ArraySlice<UInt8>, Int) throws(ManifestError) -> Void
    ) throws(ManifestError) {
        let file = try open(path)
        var buffer: [UInt8] = []
        var offset = 0, number = 0
        while true {
            let chunk: [UInt8]
            do throws(Errno) {
                chunk = try file.bytes(at: offset, count: chunkByteCount)
            } catch {
                throw .cannotRead(path: path, error)
            }
            offset += chunk.count
            buffer += chunk
            var rest = buffer[...]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                number += 1
                try visit(rest[..<end], number)
                rest = rest[(end + 1)...]
            }
            buffer = Array(rest)
            if chunk.isEmpty || buffer.count > maxLineByteCount { break }
        }
        // Every line ends with a newline; a manifest that was cut off has a part of one.
        guard buffer.isEmpty else {
            throw number == 0 ? .notAManifest(path: path) : .incomplete(path: path)
        }
    }

    private static func open(_ path: String) throws(ManifestError) -> OpenFile {
        do throws(Errno) {
            let file = try OpenFile(reading: path)
            if try file.status().isRegularFile { return file }
        } catch {
            throw .cannotRead(path: path, error)
        }
        throw .notAManifest(path: path)
    }
}
