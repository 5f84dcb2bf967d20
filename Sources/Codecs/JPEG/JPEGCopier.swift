import Imaging
import Metadata

/// Writes a JPEG whose pixels did not change: the photo's own compressed image, byte by byte. With the photo's
/// own metadata it is the whole file, with the pictures behind the photo, whose places the metadata says.
///
/// Coding the decoded samples again would not give the same coefficients: samples are rounded and clipped to
/// 8 bits, and where quantisation steps are small, many coefficients come back off by one. So the copier
/// looks on while the decoder reads. That keeps it to one pass, also from a pipe, and the decoder still
/// proves each byte of the photo sound; here it is enough to know where segments begin and end, which is the
/// same in every kind of JPEG. (libjpeg's own transcoding holds the coefficients of the whole image, and
/// leaves no samples to check.)
///
/// What the decoder passes over, such as stray bytes between segments, is copied without a look, and so is what it
/// would not take: the photo fails then anyway.
final class JPEGCopier: PhotoEncoder {
    private enum State {
        /// Behind a segment: coded data, or nothing before the next marker.
        case data
        /// Behind 0xFF, which is held.
        case marker
        /// In a segment, whose beginning is held.
        case segment
        /// Behind EOI: what follows is not the photo's, and the new metadata says nothing of it.
        case end
    }

    private let output: ByteOutput
    /// Segments that replace the photo's metadata, as the file will have them; nil copies the file as it is.
    private let replacement: [UInt8]?
    private var state = State.data
    private var held: [UInt8] = []
    private var ready: [UInt8] = []

    private static let startOfImage: UInt8 = 0xD8, endOfImage: UInt8 = 0xD9
    /// Enough for few system calls.
    private static let flushedByteCount = 64 << 10

    /// What lies behind the photo is copied as well.
    var copiesWholeFile: Bool { replacement == nil }

    /// - Parameter metadata: replaces the photo's APPn and COM segments wherever they are, and leaves out what
    ///   follows the photo; nil keeps them.
    init(_ output: ByteOutput, replacing metadata: JPEGSegments.Replacement?) throws(CodecError) {
        self.output = output
        replacement = try metadata?.bytes
    }

    /// Takes the file's next bytes.
    func take(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        if copiesWholeFile { ready += bytes } else { takeImage(bytes) }
        if ready.count >= Self.flushedByteCount { try flush() }
    }

    private func takeImage(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty, state != .end {
            switch state {
            case .data: takeData(&rest)
            case .marker: takeMarker(rest.removeFirst())
            case .segment: takeSegment(&rest)
            case .end: break
            }
        }
    }

    private func takeData(_ rest: inout Slice<UnsafeRawBufferPointer>) {
        let run = rest.prefix { $0 != 0xFF }
        ready += run
        rest = rest[run.endIndex...]
        guard !rest.isEmpty else { return }
        held.append(rest.removeFirst())
        state = .marker
    }

    /// - Parameter code: what follows 0xFF (ITU-T T.81, table B.1).
    private func takeMarker(_ code: UInt8) {
        if code == 0xFF {
            // A fill byte: as many as the file likes may precede a marker.
            ready.append(code)
            return
        }
        held.append(code)
        switch code {
        case 0x00, 0x01, 0xD0...0xD7:
            // A stuffed 0xFF, TEM, RSTn: they have no length.
            release(.data)
        case Self.startOfImage:
            release(.data)
            if let replacement { ready += replacement }
        case Self.endOfImage:
            release(.end)
        default:
            state = .segment
        }
    }

    private func takeSegment(_ rest: inout Slice<UnsafeRawBufferPointer>) {
        let part = rest.prefix(heldByteCountWanted - held.count)
        held += part
        rest = rest[part.endIndex...]
        guard held.count == heldByteCountWanted else { return }
        if isKept(marker: held[1], content: held[4...]) {
            release(.data)
        } else {
            held = []
            state = .data
        }
    }

    /// Marker and length, then what the length says; it counts itself. libjpeg, too, takes a length below 2
    /// for an empty segment.
    private var heldByteCountWanted: Int {
        held.count < 4 ? 4 : 2 + max(2, Int(held[2]) << 8 | Int(held[3]))
    }

    private func isKept(marker: UInt8, content: ArraySlice<UInt8>) -> Bool {
        !JPEGSegments.isMetadata(marker) || JPEGSegments.isAdobe(marker, content)
    }

    private func release(_ next: State) {
        ready += held
        held = []
        state = next
    }

    /// The strips were decoded from the bytes that are copied.
    func write(_ strip: Strip) {}

    func finish() throws(CodecError) {
        // The decoder found the image complete; without an end here too, the copy is not what it has seen.
        guard state == .end || copiesWholeFile else {
            throw .corrupt(detail: "the image does not end where its data does")
        }
        try flush()
    }

    private func flush() throws(CodecError) {
        let isWritten = ready.withUnsafeBytes { output.write($0) }
        guard isWritten else { throw output.failure ?? .writeFailed(.ioError) }
        ready.removeAll(keepingCapacity: true)
    }
}
