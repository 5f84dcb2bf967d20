import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs

/// Files with one flaw each: every one ends in the right pixels or in an error, in a bounded time.
struct MalformedPhotoTests {
    /// libjpeg, fed slowly, is the reference for what is damage, and for pixels.
    @Test(arguments: [
        "ycbcr-2x2.jpg", "progressive.jpg", "restart.jpg", "arithmetic.jpg", "grey.jpg", "cmyk.jpg",
        "metadata.jpg",
    ])
    func jpegs(name: String) throws {
        let flaws = MalformedPhoto.flaws(ofJPEG: try Fixture.bytes(name))
        let (decoded, refusedCount) = Self.outcomes(of: flaws)
        #expect(decoded.count > 100 && refusedCount > 100)
        for (flaw, samples) in decoded {
            // The reference converts no inks, and has a small buffer.
            guard let samples, name != "cmyk.jpg" else { continue }
            let reference = SlowJPEG(flaw.bytes)
            #expect(reference.result.is_decoded && !reference.result.loses_pixels, "\(flaw)")
            #expect(samples == reference.samples, "\(flaw)")
        }
    }

    @Test(arguments: [
        "rgb-8.png", "palette-4-trns-interlaced.png", "grey-16-interlaced.png", "grey-1.png", "metadata.png",
    ])
    func pngs(name: String) throws {
        let sound = try Fixture.bytes(name)
        let right = try #require(try Self.samples(of: sound))
        let (decoded, refusedCount) = Self.outcomes(of: MalformedPhoto.flaws(ofPNG: sound))
        #expect(decoded.count > 20 && refusedCount > 200)
        for (flaw, samples) in decoded {
            // Another header, palette or transparency describes another photo; so do other pixels.
            let describesAnother = ["IHDR", "PLTE", "tRNS", "too many pixels"].contains {
                flaw.description.contains($0)
            }
            if !describesAnother { #expect(samples == right, "\(flaw)") }
        }
    }

    /// Transparency is pixels: a photo that would lose it is damaged.
    @Test func transparencyIsNotLeftOutSilently() throws {
        let sound = try Fixture.bytes("palette-4-trns-interlaced.png")
        let flaws = MalformedPhoto.flaws(ofPNG: sound).filter { flaw in
            ["nothing of tRNS", "PLTE (part 2) one later", "long tRNS"].contains {
                flaw.description.contains($0)
            }
        }
        #expect(flaws.count >= 3)
        #expect(Self.outcomes(of: flaws).refusedCount == flaws.count)
        for flaw in flaws {
            var limits = DecodeLimits()
            limits.toleratesDamage = true
            try decode(flaw.bytes, limits: limits)
        }
    }

    /// The files that are decoded, with their samples, and the number of those that are refused.
    private static func outcomes(
        of flaws: [MalformedPhoto]
    ) -> (decoded: [(MalformedPhoto, [UInt16]?)], refusedCount: Int) {
        var decoded: [(MalformedPhoto, [UInt16]?)] = []
        for flaw in flaws {
            let seconds = threadSeconds {
                do {
                    decoded.append((flaw, try samples(of: flaw.bytes)))
                } catch {
                    #expect(error is CodecError && "\(error)".count > 10, "\(flaw)")
                }
            }
            #expect(seconds < damagedFileSeconds, "\(flaw)")
        }
        return (decoded, flaws.count - decoded.count)
    }

    /// Nil for large photos, which the reference does not decode.
    private static func samples(of bytes: [UInt8]) throws -> [UInt16]? {
        // Time is proportional to pixels, which a few bytes may claim.
        let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits(maxPixels: 100_000_000))
        let layout: PixelLayout =
            reader.format == .png
            ? reader.layout : .interleaved(reader.layout.hasColour ? .rgb : .grey, .eight)
        let source = try reader.makeSource(layout: layout)
        if reader.geometry.pixelCount <= 1 << 16 { return try Pixels(source).samples }
        let strip = try Strip(layout: layout, width: reader.geometry.width, rowCapacity: 8)
        repeat { try source.read(into: strip) } while strip.rowCount > 0
        return nil
    }
}
