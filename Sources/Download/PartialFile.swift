import Foundation
import SystemPackage
import TintypeFiles
import TintypeImaging

/// An unfinished body in a named file, which a later run resumes.
///
/// There are two files: the bytes, and a record that identifies their content. The bytes' file is locked, so
/// that two downloads of one URL, in one or several processes, never write to it together.
struct PartialFile {
    /// Identifies the content that the bytes are a part of.
    struct Record: Codable, Equatable {
        let url: String
        let validator: StrongValidator
        let totalByteCount: Int?
        /// Bytes written before a crash of the machine may be lost or zero, so they are valid within one boot
        /// only.
        let bootID: String
    }

    let file: SharedFile
    private let path: String
    private let url: String

    private static let bodyExtension = ".part"
    private static func recordPath(of path: String) -> String { path + ".json" }
    private var recordPath: String { Self.recordPath(of: path) }

    /// - Returns: nil if another download holds this file, something other than a file has its name, or the folder is
    ///   a symbolic link.
    /// - Throws: `DownloadError.storage`.
    static func open(for address: WebAddress, in directory: URL) throws(DownloadError) -> PartialFile? {
        let path = directory.appendingPathComponent(name(for: address)).path
        // Three tries: between opening and locking, the holder may finish and remove the file, and another
        // process may remove the empty folder.
        for attempt in 1...3 {
            do throws(Errno) {
                try OutputFile.createFolders(directory.path)
                guard try Stat(link: directory.path).isFolder else { return nil }
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

    /// Whether a file's name is that of a body, not of a record.
    static func isBody(_ path: String) -> Bool { path.hasSuffix(bodyExtension) }

    /// Whether a file's name is that of a record.
    static func isRecord(_ path: String) -> Bool { path.hasSuffix(recordPath(of: bodyExtension)) }

    /// Removes a body and its record, unless a download is using it.
    ///
    /// - Returns: whether it was removed.
    static func removeIfUnowned(_ path: String) -> Bool {
        guard let file = try? OpenFile(path, .readWrite, [.noFollow, .nonBlocking]),
            (try? file.tryLockWhole()) == true
        else { return false }
        unlink(recordPath(of: path))
        return unlink(path) == 0
    }

    /// Bytes of a record, which has an address and some numbers.
    private static let longestRecord = 64 << 10

    /// The record of the bytes; nil if there is none, and the bytes are useless.
    func readRecord() -> Record? {
        // Others may write to this folder, too: a pipe or a link in the record's place is none.
        guard let file = try? OpenFile(recordPath, .readOnly, [.noFollow, .nonBlocking]),
            (try? file.status().isRegularFile) == true,
            let bytes = try? file.firstBytes(Self.longestRecord),
            let record = try? JSONDecoder().decode(Record.self, from: Data(bytes)),
            record.url.exact == url.exact, record.bootID == Self.bootID
        else { return nil }
        return record
    }

    /// - Parameter validator: nil removes the record, so that the bytes cannot be resumed.
    /// - Throws: `DownloadError.storage`.
    func writeRecord(validator: StrongValidator?, totalByteCount: Int?) throws(DownloadError) {
        guard let validator, let bootID = Self.bootID else { return removeRecord() }
        let record = Record(url: url, validator: validator, totalByteCount: totalByteCount, bootID: bootID)
        do throws(Errno) {
            // Not atomic: a partially written record counts as none, and no temporary file is left.
            let bytes = [UInt8]((try? JSONEncoder().encode(record)) ?? Data())
            try OpenFile(recordPath, .writeOnly, [.create, .truncate, .noFollow, .nonBlocking]).write(bytes)
        } catch {
            throw .storage(path: recordPath, error)
        }
    }

    /// Removes both names; the bytes remain while the file is open.
    func remove() {
        removeRecord()
        unlink(path)
    }

    /// Call it before the bytes change, so that a killed process leaves no record of other bytes.
    func removeRecord() {
        unlink(recordPath)
    }

    /// A hash of the URL in 16 hexadecimal digits. If two URLs share a name, the record tells them apart.
    private static func name(for address: WebAddress) -> String {
        let digits = String(address.text.utf8.fnv1a, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + bodyExtension
    }

    private static let bootID = try? String(
        contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8
    )
    .trimmingCharacters(in: .whitespacesAndNewlines)
}
