import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeResources

/// Folders as `/proc` and `/sys` look in containers and under batch systems.
struct AvailableMachineTests {
    let folder: TemporaryFolder
    private let gibibyte = 1 << 30

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, to path: String) throws {
        try folder.write(Array(text.utf8), to: path)
    }

    /// A machine of 64 cores and 256 GiB.
    private func machine(
        addressSpace: Int? = nil, environment: [String: String] = [:]
    ) -> AvailableMachine {
        AvailableMachine(
            physicalProcessors: 64, physicalMemory: 256 * gibibyte, addressSpace: addressSpace,
            root: folder.path, environment: environment)
    }

    @Test(arguments: [
        (["SLURM_JOB_ID": "1", "SLURM_CPUS_PER_TASK": "4", "SLURM_CPUS_ON_NODE": "64"], 4),
        (["SLURM_JOB_ID": "1", "SLURM_CPUS_ON_NODE": "6"], 6),
        (["SLURM_JOB_ID": "1", "SLURM_CPUS_ON_NODE": "6", "SLURM_NTASKS": "2"], 64),
        (["PBS_JOBID": "1", "NCPUS": "3"], 3), (["NCPUS": "3"], 64),
        (["LSB_JOBID": "1", "LSB_DJOB_NUMPROC": "5"], 5), (["SGE_TASK_ID": "1", "NSLOTS": "7"], 7),
        (["SLURM_JOB_ID": "1", "SLURM_CPUS_PER_TASK": "0"], 64),
        (["SLURM_JOB_ID": "1", "SLURM_CPUS_PER_TASK": "x"], 64),
        (["SLURM_JOB_ID": "1", "SLURM_CPUS_PER_TASK": "128"], 64),
    ])
    func coresThatAClusterGaveCount(environment: [String: String], count: Int) {
        #expect(machine(environment: environment).processorCount == count)
    }

    private func writeVersion2(group: String) throws {
        try write("0::\(group)\n", to: "proc/self/cgroup")
        try write(
            "24 30 0:22 / /proc rw,nosuid - proc proc rw\n"
                + "35 24 0:30 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n",
            to: "proc/self/mountinfo")
    }

    @Test func withoutLimitsTheWholeMachineCounts() {
        #expect(machine().processorCount == 64 && machine().memoryByteCount == 256 * gibibyte)
    }

    @Test func limitsOfAGroupCount() throws {
        try writeVersion2(group: "/job")
        try write("250000 100000\n", to: "sys/fs/cgroup/job/cpu.max")
        try write("\(4 * gibibyte)\n", to: "sys/fs/cgroup/job/memory.max")
        // Two and a half cores keep three threads busy.
        #expect(machine().processorCount == 3 && machine().memoryByteCount == 4 * gibibyte)
    }

    @Test func theLeastLimitUpToTheRootCounts() throws {
        try writeVersion2(group: "/slurm/job/step")
        try write("max 100000\n", to: "sys/fs/cgroup/slurm/job/step/cpu.max")
        try write("max\n", to: "sys/fs/cgroup/slurm/job/step/memory.max")
        try write("400000 100000\n", to: "sys/fs/cgroup/slurm/job/cpu.max")
        try write("\(8 * gibibyte)\n", to: "sys/fs/cgroup/slurm/job/memory.max")
        try write("3200000 100000\n", to: "sys/fs/cgroup/slurm/cpu.max")
        try write("\(6 * gibibyte)\n", to: "sys/fs/cgroup/slurm/memory.max")
        #expect(machine().processorCount == 4 && machine().memoryByteCount == 6 * gibibyte)
    }

    @Test func aPartOfACoreIsOneThread() throws {
        try writeVersion2(group: "/")
        try write("10000 100000\n", to: "sys/fs/cgroup/cpu.max")
        #expect(machine().processorCount == 1)
    }

    private func writeVersion1(root: String, group: String) throws {
        try write(
            "12:memory:\(group)\n4:cpu,cpuacct:\(group)\n1:name=systemd:\(group)\n0::/\n",
            to: "proc/self/cgroup")
        try write(
            "31 30 0:27 \(root) /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
                + "32 30 0:28 \(root) /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n",
            to: "proc/self/mountinfo")
    }

    @Test func version1HasAFileForQuotaAndOneForPeriod() throws {
        try writeVersion1(root: "/", group: "/batch/job")
        try write("-1\n", to: "sys/fs/cgroup/cpu,cpuacct/batch/job/cpu.cfs_quota_us")
        try write("100000\n", to: "sys/fs/cgroup/cpu,cpuacct/batch/job/cpu.cfs_period_us")
        try write("150000\n", to: "sys/fs/cgroup/cpu,cpuacct/batch/cpu.cfs_quota_us")
        try write("50000\n", to: "sys/fs/cgroup/cpu,cpuacct/batch/cpu.cfs_period_us")
        // The kernel's value for no limit.
        try write("9223372036854771712\n", to: "sys/fs/cgroup/memory/batch/job/memory.limit_in_bytes")
        try write("\(2 * gibibyte)\n", to: "sys/fs/cgroup/memory/batch/memory.limit_in_bytes")
        #expect(machine().processorCount == 3 && machine().memoryByteCount == 2 * gibibyte)
    }

    @Test func aContainerSeesItsOwnGroupAsTheRoot() throws {
        try writeVersion1(root: "/docker/1f", group: "/docker/1f")
        try write("200000\n", to: "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us")
        try write("100000\n", to: "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us")
        try write("\(gibibyte)\n", to: "sys/fs/cgroup/memory/memory.limit_in_bytes")
        #expect(machine().processorCount == 2 && machine().memoryByteCount == gibibyte)
    }

    @Test func coresThatTheSchedulerMayUseCount() throws {
        try write(
            "Name:\ttintype\nCpus_allowed:\t000000ff,0000000f\nCpus_allowed_list:\t0-3\n",
            to: "proc/self/status")
        #expect(machine().processorCount == 12)
        try writeVersion2(group: "/")
        try write("500000 100000\n", to: "sys/fs/cgroup/cpu.max")
        #expect(machine().processorCount == 5)
    }

    @Test func aLimitOfAddressSpaceIsOneOfMemory() {
        #expect(machine(addressSpace: gibibyte).memoryByteCount == gibibyte)
    }

    @Test func filesThatMakeNoSenseAreNoLimits() throws {
        try writeVersion2(group: "/../..")
        try write("much\n", to: "sys/fs/cgroup/cpu.max")
        try write("\n", to: "sys/fs/cgroup/memory.max")
        #expect(machine().processorCount == 64 && machine().memoryByteCount == 256 * gibibyte)
    }

    private func container(_ mebibytes: Int) throws -> AvailableMachine {
        try writeVersion2(group: "/job")
        try write("\(mebibytes << 20)\n", to: "sys/fs/cgroup/job/memory.max")
        return machine()
    }

    /// Half of the memory, but not what the tool (20 MiB) and the drivers (128 MiB) need.
    @Test(arguments: [
        (4096, false, 2048), (4096, true, 2048), (200, false, 100), (200, true, 52), (120, false, 60),
        (64, false, 44), (36, false, 16),
    ])
    func theToolsOwnMemoryCounts(mebibytes: Int, withDrivers: Bool, expected: Int) throws {
        #expect(try container(mebibytes).photoByteCount(withDrivers: withDrivers) == expected << 20)
    }

    @Test(arguments: [(35, false, 36), (160, true, 164)])
    func tooLittleMemoryForAPhotoIsAnError(mebibytes: Int, withDrivers: Bool, least: Int) throws {
        let machine = try container(mebibytes)
        let error = #expect(throws: ProcessLimitError.self) {
            try machine.photoByteCount(withDrivers: withDrivers)
        }
        #expect(
            error
                == .machineMemory(
                    available: mebibytes << 20, least: least << 20, withDrivers: withDrivers))
        #expect(error?.description.contains("-d cpu") == withDrivers)
        #expect(!machine.fitsDrivers)
    }
}
