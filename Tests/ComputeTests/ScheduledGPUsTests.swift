import Testing

@testable import TintypeCompute

/// Which GPUs a job of Slurm takes.
struct ScheduledGPUsTests {
    private func chosen(_ environment: [String: String], of count: Int) -> [Int] {
        ScheduledGPUs(environment).chosen(from: Array(0..<count))
    }

    @Test func withoutAJobAllAreTaken() {
        #expect(chosen([:], of: 4) == [0, 1, 2, 3])
        #expect(chosen(["SLURM_JOB_GPUS": ""], of: 2) == [0, 1])
    }

    @Test func theJobsNumbersChoose() {
        #expect(chosen(["SLURM_JOB_GPUS": "2"], of: 4) == [2])
        #expect(chosen(["SLURM_JOB_GPUS": "3,1"], of: 4) == [1, 3])
        #expect(chosen(["SLURM_JOB_GPUS": "0,1,2,3", "SLURM_STEP_GPUS": "2"], of: 4) == [2])
    }

    @Test func aDriversVariableHasChosenAlready() {
        for name in ["CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"] {
            #expect(chosen(["SLURM_JOB_GPUS": "1", name: "1"], of: 2) == [0, 1])
        }
    }

    @Test func hiddenGPUsHaveNoNumbers() {
        #expect(chosen(["SLURM_JOB_GPUS": "5"], of: 1) == [0])
    }

    @Test func otherTextChoosesNothing() {
        #expect(chosen(["SLURM_JOB_GPUS": "GPU-1f2a"], of: 2) == [0, 1])
        #expect(chosen(["SLURM_JOB_GPUS": "-1"], of: 2) == [0, 1])
    }
}
