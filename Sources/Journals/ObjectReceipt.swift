import Foundation
import TintypeFiles

/// What an output's object says of how it was made, in its metadata.
///
/// It stands for the journal of an output folder: object stores have no locks, and nothing can be appended to an object.
package struct ObjectReceipt: Equatable {
    /// See `Recipe.canonicalText`; a long one is a hash.
    package let recipe: String
    package let input: InputIdentity
    /// Size of the object.
    package let byteCount: Int
    /// SHA-256 of the object, in hexadecimal.
    package let sha256: String

    /// S3 allows 2 KB of metadata, for three texts and some 300 bytes of names, hashes and numbers. Longer texts are kept as their
    /// hashes.
    private static let textByteLimit = 550
    private static let hashMark = "sha256:"

    /// No name may be another one with a hyphen and more behind it: libcurl 7.88 would sign them in the wrong order.
    private enum Key: String {
        case recipe = "tintype-recipe"
        case location = "tintype-photo"
        case byteCount = "tintype-input-bytes"
        case modified = "tintype-input-modified"
        case validator = "tintype-input-validator"
        case inputSHA256 = "tintype-input-sha256"
        case outputByteCount = "tintype-bytes"
        case sha256 = "tintype-sha256"
    }

    package init(recipe: String, input: InputIdentity, byteCount: Int, sha256: String) {
        self.recipe = Self.short(recipe)
        var input = input
        input.location = Self.short(input.location)
        input.validator = input.validator.map(Self.short)
        self.input = input
        self.byteCount = byteCount
        self.sha256 = sha256
    }

    /// The receipt in an object's metadata; nil if Tintype has not made it.
    package init?(metadata: [String: String]) {
        func value(_ key: Key) -> String? { metadata[key.rawValue]?.removingPercentEncoding }
        guard let recipe = value(.recipe), let location = value(.location), let sha256 = value(.sha256),
            let byteCount = value(.outputByteCount).flatMap({ Int($0) })
        else { return nil }
        self.recipe = recipe
        input = InputIdentity(
            location: location, byteCount: value(.byteCount).flatMap { Int($0) },
            modified: value(.modified).flatMap { Int64($0) }, validator: value(.validator),
            digest: value(.inputSHA256).map { ContentDigest(.sha256, $0) })
        self.byteCount = byteCount
        self.sha256 = sha256
    }

    /// Headers have ASCII only.
    package var metadata: [String: String] {
        var values: [Key: String] = [.recipe: recipe, .location: input.location, .sha256: sha256]
        values[.outputByteCount] = "\(byteCount)"
        values[.byteCount] = input.byteCount.map { "\($0)" }
        values[.modified] = input.modified.map { "\($0)" }
        values[.validator] = input.validator
        if let digest = input.digest, digest.algorithm == .sha256 {
            values[.inputSHA256] = digest.hexadecimal
        }
        return Dictionary(
            uniqueKeysWithValues: values.map { ($0.key.rawValue, Self.encoded($0.value)) })
    }

    /// Whether the object was made with this recipe.
    package func hasRecipe(_ text: String) -> Bool {
        recipe.exact == text.exact || recipe.exact == Self.short(text).exact
    }

    /// The input, under another's location if that is the same.
    package func input(like other: InputIdentity) -> InputIdentity {
        var input = input
        if input.location.exact == Self.short(other.location).exact { input.location = other.location }
        if input.validator == other.validator.map(Self.short) { input.validator = other.validator }
        return input
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? text
    }

    private static func short(_ text: String) -> String {
        guard encoded(text).utf8.count > textByteLimit else { return text }
        return hashMark + ContentHash.of(Array(text.utf8))
    }
}
