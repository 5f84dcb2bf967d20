import TintypeCPURendering
import TintypeOpenCLRendering

extension OpenCLRuntime {
    /// The devices of this process, compared with the SIMD baseline. Drivers are loaded once, when devices are sought.
    package static let shared = OpenCLRuntime(testing: .baseline)
}
