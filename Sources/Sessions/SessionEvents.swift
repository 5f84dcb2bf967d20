import TintypePhotos
import TintypeOperations

extension PhotoSession {
    /// An event of a session.
    public enum Event: Sendable {
        /// A photo was filtered, as the report says. For an operation of the caller's own, the report is empty.
        case filtered(PhotoRecord, FilterReport)
        /// A photo has failed. Sent once for each failed photo. The report is empty unless its filter has failed.
        case failed(PhotoRecord, PhotoError, FilterReport)
        /// The state or the image of a photo, or of all photos, may have changed, or whether it is busy. Sent
        /// for photos that are not in view as well.
        case changed(ReloadOperation.Scope)
        /// The number of downloads in progress has changed, for an activity indicator.
        case networkActivity(Int)
        /// All requested work is done or cancelled, and all operations of the session have finished.
        case rested(SessionSummary)
    }
}

/// Handlers of a session's events, called on the serial main queue. `ViewEvents` has those of the main actor.
///
/// The session keeps them: one that needs the session captures it weakly.
public struct SessionEvents: Sendable {
    /// A photo was filtered, as the report says. For an operation of the caller's own, the report is empty.
    public var filtered: @Sendable (PhotoRecord, FilterReport) -> Void = { _, _ in }
    /// A photo has failed. Called once for each failed photo. The report is empty unless its filter has failed.
    public var failed: @Sendable (PhotoRecord, PhotoError, FilterReport) -> Void = { _, _, _ in }
    /// The state or the image of a photo, or of all photos, may have changed, or whether it is busy. Called
    /// for photos that are not in view as well. See `PhotoSession.isBusy`.
    public var changed: @Sendable (ReloadOperation.Scope) -> Void = { _ in }
    /// The number of downloads in progress has changed, for an activity indicator.
    public var networkActivity: @Sendable (Int) -> Void = { _ in }
    /// All requested work is done or cancelled, and all operations of the session have finished.
    public var rested: @Sendable (SessionSummary) -> Void = { _ in }
    /// A photo was filtered or has failed in this operation, which must not be kept: its result may keep a file
    /// open. Called before `filtered` and `failed`.
    package var ended: @Sendable (PhotoRecord, any ImageDataProvider) -> Void = { _, _ in }

    /// Handlers that do nothing.
    public init() {}

    func handle(_ event: PhotoSession.Event) {
        switch event {
        case .filtered(let record, let report): filtered(record, report)
        case .failed(let record, let error, let report): failed(record, error, report)
        case .changed(let scope): changed(scope)
        case .networkActivity(let count): networkActivity(count)
        case .rested(let summary): rested(summary)
        }
    }
}

/// Handlers of a session's events on the main actor, for a session with a `PhotoView`. See `SessionEvents`.
public struct ViewEvents: Sendable {
    /// As `SessionEvents.filtered`.
    public var filtered: @MainActor @Sendable (PhotoRecord, FilterReport) -> Void = { _, _ in }
    /// As `SessionEvents.failed`.
    public var failed: @MainActor @Sendable (PhotoRecord, PhotoError, FilterReport) -> Void = { _, _, _ in }
    /// As `SessionEvents.changed`.
    public var changed: @MainActor @Sendable (ReloadOperation.Scope) -> Void = { _ in }
    /// As `SessionEvents.networkActivity`.
    public var networkActivity: @MainActor @Sendable (Int) -> Void = { _ in }
    /// As `SessionEvents.rested`.
    public var rested: @MainActor @Sendable (SessionSummary) -> Void = { _ in }

    /// Handlers that do nothing.
    public init() {}

    /// The same handlers, for a session on the main actor's queue.
    var onMainQueue: SessionEvents {
        var events = SessionEvents()
        events.filtered = { record, report in MainActor.assumeIsolated { filtered(record, report) } }
        events.failed = { record, error, report in MainActor.assumeIsolated { failed(record, error, report) }
        }
        events.changed = { scope in MainActor.assumeIsolated { changed(scope) } }
        events.networkActivity = { count in MainActor.assumeIsolated { networkActivity(count) } }
        events.rested = { summary in MainActor.assumeIsolated { rested(summary) } }
        return events
    }
}

/// Counts of a session's photos.
public struct SessionSummary: Hashable, Sendable {
    /// Photos in state `filtered`.
    public let filtered: Int
    /// Photos that were filtered, and whose images were released since, beyond the session's limits. No later
    /// `start` or `run` filters them again; `show(visible:)` and `startOperations(for:)` do.
    public let released: Int
    /// Photos in state `failed`.
    public let failed: Int
    /// Photos that are still to be filtered.
    public let notDone: Int

    package init(filtered: Int, released: Int = 0, failed: Int, notDone: Int) {
        self.filtered = filtered
        self.released = released
        self.failed = failed
        self.notDone = notDone
    }

    init(_ counts: PhotoCounts) {
        self.init(
            filtered: counts.filtered, released: counts.released, failed: counts.failed,
            notDone: counts.new + counts.downloaded)
    }
}
