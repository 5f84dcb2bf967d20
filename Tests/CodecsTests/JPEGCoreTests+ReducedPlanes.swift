import Testing
import TintypeImaging

@testable import TintypeCodecs

/// Planes at a fraction of the size.
extension JPEGCoreTests {
    /// The means of squares of decoded samples, but rounded once: libjpeg alone and the core.
    @Test(arguments: [2, 4, 8], ChromaSubsampling.common)
    func reducedPlanesAreMeansOfDecodedSamples(denominator: Int, subsampling: ChromaSubsampling) throws {
        let bytes = LibJPEG.encode(
            pixels(96, 80, noise: 60),
            LibJPEG.Coding(
                horizontal: Int32(subsampling.horizontal), vertical: Int32(subsampling.vertical), quality: 95)
        )
        let full = CodedPlanes(bytes, .libjpeg)
        for codec in [.libjpeg] + JPEGCodec.Level.supported.map({ JPEGCodec.core($0) }) {
            let reduced = CodedPlanes(bytes, codec, denominator: denominator)
            for plane in 0..<3 {
                let means = full.means(of: plane, side: denominator)
                let samples = reduced.samples(of: plane)
                #expect(means.count == samples.count)
                #expect(
                    zip(means, samples).allSatisfy { mean, sample in
                        mean.map { abs($0 - Double(sample)) <= 1 } ?? true
                    })
                #expect(means.count { $0 != nil } > means.count / 2)
            }
        }
    }

    /// libjpeg's own scaled decoding of luma needs no plane of another size.
    @Test(arguments: [1, 2, 4, 8])
    func reducedLumaIsThatOfGreyRows(denominator: Int) throws {
        let bytes = LibJPEG.encode(pixels(96, 80), LibJPEG.Coding())
        let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
        let rows = try Pixels(reader.makeReducedSource(layout: .interleaved(.grey, .eight), by: denominator))
        for codec in [.libjpeg] + JPEGCodec.Level.supported.map({ JPEGCodec.core($0) }) {
            let luma = CodedPlanes(bytes, codec, denominator: denominator).samples(of: 0)
            #expect(luma.map(UInt16.init) == rows.samples)
        }
    }
}
