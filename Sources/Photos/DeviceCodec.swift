import TintypeRendering

/// Which of the devices that can decode and encode photos themselves do so; the CPU does it for the others. No byte of an
/// output depends on it.
public enum DeviceCodec: String, Hashable, Sendable, CaseIterable {
    /// GPUs and accelerators. OpenCL on a CPU would take the time from this machine's own codec.
    case auto
    case always
    case never

    /// Whether devices of a kind decode and encode.
    package func includes(_ kind: DeviceInfo.Kind) -> Bool {
        switch self {
        case .auto: kind == .gpu || kind == .accelerator
        case .always: true
        case .never: false
        }
    }
}
