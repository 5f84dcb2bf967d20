import Photos

/// What a session tells whoever runs it; all of it on the serial main queue.
public struct SessionEvents: Sendable {
    /// A photo was filtered, by this operation of its steps.
    public var filtered: @Sendable (PhotoRecord, any ImageDataProvider) -> Void = { _, _ in }
    /// A photo has failed, in this operation; told once for each photo that has.
    public var failed: @Sendable (PhotoRecord, PhotoError, any ImageDataProvider) -> Void = { _, _, _ in }
    /// How many downloads are in progress, whenever that has changed: for an activity indicator.
    public var networkActivity: @Sendable (Int) -> Void = { _ in }
    /// Everything that was asked for is done or cancelled, and no operation of the session is left
    /// unfinished.
    public var rested: @Sendable (SessionSummary) -> Void = { _ in }

    public init() {}
}

/// How far the photos of a session are.
public struct SessionSummary: Hashable, Sendable {
    public let filtered: Int
    public let failed: Int
    /// New or downloaded.
    public let notDone: Int

    package init(filtered: Int, failed: Int, notDone: Int) {
        self.filtered = filtered
        self.failed = failed
        self.notDone = notDone
    }

    init(_ records: PhotoRecords) {
        var (filtered, failed) = (0, 0)
        for item in records.indices {
            switch records.state(of: item) {
            case .filtered: filtered += 1
            case .failed: failed += 1
            case .new, .downloaded, nil: break
            }
        }
        self.filtered = filtered
        self.failed = failed
        notDone = records.count - filtered - failed
    }
}
