import Tintype

/// What a run has come to so far.
struct RunTally {
    var doneCount = 0
    var failedCount = 0
    var cancelledCount = 0
    /// Photos that were never taken up.
    var notTakenCount = 0
    var fallbackCount = 0
    var pixelCount = 0
    /// Bytes of the photos that have been read, of whatever became of them.
    var inputByteCount = 0
    var failureKinds: Set<PhotoError.Kind> = []
    var photosByDevice: [String: Int] = [:]

    var notDoneCount: Int { cancelledCount + notTakenCount }

    mutating func add(_ failure: InputFailure) {
        failedCount += 1
        failureKinds.insert(failure.error.kind)
    }

    mutating func add(_ result: PhotoResult) {
        inputByteCount += result.job.photo.byteCount
        switch result.status {
        case .done:
            doneCount += 1
            pixelCount += result.pixelCount
            if let device = result.device { photosByDevice[device, default: 0] += 1 }
            if result.fallback != nil { fallbackCount += 1 }
        case .failed(let error):
            failedCount += 1
            failureKinds.insert(error.kind)
        case .cancelled:
            cancelledCount += 1
        }
    }
}
