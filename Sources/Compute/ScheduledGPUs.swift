/// The GPUs that Slurm gave to this job, where no variable of their drivers says so.
///
/// Drivers show only the GPUs that `CUDA_VISIBLE_DEVICES` and its like name, and Slurm usually sets these. Where it is not
/// configured to, `SLURM_JOB_GPUS` has the GPUs' numbers on the node.
struct ScheduledGPUs {
    /// Nil if nothing is to be chosen.
    private let indices: [Int]?

    private static let driversVariables = [
        "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL",
        "ZE_AFFINITY_MASK",
    ]

    init(_ environment: [String: String]) {
        let given = environment["SLURM_STEP_GPUS"] ?? environment["SLURM_JOB_GPUS"]
        guard let given, !Self.driversVariables.contains(where: { environment[$0] != nil }) else {
            indices = nil
            return
        }
        let numbers = given.split(separator: ",").map { Int($0) }
        indices = numbers.contains(nil) ? nil : numbers.compactMap(\.self)
    }

    /// Those of a machine's GPUs that were given, in their order.
    func chosen<Device>(from gpus: [Device]) -> [Device] {
        // Fewer GPUs than the numbers say: control groups hide those of other jobs.
        guard let indices, !indices.isEmpty, indices.allSatisfy(gpus.indices.contains) else { return gpus }
        return gpus.indices.filter(indices.contains).map { gpus[$0] }
    }
}
