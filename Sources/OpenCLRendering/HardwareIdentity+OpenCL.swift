import CTintypeOpenCL
import TintypeRendering

extension HardwareIdentity {
    /// Asks a driver, by the extensions that it names.
    ///
    /// - Parameter repeats: the identifier of an earlier device with the same handle.
    init(platform: cl_platform_id, device: cl_device_id, repeats: String?) {
        let extensions = Set(OpenCLInfo.text(of: device, CL_DEVICE_EXTENSIONS).split(separator: " "))
        let vendor = OpenCLInfo.text(of: device, CL_DEVICE_VENDOR)
        self.init(
            pciAddress: Self.pciAddress(of: device, extensions), uuid: Self.uuid(of: device, extensions),
            repeats: repeats,
            isVendorsOwn: !vendor.isEmpty
                && vendor == OpenCLInfo.text(ofPlatform: platform, CL_PLATFORM_VENDOR)
        )
    }

    // MARK: Queries of extensions, whose numbers are not in OpenCL 1.2's headers

    private static let pciBusInfo: Int32 = 0x410F
    private static let deviceUUID: Int32 = 0x106A
    private static let nvidiaBus: Int32 = 0x4008
    private static let nvidiaSlot: Int32 = 0x4009
    private static let nvidiaDomain: Int32 = 0x400A
    private static let amdTopology: Int32 = 0x4037

    private static func pciAddress(of device: cl_device_id, _ extensions: Set<Substring>) -> String? {
        if extensions.contains("cl_khr_pci_bus_info"),
            let bytes = OpenCLInfo.bytes(of: device, pciBusInfo, count: 16)
        {
            let words = stride(from: 0, to: 16, by: 4).map { (start: Int) -> UInt32 in
                bytes[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            return pciAddress(domain: words[0], bus: words[1], device: words[2], function: words[3])
        }
        if extensions.contains("cl_nv_device_attribute_query"),
            let bus = OpenCLInfo.number(of: device, nvidiaBus, as: UInt32.self),
            let slot = OpenCLInfo.number(of: device, nvidiaSlot, as: UInt32.self)
        {
            // Older drivers do not know the domain.
            let domain = OpenCLInfo.number(of: device, nvidiaDomain, as: UInt32.self) ?? 0
            return pciAddress(domain: domain, bus: bus, device: slot >> 3, function: slot & 7)
        }
        if extensions.contains("cl_amd_device_attribute_query"),
            let bytes = OpenCLInfo.bytes(of: device, amdTopology, count: 24),
            bytes[..<4].elementsEqual([1, 0, 0, 0])
        {
            // cl_device_topology_amd: the type (1 is PCI Express), 17 bytes without use, bus, device, function.
            return pciAddress(
                domain: 0, bus: UInt32(bytes[21]), device: UInt32(bytes[22]), function: UInt32(bytes[23]))
        }
        return nil
    }

    /// Nil for an address of zeros, which drivers give that do not know it.
    private static func pciAddress(domain: UInt32, bus: UInt32, device: UInt32, function: UInt32) -> String? {
        guard domain | bus | device | function != 0 else { return nil }
        func hexadecimal(_ number: UInt32, _ digits: Int) -> String {
            let text = String(number, radix: 16)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        return "\(hexadecimal(domain, 4)):\(hexadecimal(bus, 2)):\(hexadecimal(device, 2)).\(function)"
    }

    private static func uuid(of device: cl_device_id, _ extensions: Set<Substring>) -> String? {
        guard extensions.contains("cl_khr_device_uuid"),
            let bytes = OpenCLInfo.bytes(of: device, deviceUUID, count: 16),
            bytes.contains(where: { $0 != 0 })
        else { return nil }
        return bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
