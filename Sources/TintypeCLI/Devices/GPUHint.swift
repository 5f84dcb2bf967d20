import Foundation
import Tintype

/// What to do about a GPU that OpenCL does not list, or whose programs cannot be compiled.
struct GPUHint: Sendable {
    private static let nvidiaFiles = ["/dev/nvidiactl", "/dev/nvidia-uvm"]
    private static let mostGPUs = 16

    let environment: [String: String]
    /// Whether there is a file at a path.
    let exists: @Sendable (String) -> Bool
    /// Whether this user may read and write it.
    let isPermitted: @Sendable (String) -> Bool

    /// The hints for this machine.
    static let current = GPUHint(
        environment: ProcessInfo.processInfo.environment, exists: UnlistedDriver.exists,
        isPermitted: { access($0, R_OK | W_OK) == 0 })

    /// Why OpenCL lists no GPU; nil where there is no sign of one.
    var text: String? { nvidia ?? amd ?? other }

    /// Why a device's programs cannot be compiled; nil if nothing is known to be missing.
    func missingCompiler(of info: DeviceInfo) -> String? {
        let compiler = UnlistedDriver.nvidiaCompiler
        guard info.driver.contains("NVIDIA"), path(of: compiler) == nil else { return nil }
        return
            "NVIDIA's driver needs \(compiler) to compile programs, and it was not found. In Apptainer, add a line "
            + "'libnvidia-nvvm.so' to nvliblist.conf, or bind the host's file: "
            + "apptainer exec --nv --bind /usr/lib/x86_64-linux-gnu/\(compiler):/.singularity.d/libs/\(compiler)."
    }

    private func path(of library: String) -> String? {
        UnlistedDriver.nvidia.path(of: library, environment: environment, exists: exists)
    }

    // MARK: NVIDIA

    private var nvidia: String? {
        let gpus = (0..<Self.mostGPUs).map { "/dev/nvidia\($0)" }.filter(exists)
        let files = Self.nvidiaFiles.filter(exists) + gpus
        guard !files.isEmpty || exists("/proc/driver/nvidia/version") else { return nil }
        let missing = Self.nvidiaFiles.filter { !exists($0) } + (gpus.isEmpty ? ["/dev/nvidia0"] : [])
        if let file = missing.first { return missingFile(file) }
        if let file = files.first(where: { !isPermitted($0) }) {
            return
                "There is an NVIDIA GPU, but you may not open \(file). 'ls -l \(file)' shows its group: become a member, "
                + "or ask the administrator."
        }
        guard let driver = path(of: UnlistedDriver.nvidia.library) else { return missingDriver }
        if let vendors = environment["OCL_ICD_VENDORS"], !vendors.isEmpty {
            return
                "There is an NVIDIA GPU, and its driver is \(driver), but OCL_ICD_VENDORS names other drivers "
                + "(\(vendors)). Unset it."
        }
        return
            "There is an NVIDIA GPU, but its OpenCL driver, \(driver), does not show it. See whether 'nvidia-smi' works: "
            + "the driver's libraries must have the version of the kernel's module."
    }

    private func missingFile(_ file: String) -> String {
        "There is an NVIDIA GPU, but no \(file). A container must be started with the GPU: 'docker run --gpus all', "
            + "'podman run --device nvidia.com/gpu=all' or 'apptainer exec --nv'. Elsewhere, 'sudo nvidia-modprobe -c 0 -u' "
            + "makes the files."
    }

    private var missingDriver: String {
        let library = UnlistedDriver.nvidia.library
        let name = "NVIDIA_DRIVER_CAPABILITIES"
        let remedy = "Start the container with '-e \(name)=compute,utility'."
        if let value = environment[name], !value.isEmpty {
            let capabilities = value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            if !capabilities.contains("compute"), !capabilities.contains("all") {
                return
                    "There is an NVIDIA GPU, but \(name) is '\(value)', without 'compute', so the container got no "
                    + "\(library). \(remedy)"
            }
        }
        return
            "There is an NVIDIA GPU, but no \(library), its OpenCL driver. It is in the packages nvidia-opencl-icd "
            + "(Debian) and libnvidia-compute (Ubuntu). In a container, the host's is used: \(remedy)"
    }

    // MARK: Other vendors

    private var amd: String? {
        guard exists("/dev/kfd") else { return nil }
        guard isPermitted("/dev/kfd") else { return Self.notPermitted("an AMD GPU", "/dev/kfd") }
        return "There is an AMD GPU, but no OpenCL for it. Install ROCm's OpenCL (rocm-opencl-icd)."
    }

    private var other: String? {
        let nodes = (128...135).map { "/dev/dri/renderD\($0)" }.filter(exists)
        guard let node = nodes.first else { return nil }
        guard nodes.contains(where: isPermitted) else { return Self.notPermitted("a GPU", node) }
        if exists("\(UnlistedDriver.entries)/rusticl.icd"), (environment["RUSTICL_ENABLE"] ?? "").isEmpty {
            return
                "There is a GPU (\(node)), and Mesa's OpenCL, rusticl, which shows only what RUSTICL_ENABLE names. Set it "
                + "to the GPU's driver: RUSTICL_ENABLE=radeonsi for AMD, iris for Intel, nouveau for NVIDIA."
        }
        return "There is a GPU (\(node)), but no OpenCL for it. Install its driver: "
            + "intel-opencl-icd for Intel, mesa-opencl-icd or rocm-opencl-icd for AMD."
    }

    private static func notPermitted(_ gpu: String, _ file: String) -> String {
        "There is \(gpu), but you may not open \(file). Become a member of the groups 'render' and 'video': "
            + "sudo usermod -aG render,video $USER, then log in again."
    }
}
