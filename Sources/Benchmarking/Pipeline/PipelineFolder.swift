import CTintypeBenchmark
import Foundation
import Tintype

/// A folder for the files of a pipeline's runs, photos and outputs.
package final class PipelineFolder: Sendable {
    /// The folder that it lies in, as it was named.
    package let parent: String
    /// Whether its files are in memory, where no disk is measured.
    package let isInMemory: Bool
    private let path: String
    /// So many bytes its files may take.
    let byteLimit: Int

    private static let usualByteLimit = 1 << 30

    /// - Parameter parent: nil takes the memory's folder if there is one, or else the temporary folder.
    /// - Throws: `BenchmarkError.noFolder`.
    package init(in parent: String?) throws(BenchmarkError) {
        let parent = parent ?? (Self.usableMemory ?? NSTemporaryDirectory())
        self.parent = parent
        isInMemory = cbenchmark_is_memory(parent)
        path = parent.appendingPathComponent("tintype-bench-\(getpid())-\(UUID().uuidString.prefix(8))")
        guard mkdir(path, 0o700) == 0, mkdir(path.appendingPathComponent("in"), 0o700) == 0 else {
            throw .noFolder(path: parent, .last)
        }
        byteLimit = min(Self.usualByteLimit, Self.freeByteCount(path) / 4)
    }

    deinit { remove() }

    /// Removes the folder with all files.
    package func remove() { try? FileManager.default.removeItem(atPath: path) }

    var output: String { path.appendingPathComponent("out") }

    func removeOutput() { try? FileManager.default.removeItem(atPath: output) }

    /// The first of some photos, which are made where they are missing.
    ///
    /// In memory, they are names of few files; on a disk, each is a file of its own.
    ///
    /// - Throws: `BenchmarkError.noFolder`.
    func jobs(_ count: Int, of photos: [BenchmarkPhoto]) throws(BenchmarkError) -> [PhotoJob] {
        var jobs: [PhotoJob] = []
        for index in 0..<count {
            let photo = photos[index % photos.count], name = "\(index).jpg"
            let file = path.appendingPathComponent("in/\(name)")
            let original = path.appendingPathComponent("in/\(index % photos.count).jpg")
            do throws(Errno) {
                try Self.make(file, photo, like: isInMemory && index >= photos.count ? original : nil)
            } catch {
                throw .noFolder(path: parent, error)
            }
            guard let identity = FileIdentity(path: file) else { throw .noFolder(path: parent, .last) }
            let input = InputPhoto(
                .file(path: file), folder: "", name: name, format: .jpeg, byteCount: photo.jpeg.count,
                identity: .file(identity))
            jobs.append(PhotoJob(photo: input, output: .file(path: output.appendingPathComponent(name))))
        }
        return jobs
    }

    /// - Parameter original: a file with the same bytes, in memory.
    private static func make(
        _ path: String, _ photo: BenchmarkPhoto, like original: String?
    ) throws(Errno) {
        if access(path, F_OK) == 0 { return }
        if let original, link(original, path) == 0 { return }
        let file = try OpenFile(creating: path)
        try file.write(photo.jpeg)
        try file.sync()
    }

    /// Lets the system forget what it has read of photos, so that the disk is read.
    func forget(_ jobs: [PhotoJob]) {
        guard !isInMemory else { return }
        for job in jobs {
            guard let file = try? OpenFile(reading: job.photo.path) else { continue }
            _ = posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED)
        }
    }

    /// A container's may be too small.
    private static var usableMemory: String? {
        let path = "/dev/shm"
        let isUsable = cbenchmark_is_memory(path) && access(path, W_OK | X_OK) == 0
        return isUsable && freeByteCount(path) >= usualByteLimit ? path : nil
    }

    private static func freeByteCount(_ path: String) -> Int {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return .max }
        return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }
}
