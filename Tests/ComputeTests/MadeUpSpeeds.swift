@testable import TintypeRendering

/// Made-up measurements. Costs grow with the photo: seconds for a megapixel.
func speeds(
    device: Double = 0, host: Double, startup: Double = 0, codec: Double? = nil
) -> DeviceSpeeds {
    DeviceSpeeds(
        date: "2026-11-24", startupSeconds: startup,
        renders: PassKind.allCases.map {
            .init(kind: $0, megapixels: 1, deviceSeconds: device, hostSeconds: host)
        }, codecs: codec.map { [.init(megapixels: 1, hostSeconds: $0)] } ?? [])
}
