import Foundation

/// What to do about a GPU that OpenCL does not list.
enum GPUHint {
    /// The hint for this machine.
    static var text: String? { text { FileManager.default.fileExists(atPath: $0) } }

    /// - Parameter exists: whether there is a file at a path.
    /// - Returns: nil where there is no sign of a GPU.
    static func text(exists: (String) -> Bool) -> String? {
        if exists("/dev/nvidia0") || exists("/dev/nvidiactl") {
            return exists("/etc/OpenCL/vendors/nvidia.icd")
                ? "There is an NVIDIA GPU, but its OpenCL driver does not show it. See whether 'nvidia-smi' "
                    + "works and whether libnvidia-opencl.so.1 is installed."
                : "There is an NVIDIA GPU, but no OpenCL for it: /etc/OpenCL/vendors/nvidia.icd is missing. "
                    + "Where libnvidia-opencl.so.1 is installed, this is enough:\n"
                    + "  sudo mkdir -p /etc/OpenCL/vendors\n"
                    + "  echo libnvidia-opencl.so.1 | sudo tee /etc/OpenCL/vendors/nvidia.icd\n"
                    + "In a container, add NVIDIA_DRIVER_CAPABILITIES=compute,utility."
        }
        if exists("/dev/kfd") {
            return
                "There is an AMD GPU, but no OpenCL for it. Install ROCm's OpenCL (rocm-opencl-icd), and add "
                + "yourself to the groups 'render' and 'video'."
        }
        if (128...135).contains(where: { exists("/dev/dri/renderD\($0)") }) {
            return
                "There is a GPU (/dev/dri), but no OpenCL for it. Install its driver: "
                + "intel-opencl-icd for Intel, mesa-opencl-icd or rocm-opencl-icd for AMD."
        }
        return nil
    }
}
