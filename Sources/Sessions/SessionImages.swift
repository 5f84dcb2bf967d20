import Foundation
import Logging
import TintypeFiles
import TintypeOperations

/// The images that a session keeps: where they lie, and which are released first.
struct SessionImages {
    enum Kind {
        case filtered, original
    }

    private let keepsOriginals: Bool
    private var filtered: RecentImages
    private var originals: RecentImages
    /// Made for the first image that is moved to a file.
    private var folder: ParkingFolder?
    /// For operations that move images to files. They mostly wait for the disk.
    let queue: OperationQueue

    init(_ configuration: PhotoSession.Configuration) {
        keepsOriginals = configuration.keepsDownloadedImages
        filtered = RecentImages(
            countLimit: configuration.filteredImageLimit, byteLimit: configuration.filteredByteLimit)
        originals = RecentImages(countLimit: .max, byteLimit: configuration.downloadedByteLimit)
        queue = OperationQueue()
        queue.name = "Parking queue"
        queue.maxConcurrentOperationCount = 2
    }

    /// An operation that moves a photo's images to files; nil if that is not necessary: they keep no file open,
    /// and no downloaded image stays in memory.
    mutating func parking(of record: PhotoRecord, logger: Logger) -> ParkOperation? {
        let photo = record.snapshot
        let keepsOpen = [photo.original, photo.filtered].contains { $0?.costsDescriptor ?? false }
        guard keepsOpen || keepsOriginals && !(photo.original?.isInNamedFile ?? true) else { return nil }
        // Without a folder the image keeps its file open. Too many open files fail a later download.
        guard let folder = try? folder ?? ParkingFolder() else { return nil }
        self.folder = folder
        return ParkOperation(photo, in: folder, name: record.name, logger: logger)
    }

    /// Notes which images a photo has.
    mutating func note(_ record: PhotoRecord, _ item: Int, isVisible: Bool) {
        let photo = record.snapshot
        // An image in the user's own file takes no room.
        let filteredByteCount = photo.filtered?.keptByteCount ?? 0
        filtered.set(
            item, byteCount: filteredByteCount == 0 ? nil : filteredByteCount, isSeen: isVisible)
        guard keepsOriginals, !record.isLocal else {
            return originals.set(item, byteCount: nil, isSeen: false)
        }
        originals.set(item, byteCount: photo.original?.keptByteCount, isSeen: isVisible)
    }

    /// Notes that photos are in view, or were until now.
    ///
    /// - Parameter isAtWork: photos whose images may come later; `note` is called for each in any case.
    mutating func see(_ items: Set<Int>, isAtWork: (Int) -> Bool) {
        filtered.see(items, isAtWork: isAtWork)
        originals.see(items, isAtWork: isAtWork)
    }

    mutating func forgetFiltered() { filtered.removeAll() }

    mutating func forgetAll() {
        filtered.removeAll()
        originals.removeAll()
    }

    /// An image to be released; nil within the limits.
    func excess(_ isInUse: (Int) -> Bool) -> (item: Int, kind: Kind)? {
        if let item = filtered.excess(isInUse) { return (item, .filtered) }
        return originals.excess(isInUse).map { ($0, .original) }
    }

    /// The session is at rest. Images that are not kept are gone, so their folder goes with the last one.
    mutating func rest() {
        if !keepsOriginals { folder = nil }
    }
}
