import Tintype

/// The session's view on a terminal: one line for all photos, redrawn as they change.
final class ProgressView: ReloadTarget {
    private let report: RunReport
    private let progress: PixelCounter
    private let device: String

    init(_ report: RunReport, _ progress: PixelCounter, device: String) {
        self.report = report
        self.progress = progress
        self.device = device
    }

    func reload(item: Int) { reloadAll() }

    func reloadAll() { report.showProgress(progress, device: device) }
}
