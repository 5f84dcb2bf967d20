/// One colour a device, the same in every chart.
struct DeviceColours {
    private let devices: [String]
    private let labels: DeviceLabels
    /// The number of colours in the page's style. Further devices use them again.
    static let count = 8

    init(_ devices: [BenchmarkReport.DeviceEntry]) {
        self.devices = devices.map(\.device)
        labels = DeviceLabels(devices)
    }

    /// The class that gives an element its device's colour.
    func className(_ device: String) -> String {
        "device-\((devices.firstIndex(of: device) ?? 0) % Self.count)"
    }

    var legend: String { TintypeBenchmarking.legend(devices.map { (labels[$0], className($0)) }) }
}
