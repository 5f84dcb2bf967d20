import TintypeMetadata

/// The meaning of a PNG's colour chunks, as a profile can express it (PNG, third edition, 11.3.2).
extension ColourMeaning {
    init(_ metadata: PhotoMetadata) {
        let chunks = metadata.items.compactMap { item -> (String, PNGChunk)? in
            guard case .pngChunk(let name, let bytes) = item, PNGChunk.colourNames.contains(name) else {
                return nil
            }
            return (name, PNGChunk(name: name, bytes: bytes))
        }
        self.init(Dictionary(chunks, uniquingKeysWith: { first, _ in first }))
    }

    /// Chunks take precedence in this order: cICP, iCCP, sRGB, gAMA and cHRM. A profile beside cICP is for
    /// formats without cICP, such as JPEG.
    ///
    /// - Parameter chunks: chunks by name.
    init(_ chunks: [String: PNGChunk]) {
        if let codes = chunks["cICP"]?.bytes, codes.count == 4 {
            self.init(codes: codes, named: "cICP", of: "PNG")
        } else if chunks["sRGB"] != nil {
            self = .sRGB
        } else {
            self.init(gamma: chunks["gAMA"], primaries: chunks["cHRM"])
        }
    }

    /// Code points of ITU-T H.273, tables 2 to 4.
    ///
    /// - Parameters:
    ///   - codes: of primaries, transfer curve, matrix, and whether the range is full, as cICP holds them.
    ///   - name: what the format calls their place.
    ///   - format: the format's name.
    init(codes: [UInt8], named name: String, of format: String) {
        let knownPrimaries: [UInt8: ColourEncoding.Primaries] = [
            1: .sRGB, 5: .bt470BG, 6: .bt601, 7: .bt601, 9: .bt2020, 12: .displayP3,
        ]
        let knownCurves: [UInt8: ColourEncoding.Curve] = [
            1: .bt709, 4: .power(2.2), 5: .power(2.8), 6: .bt709, 8: .power(1), 13: .sRGB, 14: .bt709,
            15: .bt709,
        ]
        guard let primaries = knownPrimaries[codes[0]], let curve = knownCurves[codes[1]],
            codes[2...] == [0, 1]
        else {
            self = .inexpressible(detail: "its \(name) says high dynamic range, or nothing known")
            return
        }
        self.init(ColourEncoding(curve: curve, primaries: primaries), from: "\(format)'s \(name)")
    }

    private init(gamma: PNGChunk?, primaries: PNGChunk?) {
        let curve = gamma.flatMap(Self.curve)
        let colours = primaries.flatMap(Self.primaries)
        let names = [curve.map { _ in "gAMA" }, colours.map { _ in "cHRM" }].compactMap(\.self)
        self.init(
            ColourEncoding(curve: curve ?? .sRGB, primaries: colours ?? .sRGB),
            from: "PNG's " + names.joined(separator: " and "))
    }

    private init(_ encoding: ColourEncoding, from names: String) {
        self =
            encoding.isLikeSRGB ? .sRGB : .encoding(encoding, description: "As the \(names) said")
    }

    /// From the encoding's exponent, times 100,000. Nil if it is not plausible.
    private static func curve(_ chunk: PNGChunk) -> ColourEncoding.Curve? {
        guard chunk.bytes.count == 4, 10_000...1_000_000 ~= chunk.word(at: 0) else { return nil }
        return .power(100_000 / Double(chunk.word(at: 0)))
    }

    /// x and y of white, red, green and blue, times 100,000. Nil if they span no colours.
    private static func primaries(_ chunk: PNGChunk) -> ColourEncoding.Primaries? {
        guard chunk.bytes.count == 32 else { return nil }
        let points = (0..<4).map { index in
            ColourEncoding.Chromaticity(
                x: Double(chunk.word(at: 8 * index)) / 100_000,
                y: Double(chunk.word(at: 8 * index + 4)) / 100_000)
        }
        let primaries = ColourEncoding.Primaries(
            white: points[0], red: points[1], green: points[2], blue: points[3])
        let isReal = points.allSatisfy { $0.y > 0 && $0.x + $0.y <= 1 }
        return isReal && primaries.spansColours ? primaries : nil
    }
}

extension ColourEncoding {
    /// Whether the difference from sRGB is invisible. Writers round, and PNG requires gAMA 45455 beside sRGB.
    fileprivate var isLikeSRGB: Bool {
        let isCurve =
            switch curve {
            case .sRGB: true
            case .power(let exponent): abs(exponent / 2.2 - 1) < 0.01
            default: false
            }
        let isNear = zip(primaries.points, Primaries.sRGB.points).allSatisfy { point, standard in
            abs(point.x - standard.x) < 0.002 && abs(point.y - standard.y) < 0.002
        }
        return isCurve && isNear
    }
}
