/// Why something could not be measured.
package enum BenchmarkError: Error, Equatable, Sendable {
    /// The benchmark compares with libjpeg's colour conversion, so other photos do not fit.
    case notAYCbCrJPEG
    case noMemoryFile(reason: String)
    case floorFailed(photo: String)
    /// The run was interrupted before there was anything to report.
    case nothingMeasured
}

extension BenchmarkError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAYCbCrJPEG:
            "This is no JPEG in colour (YCbCr), which is what the benchmark measures. Give it another "
                + "photo, or none: it then makes its own."
        case .noMemoryFile(let reason):
            "There is no memory for the benchmark's output: \(reason). Try a smaller --size or fewer --jobs."
        case .floorFailed(let photo):
            "libjpeg could not decode and encode \(photo), so there is nothing to compare with. Try another "
                + "photo."
        case .nothingMeasured:
            "Nothing was measured before the run was interrupted."
        }
    }
}
