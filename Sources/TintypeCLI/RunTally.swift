import Tintype

/// What a run has come to so far.
struct RunTally {
    var doneCount = 0
    var failedCount = 0
    var upToDateCount = 0
    /// Photos whose outputs existed and were left alone.
    var existingCount = 0
    /// Photos that another process is at.
    var elsewhereCount = 0
    /// Photos that an interrupted run has left.
    var notDoneCount = 0
    var fallbackCount = 0
    var pixelCount = 0
    /// Bytes of the photos that have been read, of whatever became of them.
    var inputByteCount = 0
    /// Bytes of those among them with which nothing had to be done.
    var skippedByteCount = 0
    var failureKinds: Set<PhotoError.Kind> = []
    var photosByDevice: [String: Int] = [:]

    /// Photos with which nothing had to be done.
    var skippedCount: Int { upToDateCount + existingCount + elsewhereCount }
    /// Photos of which there is nothing more to do in this run.
    var settledCount: Int { doneCount + failedCount + skippedCount }

    mutating func add(_ failure: InputFailure) {
        failedCount += 1
        failureKinds.insert(failure.error.kind)
    }

    mutating func add(_ result: PhotoResult) {
        inputByteCount += result.job.photo.byteCount
        if case .skipped = result.status { skippedByteCount += result.job.photo.byteCount }
        switch result.status {
        case .done:
            doneCount += 1
            pixelCount += result.pixelCount
            if let device = result.device { photosByDevice[device, default: 0] += 1 }
            if result.fallback != nil { fallbackCount += 1 }
        case .failed(let error):
            failedCount += 1
            failureKinds.insert(error.kind)
        case .skipped(.upToDate):
            upToDateCount += 1
        case .skipped(.outputExists):
            existingCount += 1
        case .skipped(.claimedElsewhere):
            elsewhereCount += 1
        }
    }
}
