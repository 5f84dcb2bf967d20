import Files
import Foundation
import SystemPackage

/// An unfinished body kept under a name, so that a later run goes on where this one stopped.
///
/// Two files: the bytes, and a record of what they are a part of. The bytes' file is locked, so that two
/// downloads of one URL, in one process or in several, never write into it together.
struct PartialFile {
    /// What is known of the bytes so far.
    struct Record: Codable, Equatable {
        let url: String
        let validator: StrongValidator
        let totalByteCount: Int?
        /// Bytes written before the machine went down may be lost or zero, so they count within one boot
        /// only.
        let bootID: String
    }

    let file: SharedFile
    private let path: String
    private let url: String

    private static let bodyExtension = ".part"
    private static func recordPath(of path: String) -> String { path + ".json" }
    private var recordPath: String { Self.recordPath(of: path) }

    /// - Returns: nil where another download holds this partial file, or something else has its name.
    /// - Throws: `DownloadError.storage`.
    static func open(for address: WebAddress, in directory: URL) throws(DownloadError) -> PartialFile? {
        let path = directory.appendingPathComponent(name(for: address)).path
        // Three tries: the holder may finish, and remove the file, between our opening and our locking it; and
        // whoever cleans an empty folder removes it.
        for attempt in 1...3 {
            do throws(Errno) {
                try OutputFile.createFolders(directory.path)
                let file = try OpenFile(
                    path, .readWrite, [.create, .noFollow, .nonBlocking],
                    permissions: .ownerReadWrite)
                let status = try file.status()
                guard status.isRegularFile, try file.tryLockWhole() else { return nil }
                if FileIdentity(path: path) == FileIdentity(status) {
                    return PartialFile(file: SharedFile(file), path: path, url: address.redacted)
                }
            } catch {
                if attempt < 3, FileIdentity(path: directory.path) == nil { continue }
                throw .storage(path: path, error)
            }
        }
        return nil
    }

    /// Whether a file is a body by its name, and no record.
    static func isBody(_ path: String) -> Bool { path.hasSuffix(bodyExtension) }

    /// Removes a body and its record where no download is at work on it.
    ///
    /// - Returns: whether it is gone.
    static func removeIfUnowned(_ path: String) -> Bool {
        guard let file = try? OpenFile(path, .readWrite, [.noFollow, .nonBlocking]),
            (try? file.tryLockWhole()) == true
        else { return false }
        unlink(recordPath(of: path))
        return unlink(path) == 0
    }

    /// What the bytes belong to; nil where that is not known, and they are worth nothing.
    func readRecord() -> Record? {
        guard let data = FileManager.default.contents(atPath: recordPath),
            let record = try? JSONDecoder().decode(Record.self, from: data),
            record.url == url, record.bootID == Self.bootID
        else { return nil }
        return record
    }

    /// - Parameter validator: nil removes the record: the bytes cannot be added to later.
    /// - Throws: `DownloadError.storage`.
    func writeRecord(validator: StrongValidator?, totalByteCount: Int?) throws(DownloadError) {
        guard let validator, let bootID = Self.bootID else { return removeRecord() }
        let record = Record(url: url, validator: validator, totalByteCount: totalByteCount, bootID: bootID)
        do throws(Errno) {
            // Not atomically: a record that a kill leaves half written counts as none, and nothing lies beside it.
            let bytes = [UInt8]((try? JSONEncoder().encode(record)) ?? Data())
            try OpenFile(recordPath, .writeOnly, [.create, .truncate]).write(bytes)
        } catch {
            throw .storage(path: recordPath, error)
        }
    }

    /// Takes both names away; the bytes live on for as long as the file is open.
    func remove() {
        removeRecord()
        unlink(path)
    }

    /// Before the bytes change: a process killed in between must not leave a record of other bytes.
    func removeRecord() {
        unlink(recordPath)
    }

    /// FNV-1a (Fowler, Noll, Vo), 64 bits: letters and digits only, whatever the URL. Should two URLs ever
    /// share a name, the record tells them apart.
    private static func name(for address: WebAddress) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in address.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + bodyExtension
    }

    private static let bootID = try? String(
        contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8
    )
    .trimmingCharacters(in: .whitespacesAndNewlines)
}
