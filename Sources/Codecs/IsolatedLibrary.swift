import CTintypeIsolation
import TintypeImaging

/// A library that reads and writes photos in a process of its own: see `cisolation.h`.
struct IsolatedLibrary {
    let name: String
    /// Debian's.
    let package: String
    /// That of the encoder, where it is one of its own.
    var encoderPackage: String?

    /// Why a photo was not read.
    func readError(
        _ answer: cisolation_answer, _ format: PhotoFormat, fileIsWhole: Bool, limits: DecodeLimits
    ) -> CodecError {
        switch answer.status {
        case CISOLATION_STATUS_TOO_MUCH_METADATA: .tooMuchMetadata(limit: limits.maxMetadataByteCount)
        case CISOLATION_STATUS_CORRUPT: fileIsWhole ? .corrupt(detail: answer.text) : .truncated
        case CISOLATION_STATUS_UNSUPPORTED:
            fileIsWhole ? .unsupported(detail: "\(name): \(answer.text)") : .truncated
        default: error(answer, format)
        }
    }

    /// Why a photo was not written.
    func writeError(_ answer: cisolation_answer, _ format: PhotoFormat) -> CodecError {
        switch answer.status {
        case CISOLATION_STATUS_CORRUPT, CISOLATION_STATUS_UNSUPPORTED:
            .unsupported(detail: "\(name) cannot encode it: \(answer.text)")
        default: error(answer, format)
        }
    }

    private func error(_ answer: cisolation_answer, _ format: PhotoFormat) -> CodecError {
        switch answer.status {
        case CISOLATION_STATUS_NO_LIBRARY: .needsLibrary(format: format, package: package)
        case CISOLATION_STATUS_NO_ENCODER: .needsLibrary(format: format, package: encoderPackage ?? package)
        case CISOLATION_STATUS_NO_PROCESS: .unsupported(detail: "no process for \(name): \(answer.text)")
        default: .outOfMemory
        }
    }
}

extension cisolation_answer {
    init(_ status: cisolation_status) {
        self.init()
        self.status = status
    }

    /// The library's own message, or the system's.
    fileprivate var text: String {
        withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
