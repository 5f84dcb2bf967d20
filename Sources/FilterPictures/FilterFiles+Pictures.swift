import Foundation
import TintypeFiles
import TintypeFilters

extension FilterFiles {
    /// All that this process can read; relative paths are in the current folder.
    public static let readable = FilterFiles(in: [""])

    /// All files that this process can read.
    ///
    /// - Parameter folders: where relative paths are looked up, in this order. An empty one is the current folder.
    package init(in folders: [String]) { self.init(in: folders, pictures: PictureDecoding.samples) }

    /// Only the files that a chain reads already; relative paths are in the current folder.
    public init(of chain: FilterChain) { self.init(of: chain, in: [""]) }

    /// Only the files that a chain reads already.
    ///
    /// - Parameter folders: as in `init(in:)`.
    package init(of chain: FilterChain, in folders: [String]) {
        self.init(of: chain, in: folders, pictures: PictureDecoding.samples)
    }
}

extension FilterChain {
    /// Parses filters in the command line's form: `name` or `name:parameter=value,parameter=value`. A `+`
    /// joins several filters in one text. Filters may read all files that this process can read.
    ///
    /// - Throws: `FilterError`, which tells the mistake and how to correct it.
    public init(parsing texts: [String]) throws(FilterError) {
        try self.init(parsing: texts, reading: .readable)
    }

    /// Parses filters in one text, such as `sepia:intensity=50%+tilt-shift`.
    ///
    /// - Throws: `FilterError`, which tells the mistake and how to correct it.
    public init(parsing text: String) throws(FilterError) { try self.init(parsing: [text]) }
}

extension LookUp {
    /// Reads a `.cube` file, or a Hald CLUT as a PNG, JPEG or WebP.
    ///
    /// - Parameter intensity: 0...1.
    /// - Throws: `FilterError` if the file cannot be read or has mistakes.
    public init(contentsOf path: String, intensity: Float = 1) throws(FilterError) {
        try self.init(contentsOf: path, intensity: intensity, reading: .readable)
    }

    /// Reads a `.cube` file, or a Hald CLUT as a PNG, JPEG or WebP.
    ///
    /// - Parameter intensity: 0...1.
    /// - Throws: `FilterError` if the URL is not a file's, or the file cannot be read or has mistakes.
    public init(contentsOf url: URL, intensity: Float = 1) throws(FilterError) {
        try self.init(contentsOf: url.filePath(for: Self.name), intensity: intensity)
    }
}

extension Watermark {
    /// Reads a picture.
    ///
    /// - Throws: `FilterError` if the file cannot be read or is not a picture.
    public init(contentsOf path: String) throws(FilterError) {
        try self.init(contentsOf: path, reading: .readable)
    }

    /// Reads a picture.
    ///
    /// - Throws: `FilterError` if the URL is not a file's, or the file cannot be read or is not a picture.
    public init(contentsOf url: URL) throws(FilterError) {
        try self.init(contentsOf: url.filePath(for: Self.name))
    }
}

extension URL {
    /// - Throws: `FilterError` if the URL is not a file's.
    fileprivate func filePath(for filter: String) throws(FilterError) -> String {
        guard let filePath else {
            throw .unreadableFile(
                filter: filter, path: lastPathComponent, reason: "its address is not a file's")
        }
        return filePath
    }
}
