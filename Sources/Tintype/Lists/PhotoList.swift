import Codecs
import Foundation

/// A list of photos (`--files-from`), read entry by entry.
///
/// Text, text separated by zero bytes, CSV, JSON and property lists, XML and binary, are told apart by
/// content. All but binary property lists are read in constant memory; those are refused above 64 MiB.
/// Entries come in the list's order. Not for several threads at once.
public final class PhotoList {
    private let origin: ListOrigin
    private let name: String
    private let descriptor: Descriptor?
    private let bytes: ByteCursor
    private var parser: (any ListParser)?
    private var hasEnded = false

    /// Opens a file, or standard input for `-`. Relative entries are relative to the file's folder.
    ///
    /// - Throws: `ListError` where it cannot be opened.
    public init(path: String) throws(ListError) {
        let isInput = path == "-"
        name = isInput ? "standard input" : path
        let folder = path.dropLast(path.lastPathComponent.count)
        origin = .folder(isInput || folder.isEmpty ? "" : String(folder))
        do throws(SystemError) {
            let opened = try isInput ? Descriptor(copying: STDIN_FILENO) : Descriptor(blockingReading: path)
            bytes = ByteCursor(reading: opened.number)
            descriptor = consume opened
        } catch {
            throw Self.naming(name, ListError(.cannotRead(reason: error.description), line: nil))
        }
    }

    /// A list that was fetched into memory.
    ///
    /// - Parameter name: what messages call it.
    public init(bytes: [UInt8], origin: ListOrigin, name: String) {
        self.bytes = ByteCursor(bytes)
        self.origin = origin
        self.name = name
        descriptor = nil
    }

    /// A list that was fetched into a file.
    package init(descriptor: consuming Descriptor, origin: ListOrigin, name: String) {
        bytes = ByteCursor(reading: descriptor.number)
        self.descriptor = consume descriptor
        self.origin = origin
        self.name = name
    }

    /// The next entry; nil at the end.
    ///
    /// - Throws: `ListError`. Where its `endsList` is false it concerns one entry, and the next can be asked
    ///   for.
    public func next() throws(ListError) -> ListEntry? {
        guard !hasEnded else { return nil }
        do throws(ListError) {
            if parser == nil { parser = try Self.parser(for: bytes) }
            guard let entry = try parser?.next() else {
                hasEnded = true
                return nil
            }
            let location = try ListLocation.read(entry.target, line: entry.line, from: origin)
            return ListEntry(name: entry.name, location: location, line: entry.line)
        } catch {
            if error.endsList { hasEnded = true }
            throw Self.naming(name, error)
        }
    }

    private static func naming(_ name: String, _ error: ListError) -> ListError {
        var error = error
        error.list = name
        return error
    }

    /// The parser for what the bytes look like.
    static func parser(for bytes: ByteCursor) throws(ListError) -> any ListParser {
        if try bytes.lookAhead(8).starts(with: Array("bplist".utf8)) {
            return try BinaryPropertyListParser(bytes)
        }
        let start = try bytes.lookAhead(2)
        if start.elementsEqual([0xFF, 0xFE]) || start.elementsEqual([0xFE, 0xFF]) {
            throw ListError(.otherEncoding("UTF-16"), line: nil)
        }
        let signature = try bytes.lookAhead(16)
        if PhotoFormat.detect(signature) != nil { throw ListError(.notAList(ListError.photo), line: nil) }
        _ = try bytes.take("\u{FEFF}")
        let ahead = try bytes.lookAhead(ByteCursor.bufferByteCount)
        if ahead.contains(0) {
            // Names have no control characters, or not many; other files begin with some.
            if signature.contains(where: { $0 < 0x20 && $0 != 0 && !$0.isListWhitespace })
                || signature.first == 0
            {
                throw ListError(.notAList(Lookalike.name(of: Array(signature)) ?? "binary data"), line: nil)
            }
            return TextListParser(bytes, separatedByZeros: true)
        }
        let marks = ahead.lazy.filter { !$0.isListWhitespace }.prefix(2).map { Character(Unicode.Scalar($0)) }
        switch (marks.first, marks.dropFirst().first) {
        case ("<", _): return XMLPropertyListParser(bytes)
        // A text list may begin with a name such as `[2020] 1.jpg`.
        case ("{", "\""), ("{", "}"), ("[", "\""), ("[", "{"), ("[", "]"): return JSONListParser(bytes)
        default: return try CSVListParser(bytes) ?? TextListParser(bytes, separatedByZeros: false)
        }
    }
}

extension Descriptor {
    /// Opens an existing file or pipe for reading, and waits for what comes through it.
    init(blockingReading path: String) throws(SystemError) {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError(call: "open") }
        self.init(owning: number)
    }

    /// The same open file, under a number of its own.
    init(copying other: Int32) throws(SystemError) {
        let number = fcntl(other, F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { throw SystemError(call: "fcntl") }
        self.init(owning: number)
    }
}
