import Tintype

extension BenchmarkReport.DeviceEntry {
    init(_ info: DeviceInfo) {
        self.init(
            device: info.identifier, kind: info.kind.rawValue, name: info.name, driver: info.driver,
            status: .unchecked, checkedCount: 0)
    }

    /// Whether the device is not measured any more.
    var isOut: Bool { status == .wrong || status == .failed }

    /// Whether it runs through OpenCL.
    package var isOpenCL: Bool { kind != DeviceInfo.Kind.simd.rawValue }
}

extension BenchmarkReport.PhotoEntry {
    init(_ photo: BenchmarkPhoto) {
        self.init(
            photo: photo.name, width: photo.geometry.width, height: photo.geometry.height,
            bytes: photo.jpeg.count, isSynthesised: photo.isSynthesised)
    }
}

extension BenchmarkReport {
    /// Chains in the order in which they were measured.
    package var chains: [String] { results.map(\.chain).uniqued() }

    package func result(device: String, chain: String, photo: String) -> ResultEntry? {
        results.first { $0.device == device && $0.chain == chain && $0.photo == photo }
    }

    package func floor(_ floor: CodecFloor, photo: String) -> FloorEntry? {
        floors.first { $0.floor == floor && $0.photo == photo }
    }

    /// Compares each OpenCL device with the best of the CPU's levels.
    func withBreakEvens() -> BenchmarkReport {
        var report = self
        guard let cpu = devices.filter({ $0.status == .ok }).bestLevel(\.device) else { return report }
        for device in devices where device.isOpenCL && device.status == .ok {
            for chain in chains {
                let speeds = photos.compactMap { photo -> BreakEvenEntry.Speeds? in
                    guard let ours = result(device: device.device, chain: chain, photo: photo.photo),
                        let theirs = result(device: cpu.device, chain: chain, photo: photo.photo)
                    else { return nil }
                    return (
                        photo.megapixels, ours.megapixelsPerSecond.median, theirs.megapixelsPerSecond.median
                    )
                }
                let entry = BreakEvenEntry(device: device.device, cpu: cpu.device, chain: chain, speeds)
                if let entry { report.breakEvens.append(entry) }
            }
        }
        return report
    }
}

extension Array {
    /// The element of the CPU's best level, in whatever order they are; nil if all are of other devices.
    ///
    /// - Parameter identifier: that of an element's device.
    func bestLevel(_ identifier: (Element) -> String) -> Element? {
        for level in SIMDLevel.supported.reversed() {
            let wanted = SIMDDevice(level: level).info.identifier
            if let element = first(where: { identifier($0) == wanted }) { return element }
        }
        return nil
    }
}

extension Array where Element: Hashable {
    /// Each element once, at its first place.
    package func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
