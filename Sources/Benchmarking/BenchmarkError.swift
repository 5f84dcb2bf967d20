import Tintype

/// Why something could not be measured.
package enum BenchmarkError: Error, Equatable, Sendable {
    /// The codec floor exists for YCbCr JPEGs only.
    case notAYCbCrJPEG
    case noMemoryFile(reason: String)
    case floorFailed(photo: String)
    /// The folder for a pipeline's files cannot be used.
    case noFolder(path: String, Errno)
}

extension BenchmarkError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAYCbCrJPEG:
            "This is no JPEG in colour (YCbCr), the only kind that the benchmark measures. Name another photo, "
                + "or none: the benchmark then makes its own."
        case .noMemoryFile(let reason):
            "There is not enough memory for the benchmark's output: \(reason). Try a smaller --size or fewer --jobs."
        case .floorFailed(let photo):
            "libjpeg could not decode and encode \(photo), so there is nothing to compare with. Try another "
                + "photo."
        case .noFolder(let path, let error):
            "No files can be written in \(path.printableName): \(error). Name another folder with --folder."
        }
    }
}
