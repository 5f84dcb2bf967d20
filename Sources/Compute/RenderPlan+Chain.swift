import TintypeFilters
import TintypeImaging
import TintypeRendering

extension RenderPlan {
    /// The plan of a chain's stages.
    ///
    /// - Precondition: `output` has colour unless the result of the chain's stages is grey.
    public init(_ chain: FilterChain, for geometry: PhotoGeometry, input: PixelLayout, output: PixelLayout) {
        self.init(chain.stages(for: geometry), for: geometry, input: input, output: output)
    }
}
