import Foundation
import FoundationXML
import Testing
@testable import TintypeBenchmarking

struct ReportTests {
    @Test(arguments: [80, 130, Int.max])
    func tablesFitTheTerminal(_ width: Int) {
        // Chains with short names, because headings and the break-even table have the whole name.
        let text = BenchmarkReport.sample(chains: ["sepia", "noir"]).text(width: width)
        let widest = text.split(separator: "\n").map(\.count).max() ?? 0
        #expect(widest <= width)
        #expect(text.components(separatedBy: "\nPHOTO  DEVICE").count - 1 == (width < 130 ? 4 : 2))
        #expect(text.contains("DECODE"))
        #expect(text.contains("GPU 0.1: other bytes <than> it should"))
        #expect(text.contains("WRONG: left out"))
        #expect(text.contains("12 MP were left out for sepia on GPU 0.1"))
        #expect(text.contains("faster than the CPU from 4.21 MP on"))
    }

    @Test func aRowHoldsItsFigures() throws {
        let text = BenchmarkReport.sample().text(width: 200)
        let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("12 MP  GPU 0.0") })
        // 25 x 12 MP/s; of 0.9, 1 and 1.1 times that, the quartiles are 0.95 and 1.05. The floor is 200.
        #expect(
            row.split(separator: " ").map(String.init) == [
                "12", "MP", "GPU", "0.0", "300", "285-315", "150%", "1234", "-", "3.70", "15%",
                "100", "2.00", "30.0", "2.00", "80.0", "200",
            ])
    }

    @Test func devicesAreCalledWhatTheyAre() {
        var report = BenchmarkReport.sample(chains: ["sepia"])
        // The identifier stands where it can be copied from, beside the name.
        #expect(report.text(width: 200).contains("\nGPU 0.0  0.0  A <fast>"))
        report.devices.removeLast()
        report.leftOut = []
        report.headlines = report.headlineSentences
        // Only the table of devices has the identifier.
        let text = report.text(width: 200), html = ReportPage(report).html
        #expect(text.split(whereSeparator: \.isWhitespace).count { $0 == "0.0" } == 1, "\(text)")
        #expect(html.components(separatedBy: ">0.0<").count == 2 && !html.contains("\"0.0,"), "\(html)")
        for report in [text, html] { #expect(report.contains("GPU is 3.00 x the CPU for sepia")) }
    }

    @Test func theReportBeginsWithWhatItFound() {
        var report = BenchmarkReport.sample()
        report.headlines = report.headlineSentences
        // 25 x 12 of 100 MP/s with either chain; the floor is 200 MP/s.
        let gpu =
            "GPU 0.0 (A <fast> & \"odd\" device): 3.00 x the CPU in the median of 2 chains, from 3.00 x "
        #expect(report.text(width: 200).hasPrefix(gpu))
        let cpu =
            "CPU (A <fast> & \"odd\" device): 50% of the speed of libjpeg alone (FLOOR) in the median of 2 chains"
        #expect(report.headlines[1].hasPrefix(cpu))
    }

    @Test func sharesAboveAllAreExplained() {
        var report = BenchmarkReport.sample()
        // The GPU's 300 MP/s are 150 % of the floor.
        #expect(report.text(width: 80).contains("FLOOR may be above 100%"))
        #expect(!report.text(width: 80).contains("COPY may be above 100%"))
        report.results[0].shareOfCopyBandwidth = 1.2
        #expect(report.text(width: 80).contains("COPY may be above 100%"))
        #expect(ReportPage(report).html.contains("COPY may be above 100%"))
        report.results.removeAll { ($0.shareOfFloor?.median ?? 0) > 1 }
        #expect(!report.text(width: 80).contains("FLOOR may be above 100%"))
    }

    @Test func figuresAreFlushRight() {
        let text = TextTable.text([["A", "NUMBER"], ["long name", "1"]], wordColumnCount: 1)
        #expect(text == "A          NUMBER\nlong name       1\n")
    }

    @Test(arguments: [
        (0.0, "0.00"), (0.004, "0.00"), (1.234, "1.23"), (9.996, "10.0"), (12.34, "12.3"), (99.96, "100"),
        (1234.5, "1234"), (.infinity, "-"),
    ])
    func numbersHaveThreeDigits(_ value: Double, _ text: String) { #expect(Figures.short(value) == text) }

    @Test(
        arguments: [
            (97.0, [0, 25, 50, 75, 100]), (3.2, [0, 1, 2, 3, 4]), (1000, [0, 250, 500, 750, 1000]),
            (0.017, [0, 0.005, 0.01, 0.015, 0.02]),
        ] as [(Double, [Double])])
    func axesEndAtRoundNumbers(_ largest: Double, _ ticks: [Double]) {
        let axis = Axis(upTo: largest)
        #expect(axis.ticks.count == ticks.count)
        for (tick, wanted) in zip(axis.ticks, ticks) { #expect(abs(tick.value - wanted) < 1e-9) }
        #expect(axis.position(axis.end) == 1)
    }

    @Test func ticksShowTheirDecimals() {
        #expect(Axis(upTo: 0.9).ticks.map(\.label) == ["0", "0.25", "0.5", "0.75", "1"])
        #expect(Axis(upTo: 97).ticks.last?.label == "100")
    }

    @Test func JSONHasItsDocumentedFieldsAndComesBack() throws {
        let report = BenchmarkReport.sample()
        let data = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(BenchmarkReport.self, from: data) == report)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["schema"] as? Int == 1)
        let results = try #require(object["results"] as? [[String: Any]])
        let speed = try #require(results[0]["megapixelsPerSecond"] as? [String: Double])
        #expect(speed == ["median": 100, "low": 95, "high": 105, "count": 3])
        let breakEvens = try #require(object["breakEvens"] as? [[String: Any]])
        #expect(breakEvens[0]["answer"] as? String == "from")
    }

    @Test func thePageNeedsNothingElse() {
        let html = ReportPage(.sample()).html
        for outside in ["http", "src=", "url(", "<script", "<link", "@import"] {
            #expect(!html.contains(outside), "\(outside)")
        }
        #expect(html.contains("color-scheme: light dark"))
        #expect(html.contains("@media print"))
    }

    @Test func namesCannotBreakThePage() {
        let html = ReportPage(.sample(chains: ["<script>alert(1)</script>"])).html
        #expect(!html.contains("<script"))
        #expect(html.contains("A &lt;fast&gt; &amp; &quot;odd&quot; device"))
        #expect(html.contains("other bytes &lt;than&gt; it should"))
    }

    /// An XML parser is stricter than browsers: every element closed, every attribute quoted.
    @Test func thePageIsWellFormed() throws {
        let html = ReportPage(.sample()).html
        let body = try #require(html.range(of: "<body>")).lowerBound..<html.range(of: "</html>")!.lowerBound
        #expect(XMLParser(data: Data(html[body].utf8)).parse())
        #expect(!html[body].contains("nan") && !html[body].contains("inf"))
        // Two chains and two sizes: a chart a chain over sizes, and two charts a photo.
        #expect(html.components(separatedBy: "<svg").count - 1 == 2)
        #expect(html.components(separatedBy: "class=\"bars\"").count - 1 == 2 * 2)
    }

    @Test func aBarIsAsLongAsItsFigure() throws {
        // The axis ends at 400, because the largest value is 315 and the steps are 100. 300 MP/s are 75 %.
        let html = ReportPage(.sample()).html
        let bar = try #require(
            html.components(separatedBy: "<i ").first { $0.contains("GPU 0.0, sepia: 300 MP/s") })
        #expect(bar.contains("left:0.00%;width:75.00%"))
    }

    @Test func anEmptyReportMakesAPage() {
        var report = BenchmarkReport.sample()
        (report.results, report.floors, report.startups, report.breakEvens) = ([], [], [], [])
        report.isComplete = false
        #expect(ReportPage(report).html.contains("not complete"))
        #expect(report.text(width: 80).contains("not complete"))
    }
}
