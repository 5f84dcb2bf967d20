import TintypeImaging
import TintypeRendering
import TintypeStages

/// What a device runs for a plan. A check of it says nothing of other kernels, nor of other values, which are in tables of their
/// own: one of these may be wrong in the device's memory, and all else right.
struct WorkKind: Hashable {
    private let kernels: [String]
    private let input, output: PixelLayout
    /// What the device has decoded and encoded.
    private let decoded, encoded: PhotoFormat?
    /// A hash of the stages' values.
    private let values: Int

    init(_ work: DeviceWork) {
        let plan = work.plan
        (input, output) = (plan.input, plan.output)
        (decoded, encoded) = (work.input, work.output)
        var hasher = Hasher()
        kernels = plan.stages.map { stage in
            switch stage {
            case .point(let function), .window(let function):
                hasher.combine(values: function)
                return function.kernel.name
            case .blur(let blur):
                hasher.combine(sampleOf: blur.mask)
                for part in blur.parts {
                    hasher.combine(part.gaussian)
                    hasher.combine(sampleOf: part.mask)
                }
                if let blend = blur.blend { hasher.combine(values: blend) }
                return "blur \(blur.blend?.kernel.name ?? "")"
            case .resample(let resampling):
                for axis in [resampling.columns, resampling.rows] {
                    hasher.combine(axis.sourceCount)
                    hasher.combine(axis.range)
                    hasher.combine(axis.count)
                    hasher.combine(axis.kernel)
                }
                return "resample"
            }
        }
        values = hasher.finalize()
    }

    func hasKernels(of other: WorkKind) -> Bool {
        kernels == other.kernels && input == other.input && output == other.output
            && decoded == other.decoded && encoded == other.encoded
    }
}

extension Hasher {
    fileprivate mutating func combine(values function: PointStage) {
        for (name, argument) in function.arguments.sorted(by: { $0.key < $1.key }) {
            combine(name)
            switch argument {
            case .value(let value): combine(value)
            case .table(let values): combine(sampleOf: values)
            }
        }
    }

    /// Tables of other filters or photos differ in many places, and some have millions.
    fileprivate mutating func combine(sampleOf values: [Float]) {
        combine(values.count)
        for index in stride(from: 0, to: values.count, by: max(1, values.count / 256)) {
            combine(values[index])
        }
    }
}
