import Foundation
import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs
@testable import TintypeMetadata

struct JPEGCopyingFailureTests {
    @Test(arguments: DamageTests.samples.filter { $0.hasSuffix("jpg") })
    func aFileThatIsCutOffAnywhereIsNotCopied(name: String) throws {
        let bytes = try Fixture.bytes(name)
        let step = max(1, bytes.count / 300)
        for count in Set(stride(from: 1, to: bytes.count, by: step)).union((bytes.count - 12)..<bytes.count) {
            #expect(throws: CodecError.truncated, "\(count) of \(bytes.count) bytes") {
                try copied(Array(bytes[..<count]))
            }
        }
    }

    /// A file is copied if and only if it can be decoded, and the copy decodes alike.
    @Test(arguments: DamageTests.samples.filter { $0.hasSuffix("jpg") }, [true, false])
    func damagedBytesNeverCrash(name: String, isStripped: Bool) throws {
        let bytes = try Fixture.bytes(name)
        let limits = DecodeLimits(maxPixels: 1 << 20, memoryByteCount: 16 << 20)
        var random = SeededGenerator(seed: 12)
        var copyCount = 0
        for _ in 0..<300 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let position = Int.random(in: 0..<bytes.count, using: &random)
                let isMarker = Bool.random(using: &random)
                damaged[position] = isMarker ? 0xFF : UInt8.random(in: 0...255, using: &random)
            }
            let isSound = (try? decode(damaged, limits: limits)) != nil
            let copy = try? copied(damaged, metadata: isStripped ? PhotoMetadata() : nil, limits: limits)
            #expect((copy != nil) == isSound)
            guard let copy else { continue }
            copyCount += 1
            #expect(try libjpegSamples(copy) == libjpegSamples(damaged))
            if !isStripped { #expect(copy == damaged) }
        }
        #expect(copyCount > 20 && copyCount < 280)
    }

    @Test(arguments: ["ycbcr-2x2.jpg", "progressive.jpg"])
    func aFailedWriteIsReported(name: String) throws {
        let bytes = try Fixture.bytes(name)
        #expect(throws: CodecError.writeFailed(.badFileDescriptor)) {
            try copy(try PhotoReader(bytes: bytes, limits: DecodeLimits()), to: -1)
        }
    }

    /// The disk fills up in the middle of the photo: the rest of it need not be decoded.
    @Test func aFailedWriteStopsTheDecoder() throws {
        let bytes = try RawJPEG.noise(.yCbCr(.s444), side: 600)
        #expect(bytes.count > 256 << 10)
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        defer { close(full) }
        _ = try written { descriptor in
            let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
            let writer = try PhotoWriter(fileDescriptor: descriptor, copying: reader)
            let source = try reader.makeSource(layout: reader.layout)
            let kept = dup(descriptor)
            defer {
                dup2(kept, descriptor)
                close(kept)
            }
            #expect(dup2(full, descriptor) == descriptor)
            let strip = try Strip(layout: reader.layout, width: 600, rowCapacity: 400)
            #expect(throws: CodecError.writeFailed(.noSpace)) {
                try source.read(into: strip)
            }
            withExtendedLifetime(writer) {}
        }
    }

    @Test func aCopyOfATruncatedPhotoFails() throws {
        let bytes = try Fixture.bytes("ycbcr-2x2.jpg")
        let copier = try JPEGCopier(
            ByteOutput(fileDescriptor: -1),
            replacing: JPEGSegments.Replacement(metadata: PhotoMetadata(), hasJFIF: true))
        try Array(bytes.dropLast()).withUnsafeBytes { try copier.take($0) }
        #expect(throws: CodecError.self) { try copier.finish() }
    }
}
