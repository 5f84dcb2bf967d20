import Foundation
import SystemPackage
import TintypeFiles
import TintypeImaging

/// A list of photos (`--files-from`), read entry by entry.
///
/// The format is detected from the content: text, text with zero bytes, CSV, JSON, JSON Lines, XML and binary property
/// lists. Text and CSV are read in constant memory. Other formats are loaded as a whole, and refused above 64
/// MiB. Entries come in the list's order. Not thread-safe.
public final class PhotoList {
    private let origin: ListOrigin
    private let name: String
    private let file: OpenFile?
    private let bytes: ByteCursor
    private var parser: (any ListParser)?
    private var hasEnded = false
    /// The last address, as it was written. In a binary property list, any number of entries may have a text together.
    private var last: (entry: RawListEntry, location: ListEntry.Location)?

    /// Opens a file, or standard input for `-`. Relative entries are relative to the file's folder.
    ///
    /// - Throws: `ListError` if it cannot be opened.
    public init(path: String) throws(ListError) {
        let isInput = path == "-"
        name = isInput ? "standard input" : path
        let folder = Substring(path.utf8.dropLast(path.lastPathComponent.utf8.count))
        origin = .folder(isInput || folder.isEmpty ? "" : String(folder))
        do throws(Errno) {
            let opened = try isInput ? OpenFile(duplicating: STDIN_FILENO) : OpenFile(path, .readOnly)
            bytes = ByteCursor(reading: opened.descriptor)
            file = consume opened
        } catch {
            throw Self.naming(name, ListError(.cannotRead(error)))
        }
    }

    /// Opens a file. Relative entries are relative to the file's folder.
    ///
    /// - Throws: `ListError` if the URL is not a file's (`PhotoDownloader.list(at:)` takes others), or the file cannot be
    ///   opened.
    public convenience init(contentsOf url: URL) throws(ListError) {
        guard let path = url.filePath else {
            throw Self.naming(url.lastPathComponent, ListError(.cannotRead(.notSupported)))
        }
        try self.init(path: path)
    }

    /// A list in memory: in a `Data`, an array, or another buffer.
    ///
    /// - Parameter name: the list's name in messages.
    public convenience init(data: some ContiguousBytes, origin: ListOrigin, name: String = "list") {
        self.init(bytes: data.withUnsafeBytes { Array($0) }, origin: origin, name: name)
    }

    /// A list in memory.
    ///
    /// - Parameter name: the list's name in messages.
    public init(bytes: [UInt8], origin: ListOrigin, name: String = "list") {
        self.bytes = ByteCursor(bytes)
        self.origin = origin
        self.name = name
        file = nil
    }

    /// A list in an open file.
    package init(_ file: consuming OpenFile, origin: ListOrigin, name: String) {
        bytes = ByteCursor(reading: file.descriptor)
        self.file = consume file
        self.origin = origin
        self.name = name
    }

    /// The next entry; nil at the end.
    ///
    /// - Throws: `ListError`. If its `endsList` is false, it concerns one entry, and `next` may be called
    ///   again.
    public func next() throws(ListError) -> ListEntry? {
        guard !hasEnded else { return nil }
        do throws(ListError) {
            if parser == nil { parser = try Self.parser(for: bytes, named: name) }
            guard let entry = try parser?.next() else {
                hasEnded = true
                return nil
            }
            return ListEntry(name: entry.name, location: try location(of: entry), at: entry.position)
        } catch {
            if error.endsList { hasEnded = true }
            throw Self.naming(name, error)
        }
    }

    private func location(of entry: RawListEntry) throws(ListError) -> ListEntry.Location {
        if let last, last.entry.allowsControls == entry.allowsControls,
            last.entry.target.exact == entry.target.exact
        {
            return last.location
        }
        let location = try ListLocation.read(
            entry.target, at: entry.position, from: origin, allowsControls: entry.allowsControls)
        last = (entry, location)
        return location
    }

    private static func naming(_ name: String, _ error: ListError) -> ListError {
        var error = error
        error.list = name
        return error
    }

    /// So many bytes tell whether a file is a photo or other binary data.
    private static let signatureByteCount = 16

    /// The parser for the detected format.
    static func parser(for bytes: ByteCursor, named name: String) throws(ListError) -> any ListParser {
        if try bytes.lookAhead(8).starts(with: Array("bplist".utf8)) {
            return try DocumentListParser(bytes, .propertyList)
        }
        let start = try bytes.lookAhead(2)
        if start.elementsEqual([0xFF, 0xFE]) || start.elementsEqual([0xFE, 0xFF]) {
            throw ListError(.otherEncoding("UTF-16"))
        }
        let signature = try bytes.lookAhead(signatureByteCount)
        if PhotoFormat.detect(signature) != nil { throw ListError(.notAList(ListError.photo)) }
        _ = try bytes.take("\u{FEFF}")
        let ahead = try bytes.lookAhead(ByteCursor.bufferByteCount)
        if ahead.contains(0) {
            // Binary files usually begin with control characters; names hardly ever contain any.
            if signature.contains(where: { $0 < 0x20 && $0 != 0 && !$0.isListWhitespace })
                || signature.first == 0
            {
                throw ListError(.notAList(Lookalike.name(of: Array(signature)) ?? "binary data"))
            }
            return TextListParser(bytes, separatedByZeros: true)
        }
        let marks = ahead.lazy.filter { !$0.isListWhitespace }.prefix(2).map { Character(Unicode.Scalar($0)) }
        let fileExtension = FileName(name).fileExtension?.lowercased() ?? ""
        switch (marks.first, marks.dropFirst().first) {
        case ("<", _): return try DocumentListParser(bytes, .propertyList)
        // A text list may begin with a name such as `[2020] 1.jpg`.
        case ("{", "\""), ("{", "}"), ("[", "\""), ("[", "{"), ("[", "]"):
            return try DocumentListParser(bytes, .json, isLines: ["jsonl", "ndjson"].contains(fileExtension))
        default:
            return try CSVListParser(bytes, isNamedCSV: fileExtension == "csv")
                ?? TextListParser(bytes, separatedByZeros: false)
        }
    }
}
