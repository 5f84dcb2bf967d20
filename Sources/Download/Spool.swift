import Foundation
import SystemPackage
import TintypeFiles

/// Stores the bytes of one body as they arrive, and identifies their content.
final class Spool {
    /// Where a further attempt may resume.
    struct ResumePoint {
        let offset: Int
        let validator: StrongValidator
    }

    private(set) var byteCount = 0
    /// Size of the whole body; nil if the server has not announced it.
    private(set) var totalByteCount: Int?
    private var validator: StrongValidator?
    private let file: SharedFile
    private let partial: PartialFile?
    private let path: String

    /// - Throws: `DownloadError.storage`.
    init(for address: WebAddress, partialsDirectory: URL?, spoolDirectory: URL) throws(DownloadError) {
        if let partialsDirectory, let partial = try PartialFile.open(for: address, in: partialsDirectory) {
            self.partial = partial
            file = partial.file
            path = partialsDirectory.path
            if let record = partial.readRecord(), let size = try? file.file.status().byteCount, size > 0 {
                byteCount = size
                validator = record.validator
                totalByteCount = record.totalByteCount
            }
        } else {
            partial = nil
            path = spoolDirectory.path
            do throws(Errno) {
                file = SharedFile(try OpenFile.anonymous(in: path))
            } catch {
                throw .storage(path: path, error)
            }
        }
    }

    var resumePoint: ResumePoint? {
        guard byteCount > 0, let validator else { return nil }
        return ResumePoint(offset: byteCount, validator: validator)
    }

    /// Whether nothing indicates that the bytes belong to other content.
    func belongs(to validator: StrongValidator?, totalByteCount: Int?) -> Bool {
        if let validator, validator != self.validator { return false }
        if let totalByteCount, let known = self.totalByteCount, totalByteCount != known { return false }
        return true
    }

    /// Discards all bytes. Later bytes belong to the content that `validator` identifies.
    ///
    /// - Throws: `DownloadError.storage`.
    func startOver(validator: StrongValidator? = nil, totalByteCount: Int? = nil) throws(DownloadError) {
        partial?.removeRecord()
        do throws(Errno) {
            try file.file.truncate(to: 0)
        } catch {
            throw .storage(path: path, error)
        }
        byteCount = 0
        self.validator = validator
        self.totalByteCount = totalByteCount
        try partial?.writeRecord(validator: validator, totalByteCount: totalByteCount)
    }

    /// - Throws: `DownloadError.storage`, usually because the disk is full.
    func append(_ bytes: UnsafeRawBufferPointer) throws(DownloadError) {
        do throws(Errno) {
            try Errno.typed {
                _ = try file.file.descriptor.writeAll(toAbsoluteOffset: Int64(byteCount), bytes)
            }
        } catch {
            throw .storage(path: path, error)
        }
        byteCount += bytes.count
    }

    /// Returns the complete body. Nothing may be appended afterwards.
    func finish() -> DownloadedBody {
        partial?.remove()
        return DownloadedBody(file, byteCount: byteCount)
    }

    /// - Parameter keepingPartial: whether to keep the bytes for a later run, if it can resume.
    func abandon(keepingPartial: Bool) {
        if !keepingPartial || resumePoint == nil { partial?.remove() }
    }
}
