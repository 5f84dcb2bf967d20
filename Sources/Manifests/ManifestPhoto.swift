import Foundation
import TintypeFiles

/// A photo of a manifest, and where its outputs go.
public struct ManifestPhoto: Hashable, Sendable {
    /// A path relative to the manifest's root, an absolute path, or an address.
    public var input: String
    /// Size of the file in bytes when the plan was made; nil for an address.
    public var byteCount: Int?
    /// Paths relative to the output folder, in the order of the recipe's outputs.
    public var outputs: [String]

    /// - Parameters:
    ///   - input: a path relative to the manifest's root, an absolute path, or an address.
    ///   - byteCount: size of the file in bytes; nil for an address.
    ///   - outputs: paths relative to the output folder, in the order of the recipe's outputs.
    public init(input: String, byteCount: Int?, outputs: [String]) {
        self.input = input
        self.byteCount = byteCount
        self.outputs = outputs
    }

    /// Whether the input is downloaded.
    public var isAddress: Bool { input.contains("://") }
}

extension ManifestPhoto: Codable {
    private enum CodingKeys: String, CodingKey {
        case type, input, outputs
        case byteCount = "bytes"
    }

    static let type = "photo"

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        guard try values.decode(String.self, forKey: .type) == Self.type else {
            throw DecodingError.dataCorruptedError(forKey: .type, in: values, debugDescription: "no photo")
        }
        input = try values.decode(String.self, forKey: .input)
        byteCount = try values.decodeIfPresent(Int.self, forKey: .byteCount)
        outputs = try values.decode([String].self, forKey: .outputs)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(Self.type, forKey: .type)
        try values.encode(input, forKey: .input)
        try values.encodeIfPresent(byteCount, forKey: .byteCount)
        try values.encode(outputs, forKey: .outputs)
    }
}

extension ManifestPhoto {
    /// The photo's line in a manifest: its JSON. A `JSONEncoder` would take half of the time of a whole plan.
    var line: String {
        guard input.isPlainInJSON, outputs.allSatisfy(\.isPlainInJSON) else { return jsonText() }
        let byteCount = byteCount.map { "\"bytes\":\($0)," } ?? ""
        let outputs = outputs.map { "\"\($0)\"" }.joined(separator: ",")
        return
            "{\(byteCount)\"input\":\"\(input)\",\"outputs\":[\(outputs)],\"type\":\"\(Self.type)\"}"
    }
}

extension String {
    /// Whether JSON has the text as it is: ASCII without control characters, quotation marks and backslashes.
    fileprivate var isPlainInJSON: Bool {
        utf8.allSatisfy { 0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}

/// The first line of a manifest: what is done with its photos.
public struct ManifestHeader: Hashable, Sendable {
    /// The folder that relative inputs are in, as an absolute path.
    public var root: String
    /// The output folder, as an absolute path.
    public var outputFolder: String
    /// See `Recipe.canonicalText`; of several outputs, that of all.
    public var recipe: String
    /// Where relative paths of the recipe's filters began when the plan was made, as an absolute path; nil without such
    /// paths.
    public var recipeFolder: String?

    /// - Parameters:
    ///   - root: the absolute path of the folder that relative inputs are in.
    ///   - outputFolder: an absolute path.
    ///   - recipe: the canonical text of the recipe, or of all outputs' recipes.
    ///   - recipeFolder: where relative paths of the recipe's filters begin, as an absolute path.
    public init(root: String, outputFolder: String, recipe: String, recipeFolder: String? = nil) {
        self.recipeFolder = recipeFolder
        self.root = root
        self.outputFolder = outputFolder
        self.recipe = recipe
    }

    static let version = 1
}

extension ManifestHeader: Codable {
    private enum CodingKeys: String, CodingKey {
        case type, version, root, recipe, recipeFolder
        case outputFolder = "output"
    }

    static let type = "manifest"

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        root = try values.decode(String.self, forKey: .root)
        outputFolder = try values.decode(String.self, forKey: .outputFolder)
        recipe = try values.decode(String.self, forKey: .recipe)
        recipeFolder = try values.decodeIfPresent(String.self, forKey: .recipeFolder)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(Self.type, forKey: .type)
        try values.encode(Self.version, forKey: .version)
        try values.encode(root, forKey: .root)
        try values.encode(outputFolder, forKey: .outputFolder)
        try values.encode(recipe, forKey: .recipe)
        try values.encodeIfPresent(recipeFolder, forKey: .recipeFolder)
    }
}

/// What the first line says of itself, in any version.
struct ManifestSignature: Decodable {
    let type: String
    let version: Int
}

/// The last line of a manifest, without which it is not whole.
struct ManifestEnd: Codable {
    var type = Self.type
    let photos: Int
    /// SHA-256 of all lines before this one, in hexadecimal.
    let sha256: String

    static let type = "end"
}
