import Foundation
import SystemPackage
import TintypeCryptography
import TintypeFiles

/// A 256-bit AES key: 32 bytes, or their 64 hexadecimal digits, from memory or from a file; or the digits alone from an
/// environment variable.
///
/// The key is never printed: descriptions and errors name its source only.
public struct DecryptionKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// Sealed images of more bytes are refused by default: 256 MiB.
    public static let byteLimit = 256 << 20

    private let cipher: AES256GCM
    /// Where the key came from: a quoted path, `$` and the variable's name, or that it was in memory.
    public let source: String

    public var description: String { "key from \(source)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Reads the key from a file.
    ///
    /// - Throws: `DecryptionError` if the file cannot be read or holds no key.
    public init(file path: String) throws(DecryptionError) {
        let bytes: [UInt8]
        do throws(Errno) {
            let file = try OpenFile(reading: path)
            // More than either form of a key needs.
            bytes = try file.firstBytes(256)
        } catch {
            throw .keyUnreadable(path: path, error)
        }
        try self.init(bytes, source: "'\(path)'")
    }

    /// Reads the key from a file.
    ///
    /// - Throws: `DecryptionError` if the URL is not a file's, or the file cannot be read or holds no key.
    public init(contentsOf url: URL) throws(DecryptionError) {
        guard let path = url.filePath else {
            throw .keyUnreadable(path: url.lastPathComponent, .notSupported)
        }
        try self.init(file: path)
    }

    /// Takes a key in memory, as a file has it.
    ///
    /// - Throws: `DecryptionError.notAKey` unless these are 32 bytes or 64 hexadecimal digits.
    public init(bytes: [UInt8]) throws(DecryptionError) { try self.init(bytes, source: Self.memory) }

    /// Takes a key in memory, as a file has it: in a `Data`, or a `SymmetricKey` of CryptoKit or swift-crypto.
    ///
    /// - Throws: `DecryptionError.notAKey` unless these are 32 bytes or 64 hexadecimal digits.
    public init(data: some ContiguousBytes) throws(DecryptionError) {
        try self.init(bytes: data.withUnsafeBytes { Array($0) })
    }

    /// Takes 32 bytes in base64.
    ///
    /// - Throws: `DecryptionError.notAKey` unless the text is the base64 of 32 bytes.
    public init(base64Encoded text: String) throws(DecryptionError) {
        guard let bytes = Data(base64Encoded: text), bytes.count == 32 else {
            throw .notAKey(source: Self.memory)
        }
        try self.init(bytes: [UInt8](bytes))
    }

    private static let memory = "the program's memory"

    /// Reads the key from an environment variable.
    ///
    /// - Throws: `DecryptionError` if the variable is not set or holds no key.
    public init(
        environmentVariable name: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(DecryptionError) {
        guard let text = environment[name], !text.isEmpty else { throw .keyNotSet(variable: name) }
        guard let bytes = Self.decodeHexadecimal(text) else { throw .notAKey(source: "$\(name)") }
        cipher = AES256GCM(key: bytes)
        source = "$\(name)"
    }

    private init(_ bytes: [UInt8], source: String) throws(DecryptionError) {
        guard
            let raw = bytes.count == 32
                ? bytes : Self.decodeHexadecimal(String(decoding: bytes.withoutByteOrderMark, as: UTF8.self))
        else {
            throw .notAKey(source: source)
        }
        cipher = AES256GCM(key: raw)
        self.source = source
    }

    /// Decrypts nonce, ciphertext and tag.
    ///
    /// - Throws: `DecryptionError` if `sealed` is too short, was sealed with another key, or was changed.
    package func open(_ sealed: [UInt8]) throws(DecryptionError) -> [UInt8] {
        guard sealed.count >= AES256GCM.overhead else { throw .tooShort(byteCount: sealed.count) }
        guard let bytes = cipher.open(sealed) else { throw .notAuthentic(key: source) }
        return bytes
    }

    private static func decodeHexadecimal(_ text: String) -> [UInt8]? {
        let digits = text.trimmingCharacters(in: .whitespacesAndNewlines).compactMap(\.hexDigitValue)
        guard digits.count == 64, text.trimmingCharacters(in: .whitespacesAndNewlines).count == 64 else {
            return nil
        }
        return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

extension EncodedImage {
    /// The image that was sealed with AES-256-GCM: nonce (12 bytes), ciphertext and tag (16 bytes). Both are in memory as a
    /// whole meanwhile.
    ///
    /// - Parameter limit: a sealed image of more bytes fails.
    /// - Throws: `PhotoError`; `.decryption` if the key is another one, or the image was changed.
    public func decrypted(
        with key: DecryptionKey, limit: Int = DecryptionKey.byteLimit
    ) throws(PhotoError) -> EncodedImage {
        let sealed = try bytes(limit: limit)
        let opened: [UInt8]
        do throws(DecryptionError) {
            opened = try key.open(sealed)
        } catch {
            throw .decryption(error)
        }
        return try EncodedImage(bytes: opened)
    }
}

/// Why an image could not be decrypted.
public enum DecryptionError: Error, Equatable, Sendable {
    /// The environment variable is not set, or is empty.
    case keyNotSet(variable: String)
    /// The key's file cannot be read.
    case keyUnreadable(path: String, Errno)
    /// `source` holds neither 32 bytes nor 64 hexadecimal digits.
    case notAKey(source: String)
    /// The image is shorter than nonce and tag, 28 bytes.
    case tooShort(byteCount: Int)
    /// The tag does not match: the key is wrong or the bytes have changed. AES-GCM cannot tell which.
    case notAuthentic(key: String)
}

extension DecryptionError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .keyNotSet(let variable):
            "The environment has no key: set \(variable) to 64 hexadecimal digits."
        case .keyUnreadable(let path, let error):
            "The key file '\(path)' cannot be read: \(error). Check the path and its permissions."
        case .notAKey(let source):
            "\(source) holds no AES-256 key. It should be 32 bytes in a file, or 64 hexadecimal digits."
        case .tooShort(let byteCount):
            "This is not an encrypted photo: \(byteCount) bytes are fewer than the 28 of nonce and tag. "
                + "Fetch or copy it again."
        case .notAuthentic(let key):
            "This cannot be decrypted with the key from \(key): it was sealed with another key, or it is damaged. "
                + "Check the key, then fetch the photo again."
        }
    }
}
