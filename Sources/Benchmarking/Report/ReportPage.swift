package struct ReportPage {
    package init(_ report: BenchmarkReport) {}
    package var html: String { "" }
}
