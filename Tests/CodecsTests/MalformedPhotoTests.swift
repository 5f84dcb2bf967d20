import Foundation
import Imaging
import TestSupport
import Testing

@testable import Codecs

/// Files with one flaw each: every one ends in the right pixels or in an error, within two seconds of processor time.
struct MalformedPhotoTests {
    /// libjpeg, fed slowly, is the reference for what is damage, and for pixels.
    @Test(arguments: [
        "ycbcr-2x2.jpg", "progressive.jpg", "restart.jpg", "arithmetic.jpg", "grey.jpg", "cmyk.jpg",
        "metadata.jpg",
    ])
    func jpegs(name: String) throws {
        let sound = try Fixture.bytes(name)
        var decodedCount = 0, refusedCount = 0
        for flaw in MalformedPhoto.flaws(ofJPEG: sound) {
            guard let pixels = Self.outcome(of: flaw.bytes, "\(flaw)") else {
                refusedCount += 1
                continue
            }
            decodedCount += 1
            // The reference converts no inks, and has a small buffer.
            guard let pixels = pixels.samples, name != "cmyk.jpg" else { continue }
            let reference = SlowJPEG(flaw.bytes)
            #expect(reference.result.is_decoded && !reference.result.loses_pixels, "\(flaw)")
            #expect(pixels == reference.samples, "\(flaw)")
        }
        #expect(decodedCount > 100 && refusedCount > 100)
    }

    @Test(arguments: [
        "rgb-8.png", "palette-4-trns-interlaced.png", "grey-16-interlaced.png", "grey-1.png", "metadata.png",
    ])
    func pngs(name: String) throws {
        let sound = try Fixture.bytes(name)
        let right = try #require(try Self.pixels(of: sound).samples)
        var decodedCount = 0, refusedCount = 0
        for flaw in MalformedPhoto.flaws(ofPNG: sound) {
            guard let pixels = Self.outcome(of: flaw.bytes, "\(flaw)") else {
                refusedCount += 1
                continue
            }
            decodedCount += 1
            // Another header, palette or transparency describes another photo; so do other pixels.
            let describesAnother = ["IHDR", "PLTE", "tRNS", "too many pixels"].contains {
                flaw.description.contains($0)
            }
            if !describesAnother { #expect(pixels.samples == right, "\(flaw)") }
        }
        #expect(decodedCount > 20 && refusedCount > 200)
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
        for flaw in flaws {
            #expect(Self.outcome(of: flaw.bytes, "\(flaw)") == nil, "\(flaw)")
            var limits = DecodeLimits()
            limits.toleratesDamage = true
            try decode(flaw.bytes, limits: limits)
        }
    }

    private struct Outcome {
        /// Nil for large photos, which the reference does not decode.
        let samples: [UInt16]?
    }

    /// Nil where the file is refused.
    private static func outcome(of bytes: [UInt8], _ flaw: String) -> Outcome? {
        let start = processorTime()
        defer {
            let seconds = processorTime() - start
            #expect(seconds < 2, "\(flaw)")
        }
        do {
            return try pixels(of: bytes)
        } catch {
            #expect(error is CodecError && "\(error)".count > 10, "\(flaw)")
            return nil
        }
    }

    private static func pixels(of bytes: [UInt8]) throws -> Outcome {
        // Time is proportional to pixels, which a few bytes may claim.
        let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits(maxPixels: 100_000_000))
        let layout: PixelLayout =
            reader.format == .png
            ? reader.layout : .interleaved(reader.layout.hasColour ? .rgb : .grey, .eight)
        let source = try reader.makeSource(layout: layout)
        if reader.geometry.pixelCount <= 1 << 16 { return Outcome(samples: try Pixels(source).samples) }
        let strip = try Strip(layout: layout, width: reader.geometry.width, rowCapacity: 8)
        repeat { try source.read(into: strip) } while strip.rowCount > 0
        return Outcome(samples: nil)
    }

    /// Seconds of this thread.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
