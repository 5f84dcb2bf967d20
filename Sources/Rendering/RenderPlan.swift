import TintypeImaging
import TintypeStages

/// The work of a device for one photo: stages, geometry and layouts.
public struct RenderPlan: Hashable, Sendable {
    /// The photo's geometry before the stages.
    public let geometry: PhotoGeometry
    /// The geometry of the result.
    public let outputGeometry: PhotoGeometry
    public let input: PixelLayout
    public let output: PixelLayout
    public let stages: [Stage]

    /// - Precondition: `output` has colour unless the result of `stages` is grey.
    package init(_ stages: [Stage], for geometry: PhotoGeometry, input: PixelLayout, output: PixelLayout) {
        self.geometry = geometry
        outputGeometry = stages.result(of: geometry)
        self.input = input
        self.output = output
        self.stages = stages
        precondition(output.hasColour || !stages.haveColour(input: input.hasColour), "the result has colour")
    }

    /// True if the photo's samples pass through unchanged.
    public var isIdentity: Bool { stages.isEmpty && input == output }

    /// Whether no result depends on other pixels than its own.
    package var hasPointStagesAlone: Bool {
        stages.allSatisfy { if case .point = $0 { true } else { false } }
    }
}

extension Array where Element == Stage {
    /// Whether the result of these stages may have colour.
    ///
    /// - Parameter input: whether the photo has colour.
    public func haveColour(input: Bool) -> Bool {
        reduce(input) { colour, stage in
            let function: PointStage? =
                switch stage {
                case .point(let function), .window(let function): function
                case .blur(let blur): blur.blend
                case .resample: nil
                }
            switch function?.colourEffect {
            case .keepsGrey, nil: return colour
            case .makesGrey: return false
            case .makesColour: return true
            }
        }
    }
}
