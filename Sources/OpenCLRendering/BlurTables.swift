import TintypeRendering
import TintypeStages

/// A part's weights in the form that `blur_passes.cl` reads.
struct BlurTables {
    let weights: [Float]
    let places: [Float]

    init(_ part: MaskedBlur.Part, axis: MaskedBlur.Axis, grid: BlurGrid) {
        let gaussian = part.gaussian, radii = gaussian.radii
        guard let kernelOfPlace = gaussian.kernelOfPlace else {
            (weights, places) = (gaussian.kernels[0], [0])
            return
        }
        switch axis {
        case .rows:
            weights = Array(gaussian.kernels.joined())
            places = kernelOfPlace.flatMap { kernel in
                [Float(kernel * (gaussian.radius + 1)), Float(radii[kernel])]
            }
        case .columns:
            weights = gaussian.weightsByDistance
            places = zip(kernelOfPlace, grid.needsBlurredColumns(for: part)).map { kernel, isNeeded in
                isNeeded ? Float(radii[kernel]) : -1
            }
        }
    }
}
