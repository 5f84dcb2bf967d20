import CTintypeIsolation
import TintypeImaging

/// A library that reads and writes photos in a process of its own: see `cisolation_codec.h`.
struct IsolatedLibrary {
    let name: String
    let codec: @Sendable () -> UnsafePointer<cisolation_codec>
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
        case CISOLATION_STATUS_TRUNCATED: .truncated
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

    /// Writes the file of another format that a file becomes without loss.
    ///
    /// - Parameters:
    ///   - pixelCount: of the image.
    ///   - byteCount: the most bytes of memory that the library may take.
    ///   - format: the library's, for messages.
    /// - Throws: `CodecError.imageNotKept` if the library cannot do it.
    func recode(
        _ file: [UInt8], to output: ByteOutput,
        by function: @convention(c) (UnsafeMutablePointer<cisolation_recoding>?) -> Bool,
        pixelCount: Int, memory byteCount: Int, format: PhotoFormat
    ) throws(CodecError) {
        var status = CISOLATION_STATUS_OK
        let recoded = file.withUnsafeBufferPointer { file in
            cisolation_recode(
                codec(), function, cisolation_file(bytes: file.baseAddress, byte_count: file.count),
                pixelCount,
                byteCount, &status)
        }
        guard let recoded else { throw error(cisolation_answer(status), format) }
        defer { cisolation_recoded_destroy(recoded) }
        switch status {
        case CISOLATION_STATUS_OK: break
        case CISOLATION_STATUS_CORRUPT, CISOLATION_STATUS_TRUNCATED, CISOLATION_STATUS_UNSUPPORTED:
            throw .imageNotKept(format: format, detail: recoded.pointee.answer.text)
        default: throw error(recoded.pointee.answer, format)
        }
        let bytes = UnsafeRawBufferPointer(
            start: cisolation_recoded_file(recoded), count: recoded.pointee.byte_count)
        try output.writeAll(bytes)
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
