import Foundation
import TintypeCodecs
import TintypeFiles
import TintypeImaging
import TintypeRendering

/// One output of a photo while it is made.
// @unchecked: one thread at a time uses it: the photo's, then that of `OutputGroup.render`, then the photo's again.
final class OutputBranch: @unchecked Sendable {
    let output: PhotoOutput
    let draft: RenderDraft
    /// Nil for an output without a name.
    private let file: OutputFile?
    /// The bytes of an output without a name, until they are taken.
    private var spool: OpenFile?
    let hash: ContentHash?
    /// Nil for a copy of the compressed bytes.
    private(set) var plan: PlannedOutput?
    /// What the device encodes; nil if the output is encoded here.
    var image: CompressedImage?
    /// Who decodes and encodes; nil for a copy.
    var coding: CodingReport?
    private(set) var path: RenderPath?
    /// Why the output cannot be made.
    private(set) var failure: (any Error)?

    init(_ output: PhotoOutput, _ draft: RenderDraft, _ file: consuming OutputFile, hash: ContentHash?) {
        self.output = output
        self.draft = draft
        self.file = .some(file)
        self.hash = hash
    }

    init(_ output: PhotoOutput, _ draft: RenderDraft, spool: consuming OpenFile) {
        self.output = output
        self.draft = draft
        self.spool = .some(spool)
        file = nil
        hash = nil
    }

    /// Plans an output that is encoded.
    ///
    /// - Parameter makeMap: see `OutputGainMap.outcome`.
    func makePlan(
        _ reader: PhotoReader, _ makeMap: (RenderDraft) throws -> OutputGainMap.Outcome
    ) {
        guard let decoding = draft.decoding else { return }
        keepingFailure {
            plan = try PlannedOutput(
                reader, draft, decoding, makeMap(draft), scratchFolder: scratchFolder)
        }
    }

    /// Nil for an output without a name.
    private var scratchFolder: String? { withFile { $0.path.parentFolder } }

    /// Begins an output that is encoded, unless its plan has failed.
    ///
    /// - Parameter input: the photo, decoded as the plan says, or to be decoded by the device.
    func begin(_ input: RenderInput) {
        guard let plan else { return }
        keepingFailure {
            path = try RenderPath(
                input, plan, encodedAs: image, to: descriptor, observer: hash)
        }
    }

    func beginCopy(
        _ reader: PhotoReader, _ makeMap: (RenderDraft) throws -> OutputGainMap.Outcome
    ) {
        keepingFailure {
            path = try RenderPath(
                copying: reader, draft, makeMap(draft), to: descriptor, scratchFolder: scratchFolder,
                observer: hash)
        }
    }

    private func keepingFailure(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            fail(error)
        }
    }

    func fail(_ error: any Error) {
        switch (output.place, error) {
        case (.image, CodecError.writeFailed(let cause)),
            (.standardOutput, CodecError.writeFailed(let cause)):
            failure = PhotoError.temporaryFile(folder: NSTemporaryDirectory(), cause)
        default: failure = error
        }
    }

    private var descriptor: Int32 {
        if let descriptor = withFile({ $0.file.number }) { return descriptor }
        switch spool {
        case .some(let spool): return spool.number
        case .none: preconditionFailure("the output's bytes were taken")
        }
    }

    /// Passes the file to `body`; nil for an output without a name.
    func withFile<Result>(_ body: (borrowing OutputFile) throws -> Result) rethrows -> Result? {
        switch file {
        case .some(let file): try body(file)
        case .none: nil
        }
    }

    /// Takes the bytes of a complete output without a name.
    func takeSpool() throws -> SpoolFile {
        guard let spool = spool.take() else { preconditionFailure("the output has a name, or was taken") }
        return try SpoolFile(spool)
    }
}
