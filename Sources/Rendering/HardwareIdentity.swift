/// What tells whether two devices of different OpenCL platforms are the same hardware.
public struct HardwareIdentity: Hashable, Sendable {
    /// PCI domain, bus, device and function, such as `0000:65:00.0`; nil if the driver does not tell.
    public let pciAddress: String?
    /// The device's UUID in hexadecimal; nil if the driver does not tell.
    public let uuid: String?
    /// The identifier of an earlier device with the same driver's handle: a driver that is listed twice.
    public let repeats: String?
    /// Whether the platform's vendor also makes the device.
    public let isVendorsOwn: Bool

    public init(
        pciAddress: String? = nil, uuid: String? = nil, repeats: String? = nil, isVendorsOwn: Bool = false
    ) {
        self.pciAddress = pciAddress
        self.uuid = uuid
        self.repeats = repeats
        self.isVendorsOwn = isVendorsOwn
    }
}
