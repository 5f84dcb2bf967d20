import TintypeImaging
import TintypeRendering

extension SelfTest {
    /// Compares devices with the SIMD baseline.
    package static let baseline = SelfTest(against: SIMDDevice(level: .baseline))
}

extension RenderPlan {
    /// The expected result: the SIMD baseline's, rendered in one strip.
    package func reference(for photo: MemoryPhoto) throws -> MemoryPhoto {
        let result = MemoryPhoto(outputGeometry, layout: output)
        try SIMDDevice(level: .baseline, stripRows: geometry.height).render(
            self, from: photo.makeSource(), to: result.makeSink(), isCancelled: { false })
        return result
    }
}
