import TintypeRendering

/// Devices by hardware: several OpenCL platforms may show one GPU, such as NVIDIA's own and PoCL's.
///
/// Devices of one platform are never one, and neither are devices whose drivers do not identify them.
package struct HardwareGroups {
    /// Indices of the devices of each hardware, in the order of their first. Within a group, the platform of the
    /// device's own vendor comes first.
    package let groups: [[Int]]
    private let infos: [DeviceInfo]

    package init(_ infos: [DeviceInfo]) {
        self.infos = infos
        var groups: [[Int]] = []
        for index in infos.indices {
            let own = groups.firstIndex { group in
                group.contains { infos[$0].isSameHardware(as: infos[index]) }
                    && !group.contains { infos[$0].platform == infos[index].platform }
            }
            if let own { groups[own].append(index) } else { groups.append([index]) }
        }
        self.groups = groups.map { group in
            group.filter { infos[$0].isVendorsOwn } + group.filter { !infos[$0].isVendorsOwn }
        }
    }

    /// The device that is used for the same hardware by default; nil if it is this one.
    package func preferred(to index: Int) -> Int? {
        groups.first { $0.contains(index) }.flatMap { $0[0] == index ? nil : $0[0] }
    }
}

extension DeviceInfo {
    fileprivate var platform: Substring { identifier.prefix { $0 != "." } }

    fileprivate var isVendorsOwn: Bool { hardware?.isVendorsOwn ?? false }

    /// A PCI address tells more than a UUID, which drivers may make up in different ways.
    fileprivate func isSameHardware(as other: DeviceInfo) -> Bool {
        guard let own = hardware, let others = other.hardware else { return false }
        if own.repeats == other.identifier || others.repeats == identifier { return true }
        if let address = own.pciAddress, let othersAddress = others.pciAddress {
            return address == othersAddress
        }
        return own.uuid != nil && own.uuid == others.uuid
    }
}
