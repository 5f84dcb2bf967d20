import Foundation
import Tintype

/// A JSON file of the user's, which several galleries at a time may read and change.
struct SharedJSONFile: Sendable {
    let path: String
    /// Bytes after these are not read.
    let byteLimit: Int

    /// - Returns: nil if there is no such file.
    /// - Throws: `Errno`; `DecodingError` for a file that holds something else.
    func read<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        do {
            let file = try OpenFile(reading: path)
            let bytes = try file.firstBytes(min(file.status().byteCount, byteLimit))
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as Errno where error == .noSuchFileOrDirectory {
            return nil
        }
    }

    /// Replaces the file; only its user may read it. Call this in `withLock`.
    func write(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = Array(try encoder.encode(value))
        try OpenFile.replace(path, permissions: .ownerReadWrite) { file throws(Errno) in
            try file.write(bytes)
        }
    }

    /// Other galleries and threads wait until `body` has ended. The file itself is replaced, so the lock is on
    /// one beside it.
    func withLock<Result>(_ body: () throws -> Result) throws -> Result {
        try OutputFile.createFolders(path.parentFolder)
        let lock = try OpenFile("\(path).lock", .writeOnly, .create, permissions: .ownerReadWrite)
        // Some file systems have no locks.
        try? lock.lock(0)
        defer { lock.unlock(0) }
        return try body()
    }
}
