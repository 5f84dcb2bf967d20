extension PhotoMetadata {
    /// The segments of a JPEG of no known form that have an image in them, such as a preview without a header: "APP2".
    package var segmentsWithImages: [String] {
        var names: [String] = []
        for index in indicesOfImages {
            let name: String
            switch items[index] {
            case .jpegSegment(let marker, _): name = "APP\(marker - JPEGSegments.app0)"
            default: name = "COM"
            }
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    func withoutSegmentsWithImages() -> PhotoMetadata {
        let removed = Set(indicesOfImages)
        guard !removed.isEmpty else { return self }
        let kept = items.indices.filter { !removed.contains($0) }.map { items[$0] }
        return PhotoMetadata(items: kept, density: density)
    }

    /// A segment that is nearly full may have only the beginning of its image.
    private static let leastContinuedByteCount = 32 << 10

    private var indicesOfImages: [Int] {
        var found: [Int] = []
        var index = 0
        while index < items.count {
            defer { index += 1 }
            guard let bytes = items[index].unknownBytes, let start = EmbeddedImage.start(in: bytes[...])
            else {
                continue
            }
            found.append(index)
            var image = EmbeddedImage.Reader(bytes[start...])
            while !image.isComplete, let next = continuation(of: index) {
                image.take(next[...])
                index += 1
                found.append(index)
            }
        }
        return found
    }

    /// The bytes of the next segment, if an image may continue there: some cameras then count APPn up.
    private func continuation(of index: Int) -> [UInt8]? {
        guard index + 1 < items.count, case .jpegSegment(let marker, let bytes) = items[index],
            bytes.count >= Self.leastContinuedByteCount, case .jpegSegment(let next, _) = items[index + 1],
            next == marker || next == marker + 1
        else { return nil }
        return items[index + 1].unknownBytes
    }
}

extension PhotoMetadata.Item {
    /// The bytes of a JPEG's segment of no known form; nil for other items. Known forms have rules of their own, or hold images
    /// that are no previews, such as the temperatures of a FLIR camera.
    fileprivate var unknownBytes: [UInt8]? {
        switch self {
        case .comment(let bytes): bytes
        case .jpegSegment(let marker, let bytes):
            photoshopResources == nil && !JPEGSegments.hasKnownForm(marker, bytes) ? bytes : nil
        default: nil
        }
    }
}
