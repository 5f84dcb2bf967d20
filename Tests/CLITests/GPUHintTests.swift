import Testing
import Tintype

@testable import TintypeCLI

/// What the tool says of a GPU that OpenCL does not show.
struct GPUHintTests {
    private static let files = ["/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia0"]
    private static let driver = "/usr/local/nvidia/lib64/libnvidia-opencl.so.1"

    private func hint(
        _ files: [String], environment: [String: String] = [:], forbidden: Set<String> = []
    ) -> GPUHint {
        GPUHint(
            environment: environment, exists: { files.contains($0) }, isPermitted: { !forbidden.contains($0) }
        )
    }

    @Test func withoutASignOfAGPUThereIsNone() { #expect(hint([]).text == nil) }

    @Test(arguments: ["/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia0"])
    func aDeviceFileThatIsMissingOrForbiddenIsNamed(file: String) {
        let others = Self.files.filter { $0 != file } + ["/proc/driver/nvidia/version"]
        let missing = hint(others + [Self.driver]).text
        #expect(
            missing?.contains("but no \(file).") == true && missing?.contains("docker run --gpus all") == true
        )
        let forbidden = hint(Self.files + [Self.driver], forbidden: [file]).text
        #expect(forbidden?.contains("you may not open \(file)") == true, "\(forbidden ?? "")")
    }

    @Test func aContainerWithoutComputeIsToldSo() {
        let name = "NVIDIA_DRIVER_CAPABILITIES"
        let graphics = hint(Self.files, environment: [name: "graphics,utility"]).text
        #expect(graphics?.contains("\(name) is 'graphics,utility', without 'compute'") == true)
        #expect(graphics?.contains("-e \(name)=compute,utility") == true)
        for value in ["all", "compute,utility", ""] {
            let text = hint(Self.files, environment: [name: value]).text
            #expect(text?.contains("but no libnvidia-opencl.so.1") == true, "\(text ?? "")")
        }
    }

    @Test func aDriverThatShowsNothingIsNamed() {
        let text = hint(Self.files + [Self.driver]).text
        #expect(text?.contains(Self.driver) == true && text?.contains("nvidia-smi") == true)
        let own = hint(
            Self.files + ["/mine/libnvidia-opencl.so.1"], environment: ["LD_LIBRARY_PATH": "/x:/mine"])
        #expect(own.text?.contains("/mine/libnvidia-opencl.so.1") == true)
        let other = hint(Self.files + [Self.driver], environment: ["OCL_ICD_VENDORS": "/mine"]).text
        #expect(other?.contains("OCL_ICD_VENDORS names other drivers (/mine)") == true)
    }

    @Test func aCompilerThatIsNotBoundIsNamed() {
        func info(_ driver: String) -> DeviceInfo {
            DeviceInfo(identifier: "0.0", kind: .gpu, name: "GPU", driver: driver, memoryByteCount: 0)
        }
        let text = hint(Self.files + [Self.driver]).missingCompiler(of: info("NVIDIA CUDA 580.1"))
        #expect(text?.contains("libnvidia-nvvm.so.4") == true && text?.contains("nvliblist.conf") == true)
        #expect(hint([]).missingCompiler(of: info("rusticl 24")) == nil)
        let bound = hint(["/.singularity.d/libs/libnvidia-nvvm.so.4"])
        #expect(bound.missingCompiler(of: info("NVIDIA CUDA 580.1")) == nil)
    }

    @Test func otherVendorsGetTheirPackageTheirGroupOrTheirVariable() {
        let node = "/dev/dri/renderD128", rusticl = "/etc/OpenCL/vendors/rusticl.icd"
        #expect(hint([node]).text?.contains("intel-opencl-icd") == true)
        #expect(hint([node], forbidden: [node]).text?.contains("groups 'render' and 'video'") == true)
        #expect(hint([node, rusticl]).text?.contains("RUSTICL_ENABLE=radeonsi") == true)
        let enabled = hint([node, rusticl], environment: ["RUSTICL_ENABLE": "iris"]).text
        #expect(enabled?.contains("RUSTICL_ENABLE") == false)
        #expect(hint(["/dev/kfd", node]).text?.contains("AMD") == true)
        #expect(
            hint(["/dev/kfd", node], forbidden: ["/dev/kfd"]).text?.contains("may not open /dev/kfd") == true)
    }
}
