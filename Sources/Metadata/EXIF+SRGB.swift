extension EXIF {
    /// A copy that says that the colours are sRGB's, in the tags that exist.
    public func inSRGB() -> EXIF {
        guard let first = stream.firstDirectory else { return self }
        var result = self
        if let directory = stream.subdirectory(Tag.exifDirectory, of: first), !directory.overlaps(first) {
            if let entry = directory.entry(Tag.colourSpace) { result.stream.setNumber(1, of: entry) }
            // The power that comes closest to sRGB's curve.
            if let entry = directory.entry(Tag.gamma) { result.stream.setRationals([2.2], of: entry) }
        }
        let primaries = ColourEncoding.Primaries.sRGB
        for (tag, points) in [
            (Tag.whitePoint, [primaries.white]),
            (Tag.primaryChromaticities, [primaries.red, primaries.green, primaries.blue]),
        ] {
            guard let entry = first.entry(tag) else { continue }
            result.stream.setRationals(points.flatMap { [$0.x, $0.y] }, of: entry)
        }
        if let entry = first.entry(Tag.transferFunction) {
            _ = result.stream.setNumbers(Self.transferFunction(entry.count), of: entry)
        }
        if let adobeRGBIndex { result.stream.setText("R98", of: adobeRGBIndex) }
        return result
    }

    /// A table of 256 values, for all components or for each (TIFF 6.0, section 20).
    private static func transferFunction(_ count: Int) -> [Int] {
        guard count == 256 || count == 3 * 256 else { return [] }
        let curve = ColourEncoding.Curve.sRGB
        return (0..<count).map { Int((curve.linear(Double($0 % 256) / 255) * 65535).rounded()) }
    }
}
