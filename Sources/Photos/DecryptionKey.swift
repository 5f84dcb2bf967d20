import Foundation
import SystemPackage
import TintypeCryptography
import TintypeFiles

/// A 256-bit AES key, read from a file (32 bytes or 64 hexadecimal digits) or from an environment variable
/// (64 hexadecimal digits).
///
/// The key is never printed: descriptions and errors name its source only.
public struct DecryptionKey: Sendable, CustomStringConvertible, CustomReflectable {
    private let cipher: AES256GCM
    /// Where the key came from: a quoted path, or `$` and the variable's name.
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
