import Files
import Foundation

/// A file that a filter reads, and what tells its contents from others.
public struct FilterFile: Hashable, Sendable, CustomStringConvertible {
    /// Empty if there is no file.
    public let path: String
    /// The first 16 digits of the contents' SHA-256; nil before the file is read.
    public internal(set) var contentHash: String?

    private static let hashLength = 16

    /// The file at `path`, which is read later.
    public init(_ path: String) { self.path = path }

    /// A table or a picture that is not from a file.
    init(contentHash: String) {
        path = ""
        self.contentHash = contentHash
    }

    /// Reads a path, and after it possibly `#` and a hash that the contents must have. `%2C` stands for a comma, as
    /// in addresses.
    init(text: String) {
        let path = text.dropLast(Self.hashLength + 1), end = text.dropFirst(path.count)
        let hasHash = end.first == "#" && end.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
        let encoded = hasHash && !path.isEmpty ? String(path) : text
        self.init(encoded.removingPercentEncoding ?? encoded)
        if hasHash, !path.isEmpty { contentHash = String(end.dropFirst()) }
    }

    /// The text that `init(text:)` reads. Marks that part settings, filters or words are `%` and two digits.
    public var description: String {
        let path = path.unicodeScalars.map { scalar -> String in
            guard "%,+#".unicodeScalars.contains(scalar) || scalar.value <= 32 else { return String(scalar) }
            return "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
        }
        return path.joined() + (contentHash.map { "#" + $0 } ?? "")
    }

    /// The hash of contents, as `contentHash` has it.
    static func hash(of contents: [UInt8]) -> String {
        String(ContentHash.of(contents).prefix(hashLength))
    }
}

/// The files that filters may read.
public struct FilterFiles: Sendable {
    /// All that this process can read.
    public static let readable = FilterFiles(paths: nil)

    private let paths: Set<String>?

    private init(paths: Set<String>?) { self.paths = paths }

    /// Only the files that a chain reads already.
    public init(of chain: FilterChain) {
        self.init(paths: Set(chain.filters.flatMap { Self.paths($0) }))
    }

    private static func paths<F: Filter>(_ filter: F) -> [String] {
        filter.parameters.filter { $0.values == .file }.map { FilterFile(text: $0.text(in: filter)).path }
    }

    /// The largest file that is read, in bytes: a Hald CLUT of level 16 has 96 MiB of samples.
    private static let maximumByteCount = 128 << 20

    /// Reads a file, and sets its hash.
    ///
    /// - Throws: `FilterError` if it cannot be read, or has not the hash that it must have.
    func read(_ file: inout FilterFile, for filter: String) throws(FilterError) -> [UInt8] {
        guard !file.path.isEmpty else { throw .noFile(filter: filter, parameter: "file") }
        guard paths?.contains(file.path) ?? true else {
            throw .unreadableFile(
                filter: filter, path: file.path, reason: "only files of the first chain may be read")
        }
        let contents: [UInt8]
        do {
            let open = try OpenFile(reading: file.path)
            guard try open.status().isRegularFile else {
                throw FilterError.unreadableFile(filter: filter, path: file.path, reason: "it is not a file")
            }
            let byteCount = try open.status().byteCount
            guard byteCount <= Self.maximumByteCount else {
                throw FilterError.unreadableFile(
                    filter: filter, path: file.path,
                    reason: "it is larger than \(Self.maximumByteCount >> 20) MiB")
            }
            contents = try open.firstBytes(byteCount)
        } catch let error as FilterError {
            throw error
        } catch {
            throw .unreadableFile(filter: filter, path: file.path, reason: "\(error)")
        }
        let hash = FilterFile.hash(of: contents)
        guard file.contentHash == nil || file.contentHash == hash else {
            throw .unreadableFile(filter: filter, path: file.path, reason: "its contents have changed")
        }
        file.contentHash = hash
        return contents
    }
}
