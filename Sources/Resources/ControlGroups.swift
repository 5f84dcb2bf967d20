import Glibc
import TintypeFiles

/// The limits of this process's control groups (cgroups, versions 1 and 2), as set by containers and batch
/// systems such as Slurm.
///
/// A group's limit also applies to the groups below it. So the lowest limit counts, from the process's own
/// group up to the root.
///
/// Source: the kernel's `Documentation/admin-guide/cgroup-v2.rst` and `cgroup-v1/memory.rst`,
/// `scheduler/sched-bwc.rst`; cgroups(7) for the files in `/proc`.
struct ControlGroups {
    /// Cores: 1.5 is one and a half. Nil without a limit.
    let processors: Double?
    /// Bytes; nil without a limit.
    let memoryByteCount: Int?

    /// - Parameter root: prefix of all paths, for tests.
    init(root: String = "") {
        let mounts = Mount.all(in: TextFile.lines(root + "/proc/self/mountinfo"))
        let memberships = TextFile.lines(root + "/proc/self/cgroup").compactMap(Membership.init)
        var processors: [Double] = []
        var memory: [Int] = []
        for membership in memberships {
            for folder in membership.folders(in: mounts) {
                processors += [Self.processors(in: root + folder)].compactMap(\.self)
                memory += [Self.memoryByteCount(in: root + folder)].compactMap(\.self)
            }
        }
        self.processors = processors.min()
        memoryByteCount = memory.min()
    }

    /// `cpu.max` holds quota and period in microseconds: "150000 100000", or "max 100000" without a limit.
    /// Version 1 has a file for each, and the quota -1 without a limit.
    private static func processors(in folder: String) -> Double? {
        let fields =
            TextFile.lines(folder + "/cpu.max").first.map { $0.split(separator: " ").map(String.init) }
            ?? ["cpu.cfs_quota_us", "cpu.cfs_period_us"].compactMap {
                TextFile.lines("\(folder)/\($0)").first
            }
        guard fields.count == 2, let quota = Double(fields[0]), let period = Double(fields[1]), quota > 0,
            period > 0
        else { return nil }
        return quota / period
    }

    /// "max" gives nil. Without a limit, version 1 has a huge number, which exceeds any machine's memory.
    private static func memoryByteCount(in folder: String) -> Int? {
        let line =
            TextFile.lines(folder + "/memory.max").first
            ?? TextFile.lines(folder + "/memory.limit_in_bytes").first
        return line.flatMap { Int($0) }
    }
}

/// A line of `/proc/self/cgroup`: `0::/user.slice` of version 2, `4:cpu,cpuacct:/docker/1f` of version 1.
private struct Membership {
    /// Empty for version 2.
    let controllers: Set<Substring>
    let path: String

    init?(_ line: String) {
        let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3 else { return nil }
        controllers = Set(fields[1].split(separator: ","))
        path = String(fields[2])
    }

    /// The group's folder and those above it, up to the hierarchy's mount point.
    func folders(in mounts: [Mount]) -> [String] {
        guard
            let mount = mounts.first(where: { $0.controllers == controllers })
                ?? mounts.first(where: {
                    !controllers.isEmpty && !$0.controllers.isDisjoint(with: controllers)
                })
        else { return [] }
        // In a container, the mount's root may be the container's own group, or a group unrelated to the
        // path.
        var below =
            mount.root == "/" ? path[...] : path.dropFirst(path.hasPrefix(mount.root) ? mount.root.count : 0)
        if below.contains("..") || (mount.root != "/" && !path.hasPrefix(mount.root)) { below = "" }
        var parts = below.split(separator: "/")
        var folders = [([mount.point] + parts.map(String.init)).joined(separator: "/")]
        while parts.popLast() != nil {
            folders.append(([mount.point] + parts.map(String.init)).joined(separator: "/"))
        }
        return folders
    }
}

/// A mounted hierarchy of control groups: a line of `/proc/self/mountinfo`.
private struct Mount {
    /// The group that the mount point shows.
    let root: String
    let point: String
    /// Empty for version 2.
    let controllers: Set<Substring>

    static func all(in lines: [String]) -> [Mount] { lines.compactMap(Mount.init) }

    /// `36 35 0:30 /docker/1f /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct`: see proc(5).
    private init?(_ line: String) {
        let fields = line.split(separator: " ")
        guard let dash = fields.firstIndex(of: "-"), fields.count > dash + 3, dash > 5,
            ["cgroup", "cgroup2"].contains(fields[dash + 1])
        else { return nil }
        root = String(fields[3])
        point = String(fields[4])
        controllers =
            fields[dash + 1] == "cgroup2"
            ? [] : Set(fields[dash + 3].split(separator: ",")).subtracting(["rw", "ro"])
    }
}

/// Small text files, such as those in `/proc` and `/sys`.
enum TextFile {
    /// The file's lines; empty if it cannot be read.
    static func lines(_ path: String) -> [String] {
        guard let file = try? OpenFile(reading: path), let bytes = try? file.firstBytes(1 << 20) else {
            return []
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
