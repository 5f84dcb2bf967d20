import Tintype

/// The session's view on a terminal: one line for all photos, redrawn as they change.
final class ProgressView: ReloadTarget {
    private let report: RunReport
    private let progress: PixelCounter
    private let devices: DevicePool

    init(_ report: RunReport, _ progress: PixelCounter, _ devices: DevicePool) {
        self.report = report
        self.progress = progress
        self.devices = devices
    }

    func reload(item: Int) { reloadAll() }

    func reloadAll() {
        report.showProgress(progress, device: devices.devices.map(\.info.name).joined(separator: " + "))
    }
}
