/// What the page and the server tell each other about stars, as JSON.

/// Gives photos stars.
struct StarsRequest: Decodable {
    /// As `SaveRequest.photos`.
    let items: [[Int]]
    let stars: Int
}

/// Stars that are not in the photos' XMP yet.
struct StarsToWriteMessage: Encodable, Equatable {
    /// Photos whose XMP would be written.
    var count = 0
    /// The folders that they are in.
    var folderCount = 0
    /// The first of these; nil if there is none.
    var folder: String?
}

/// What has become of an order to write stars.
struct StarsWrittenMessage: Encodable, Equatable {
    var written = 0
    var failed = 0
    /// The first of those that failed.
    var problems: [PhotoProblem] = []
}
