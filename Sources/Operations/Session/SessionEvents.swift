import Photos

extension PhotoSession {
    /// An event of a session.
    public enum Event: Sendable {
        /// A photo was filtered by this operation.
        case filtered(PhotoRecord, any ImageDataProvider)
        /// A photo has failed in this operation. Sent once for each failed photo.
        case failed(PhotoRecord, PhotoError, any ImageDataProvider)
        /// The state or the image of a photo, or of all photos, may have changed, or whether it is busy. Sent
        /// for photos that are not in view as well.
        case changed(ReloadOperation.Scope)
        /// The number of downloads in progress has changed, for an activity indicator.
        case networkActivity(Int)
        /// All requested work is done or cancelled, and all operations of the session have finished.
        case rested(SessionSummary)
    }
}

/// Handlers of a session's events, called on the serial main queue.
public struct SessionEvents: Sendable {
    /// A photo was filtered by this operation.
    public var filtered: @Sendable (PhotoRecord, any ImageDataProvider) -> Void = { _, _ in }
    /// A photo has failed in this operation. Called once for each failed photo.
    public var failed: @Sendable (PhotoRecord, PhotoError, any ImageDataProvider) -> Void = { _, _, _ in }
    /// The state or the image of a photo, or of all photos, may have changed, or whether it is busy. Called
    /// for photos that are not in view as well. See `PhotoSession.isBusy`.
    public var changed: @Sendable (ReloadOperation.Scope) -> Void = { _ in }
    /// The number of downloads in progress has changed, for an activity indicator.
    public var networkActivity: @Sendable (Int) -> Void = { _ in }
    /// All requested work is done or cancelled, and all operations of the session have finished.
    public var rested: @Sendable (SessionSummary) -> Void = { _ in }

    /// Handlers that do nothing.
    public init() {}

    func handle(_ event: PhotoSession.Event) {
        switch event {
        case .filtered(let record, let operation): filtered(record, operation)
        case .failed(let record, let error, let operation): failed(record, error, operation)
        case .changed(let scope): changed(scope)
        case .networkActivity(let count): networkActivity(count)
        case .rested(let summary): rested(summary)
        }
    }
}

/// Counts of a session's photos by state.
public struct SessionSummary: Hashable, Sendable {
    /// Photos in state `filtered`.
    public let filtered: Int
    /// Photos in state `failed`.
    public let failed: Int
    /// New or downloaded.
    public let notDone: Int

    package init(filtered: Int, failed: Int, notDone: Int) {
        self.filtered = filtered
        self.failed = failed
        self.notDone = notDone
    }

    init(_ counts: PhotoCounts) {
        self.init(
            filtered: counts.filtered, failed: counts.failed, notDone: counts.new + counts.downloaded)
    }
}
