import Testing
import TintypeImaging

@testable import TintypeCodecs
@testable import TintypeMetadata

/// Conversion to sRGB, compared with the formulas of the colour spaces in double precision.
struct SRGBConversionTests {
    /// A PNG with all combinations of `levels` values, and those of the next channels.
    private func photo(
        _ channels: PixelLayout.Channels, _ depth: PixelLayout.SampleDepth, levels: Int = 16,
        _ metadata: [PhotoMetadata.Item]
    ) throws -> (bytes: [UInt8], pixels: Pixels) {
        let maximum = depth == .eight ? 255 : 65535
        let width = levels * levels
        let samples = (0..<width * levels).flatMap { (index: Int) -> [UInt16] in
            let all = [index % levels, index / levels % levels, index / width, (index * 7) % levels]
            let used: ArraySlice<Int> = all.suffix(channels == .greyAlpha ? 2 : 4).prefix(channels.rawValue)
            return used.map { UInt16($0 * maximum / (levels - 1)) }
        }
        let pixels = Pixels(
            width: width, height: levels, channels: channels.rawValue, maximum: maximum, samples: samples)
        let layout = PixelLayout.interleaved(channels, depth)
        let bytes = try written { file in
            let writer = try PhotoWriter(
                fileDescriptor: file,
                settings: PhotoWriterSettings(
                    format: .png, geometry: PhotoGeometry(width: width, height: levels), layout: layout,
                    metadata: PhotoMetadata(items: metadata), jpegQuality: .value(90)))
            try pixels.strips(layout) { try writer.write($0) }
            try writer.finish()
        }
        return (bytes, pixels)
    }

    private func converted(_ bytes: [UInt8], rowCapacity: Int = 8) throws -> Pixels {
        let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
        try #require(reader.canBecomeSRGB)
        let layout = reader.format == .jpeg ? .interleaved(.rgb, .eight) : reader.layout
        return try Pixels(reader.makeSource(layout: layout, inSRGB: true), rowCapacity: rowCapacity)
    }

    /// The most that any sample differs from `expected`, of 1.
    private func worst(_ pixels: Pixels, _ expected: [Double]) -> Double {
        zip(pixels.samples, expected).map { abs(Double($0) / Double(pixels.maximum) - $1) }.max() ?? 1
    }

    /// 8 bits: within a step. 16 bits: a profile's numbers have steps of 1/65536, which the curve near black makes 13
    /// times as large.
    @Test(arguments: [MatrixProfile.displayP3, .adobeRGB, .linear], [PixelLayout.Channels.rgb, .rgba])
    func matrixProfilesFollowTheirFormulas(space: MatrixProfile, channels: PixelLayout.Channels) throws {
        for (depth, tolerance) in [(PixelLayout.SampleDepth.eight, 1.0 / 255), (.sixteen, 40.0 / 65535)] {
            let (bytes, before) = try photo(channels, depth, [.icc(space.profile())])
            let expected = stride(from: 0, to: before.samples.count, by: before.channels).flatMap { start in
                let pixel = before.samples[start..<start + before.channels].map {
                    Double($0) / Double(before.maximum)
                }
                return space.inSRGB(Array(pixel.prefix(3))) + pixel.dropFirst(3)
            }
            let after = try converted(bytes)
            #expect(worst(after, expected) <= tolerance, "\(space.name), \(depth)")
            if channels.hasAlpha {
                let alphas = { (pixels: Pixels) in
                    stride(from: 3, to: pixels.samples.count, by: 4).map { pixels.samples[$0] }
                }
                #expect(alphas(after) == alphas(before))
            }
        }
    }

    @Test func ourProfileOfAdobeRGBFollowsItsFormulas() throws {
        let (bytes, before) = try photo(.rgb, .eight, [.icc(.adobeRGB)])
        let expected = stride(from: 0, to: before.samples.count, by: 3).flatMap { start in
            MatrixProfile.adobeRGB.inSRGB(before.samples[start..<start + 3].map { Double($0) / 255 })
        }
        #expect(worst(try converted(bytes), expected) <= 1.0 / 255)
    }

    @Test(arguments: [PixelLayout.Channels.grey, .greyAlpha])
    func greyGetsTheCurveOfSRGB(channels: PixelLayout.Channels) throws {
        for (depth, tolerance) in [(PixelLayout.SampleDepth.eight, 1.0 / 255), (.sixteen, 40.0 / 65535)] {
            let (bytes, before) = try photo(channels, depth, [.icc(.grey(gamma: 1.8))])
            let expected = before.samples.enumerated().map { index, sample in
                let value = Double(sample) / Double(before.maximum)
                if channels.hasAlpha, index % 2 == 1 { return value }
                return MatrixProfile(
                    name: "", primaries: MatrixProfile.srgb.primaries, curve: [1.8], curveType: 1
                ).inSRGB([value, value, value])[0]
            }
            #expect(worst(try converted(bytes), expected) <= tolerance, "\(depth)")
        }
    }

    @Test func stripsOfEveryHeightGiveTheSameBytes() throws {
        for depth in PixelLayout.SampleDepth.allCases {
            let (bytes, _) = try photo(.rgb, depth, levels: 19, [.icc(MatrixProfile.displayP3.profile())])
            let whole = try converted(bytes, rowCapacity: 24)
            for rowCapacity in [8, 16] {
                #expect(try converted(bytes, rowCapacity: rowCapacity) == whole)
            }
        }
    }

    /// Whatever a profile of sRGB is called, it changes nothing; one that is only called so does.
    @Test func profilesAreKnownByTheirNumbers() throws {
        for profile in [try MatrixProfile.srgb.profile(), .sRGB] {
            let reader = try PhotoReader(
                bytes: photo(.rgb, .eight, [.icc(profile)]).bytes, limits: DecodeLimits())
            #expect(!reader.canBecomeSRGB && reader.obstacleToSRGB == nil)
        }
        let grey = try PhotoReader(
            bytes: photo(.grey, .eight, [.icc(.sRGBGrey)]).bytes, limits: DecodeLimits())
        #expect(!grey.canBecomeSRGB && grey.obstacleToSRGB == nil)
        let named = ColourEncoding(curve: .power(1), primaries: .sRGB).profile(
            hasColour: true, description: "sRGB, linear")
        let linear = try PhotoReader(
            bytes: photo(.rgb, .eight, [.icc(try #require(named))]).bytes, limits: DecodeLimits())
        #expect(linear.metadata.icc?.isSRGB == false && linear.canBecomeSRGB)
    }

    /// PNG, third edition, 11.3.2.6: primaries 12 and curve 13 are Display P3, and curve 16 is PQ.
    @Test func colourChunksOfAPNGAreAProfile() throws {
        let chunk = { (curve: UInt8) in PhotoMetadata.Item.pngChunk(name: "cICP", [12, curve, 0, 1]) }
        let said = try converted(try photo(.rgb, .eight, [chunk(13)]).bytes)
        let profile = try photo(.rgb, .eight, [.icc(MatrixProfile.displayP3.profile())]).bytes
        let expected = try converted(profile)
        let most = zip(said.samples, expected.samples).map { abs(Int($0) - Int($1)) }.max() ?? 255
        #expect(most <= 1)
        let hdr = try PhotoReader(bytes: photo(.rgb, .eight, [chunk(16)]).bytes, limits: DecodeLimits())
        #expect(!hdr.canBecomeSRGB && hdr.obstacleToSRGB?.contains("cICP") == true)
    }

    @Test func aProfileThatCannotBeUsedTellsWhy() throws {
        let whole = try MatrixProfile.displayP3.profile()
        // A link between devices (ICC.1:2022, 7.2.5), a header alone, and tags that are cut off.
        var link = whole.bytes
        link.replaceSubrange(12..<16, with: Array("link".utf8))
        for bytes in [link, Array(whole.bytes.prefix(128)), Array(whole.bytes.prefix(300))] {
            let photo = try photo(.rgb, .eight, [.icc(ICCProfile(bytes: bytes))]).bytes
            let reader = try PhotoReader(bytes: photo, limits: DecodeLimits())
            #expect(!reader.canBecomeSRGB && reader.obstacleToSRGB?.isEmpty == false, "\(bytes.count)")
        }
    }

    // MARK: Inks

    /// YCCK and files without Adobe's marker, too: 255 is no ink in all of them.
    @Test(arguments: ["cmyk", "ycck", "cmyk-without-adobe"])
    func inksFollowTheirProfile(name: String) throws {
        let segments = try JPEGSegments.segments(for: PhotoMetadata(items: [.icc(.turnedInks())]))
        let plain = try Fixture.bytes("\(name).jpg")
        var bytes = plain
        for segment in segments.reversed() {
            bytes.insert(contentsOf: RawJPEG.segment(segment.marker, segment.bytes), at: 2)
        }
        let usual = try Pixels(
            PhotoReader(bytes: plain, limits: DecodeLimits()).makeSource(layout: .interleaved(.rgb, .eight)))
        let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
        let profiled = try Pixels(reader.makeSource(layout: .interleaved(.rgb, .eight)))
        let turned = stride(from: 0, to: usual.samples.count, by: 3).flatMap { start -> [UInt16] in
            [usual.samples[start + 1], usual.samples[start + 2], usual.samples[start]]
        }
        let most = zip(profiled.samples, turned).map { abs(Int($0) - Int($1)) }.max() ?? 255
        #expect(reader.hasInks && most <= 6, "\(most)")
        #expect(usual.samples != turned)
    }
}
