import TintypeImaging
import TintypeMetadata

/// What a RAW photo has beside the sensor's values: JPEGs, and what describes the photo.
struct RAWContents {
    /// A JPEG that may be the preview.
    struct Candidate {
        let range: Range<Int>
        /// See `RAWDirectory.Tag.previewColourSpace`.
        var colourSpace: Int?
    }

    private(set) var candidates: [Candidate] = []
    /// Whether the file tells of a JPEG, or of a directory, but ends before it.
    private(set) var endsBeforeJPEG = false
    /// Whether the file ends before an image begins, or a part of it. LibRaw makes such parts black, and tells of some only.
    private(set) var endsBeforeImage = false
    /// EXIF, XMP and Photoshop's resources.
    var items: [PhotoMetadata.Item] = []
    /// Whether the camera writes its EXIF into the preview, and only a part of it elsewhere.
    var previewHasEXIF = false
    /// The largest sides of an image in the file; nil if they are not known.
    private(set) var size: (width: Int, height: Int)?

    let file: RAWFile
    let limits: DecodeLimits

    /// Cameras write less than ten.
    private static let mostCandidates = 32

    init(of file: RAWFile, limits: DecodeLimits) throws(CodecError) {
        (self.file, self.limits) = (file, limits)
        guard let start = try file.bytes(at: 0, count: 16) else { return }
        if start.starts(with: "FUJI".utf8) {
            try readFujifilm()
        } else if start[4...].starts(with: "ftyp".utf8) {
            try readCanonBoxes()
        } else {
            try readDirectories(isPanasonic: start[2] == UInt8(ascii: "U"))
        }
    }

    var isDescribed: Bool { items.contains { if case .exif = $0 { true } else { false } } }
    var hasXMP: Bool { items.contains { if case .xmp = $0 { true } else { false } } }

    mutating func add(at offset: Int, byteCount: Int, colourSpace: Int? = nil) {
        guard candidates.count < Self.mostCandidates, byteCount > 0 else { return }
        if let range = file.range(at: offset, byteCount: byteCount) {
            candidates.append(Candidate(range: range, colourSpace: colourSpace))
        } else {
            endsBeforeJPEG = true
        }
    }

    mutating func addImage(at offset: Int) {
        // Panasonic's offset of strips that are elsewhere.
        if offset >= file.byteCount, offset != 0xFFFF_FFFF { endsBeforeImage = true }
    }

    /// The directory at an offset that another one has; nil if there is none.
    mutating func directory(
        at offset: Int, in source: RAWDirectory.Source
    ) throws(CodecError) -> RAWDirectory? {
        if source.base + offset >= file.byteCount { endsBeforeJPEG = true }
        return try RAWDirectory(at: offset, in: source)
    }

    mutating func add(width: Int, height: Int) {
        let known = size.map { $0.width * $0.height } ?? 0
        if width <= 1 << 20, height <= 1 << 20, width * height > known { size = (width, height) }
    }

    mutating func addSize(of directory: RAWDirectory) throws(CodecError) {
        if let width = try directory.number(RAWDirectory.Tag.imageWidth),
            let height = try directory.number(RAWDirectory.Tag.imageHeight)
        {
            add(width: width, height: height)
        }
    }
}

// MARK: Fujifilm

extension RAWContents {
    /// RAF: the JPEG's place is at byte 84, that of the sensor's values at byte 100.
    private mutating func readFujifilm() throws(CodecError) {
        previewHasEXIF = true
        if let offset = try file.integer(at: 84, byteCount: 4),
            let byteCount = try file.integer(at: 88, byteCount: 4)
        {
            add(at: offset, byteCount: byteCount)
        }
        if let offset = try file.integer(at: 100, byteCount: 4) { addImage(at: offset) }
    }
}
