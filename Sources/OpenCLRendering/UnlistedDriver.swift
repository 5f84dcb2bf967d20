import CTintypeOpenCL
import Foundation

/// A vendor's OpenCL driver that may be on a machine without an entry in libOpenCL's folder.
///
/// Containers often have it so: their runtime adds the driver's libraries to an image that does not have the entry.
package struct UnlistedDriver: Sendable {
    /// Where libOpenCL looks for entries, unless `OCL_ICD_VENDORS` names another folder.
    package static let entries = "/etc/OpenCL/vendors"

    let vendor: String
    package let library: String
    /// Words of the names of the vendor's platforms. If one is listed, the driver is, too.
    let platformWords: [String]
    /// Where the library may be beside the folders in which every library is sought.
    let folders: [String]
    /// The beginnings of the names of libraries in its folder that it loads by their names alone.
    let parts: [String]

    /// The compiler of NVIDIA's driver since version 525, which is not loaded before a program is built.
    package static let nvidiaCompiler = "libnvidia-nvvm.so.4"

    package static let nvidia = UnlistedDriver(
        vendor: "NVIDIA", library: "libnvidia-opencl.so.1", platformWords: ["NVIDIA"],
        folders: ["/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/local/cuda/compat"],
        parts: [
            "libnvidia-ptxjitcompiler.so", "libnvidia-nvvm", "libnvidia-gpucomp.so", "libnvidia-compiler.so",
            "libcuda.so",
        ])

    static let all = [
        nvidia,
        UnlistedDriver(
            vendor: "AMD", library: "libamdocl64.so", platformWords: ["AMD"],
            folders: ["/opt/rocm/lib", "/opt/rocm/opencl/lib"], parts: []),
        UnlistedDriver(
            vendor: "Intel", library: "libigdrcl.so", platformWords: ["Intel", "Graphics"],
            folders: libraryFolders.map { $0 + "/intel-opencl" }, parts: []),
    ]

    /// Where a system's libraries are.
    private static let libraryFolders = [
        "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib",
        "/usr/lib/wsl/lib", "/run/opengl-driver/lib", "/.singularity.d/libs",
    ]

    /// The file of a library in a driver's folders; nil if it is in none.
    ///
    /// - Parameter environment: its `LD_LIBRARY_PATH` comes first.
    package func path(
        of library: String, environment: [String: String], exists: (String) -> Bool = Self.exists
    ) -> String? {
        let own = (environment["LD_LIBRARY_PATH"] ?? "").split(separator: ":").map(String.init)
        return (own + folders + Self.libraryFolders).map { "\($0)/\(library)" }.first(where: exists)
    }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

/// The platforms of drivers that libOpenCL does not list.
struct UnlistedPlatforms {
    private(set) var platforms: [cl_platform_id] = []
    /// For the user: which drivers are used without an entry, and which cannot be loaded.
    private(set) var notes: [String] = []

    /// More than one driver has.
    private static let mostPlatforms = 8

    /// Loads the drivers of vendors that have no platform among `listed`. Whoever has set `OCL_ICD_VENDORS` has chosen the
    /// drivers.
    init(
        beside listed: [cl_platform_id], environment: [String: String],
        drivers: [UnlistedDriver] = UnlistedDriver.all
    ) {
        guard (environment["OCL_ICD_VENDORS"] ?? "").isEmpty else { return }
        let names = listed.map { OpenCLInfo.text(ofPlatform: $0, CL_PLATFORM_NAME) }
        for driver in drivers
        where !names.contains(where: { name in driver.platformWords.allSatisfy(name.contains) }) {
            add(driver, beside: listed, environment)
        }
    }

    private mutating func add(
        _ driver: UnlistedDriver, beside listed: [cl_platform_id], _ environment: [String: String]
    ) {
        var used = driver.library
        var result = Self.platforms(of: used)
        if case .failure = result, let path = driver.path(of: used, environment: environment) {
            // The system's search does not find what lies beside the driver either, unless it is loaded already.
            Self.loadParts(of: driver, beside: path)
            used = path
            result = Self.platforms(of: path)
            if case .failure(let failure) = result {
                notes.append("\(driver.vendor)'s OpenCL driver cannot be loaded: \(failure.message).")
            }
        }
        // A library that an entry names otherwise gives the same platforms.
        guard let found = try? result.get().filter({ !listed.contains($0) }), !found.isEmpty else { return }
        platforms += found
        notes.append(
            "\(driver.vendor)'s OpenCL driver, \(used), is used without an entry in \(UnlistedDriver.entries)."
        )
    }

    private struct LoadFailure: Error { let message: String }

    private static func platforms(of library: String) -> Result<[cl_platform_id], LoadFailure> {
        var platforms = [cl_platform_id?](repeating: nil, count: mostPlatforms)
        var message = [CChar](repeating: 0, count: 1024)
        let count = copencl_driver_platforms(
            library, &platforms, Int32(mostPlatforms), &message, message.count)
        guard count >= 0 else {
            let text = String(
                decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            return .failure(LoadFailure(message: text))
        }
        return .success(platforms.prefix(Int(count)).compactMap { $0 })
    }

    /// Loads libraries for good, so that the driver finds them by name, wherever they are.
    private static func loadParts(of driver: UnlistedDriver, beside path: String) {
        let folder = String(path.prefix(path.count - driver.library.count))
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for part in driver.parts {
            for name in names.sorted() where name.hasPrefix(part) {
                _ = dlopen(folder + name, RTLD_LAZY | RTLD_LOCAL)
            }
        }
    }
}
