/// One colour a device, the same in every chart.
struct DeviceColours {
    private let devices: [String]
    /// How many colours the page's style has; devices beyond them begin anew.
    static let count = 8

    init(_ devices: [String]) { self.devices = devices }

    /// The class that gives an element its device's colour.
    func className(_ device: String) -> String {
        "device-\((devices.firstIndex(of: device) ?? 0) % Self.count)"
    }

    var legend: String { Benchmarking.legend(devices.map { ($0, className($0)) }) }
}
