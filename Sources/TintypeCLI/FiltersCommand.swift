import ArgumentParser
import Filters

/// `tintype filters`: what filters there are, and their settings.
struct FiltersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filters",
        abstract: "List the filters and their settings.",
        discussion: """
            A filter is written as its name, or with settings; + joins several to a chain:
              tintype apply -f tilt-shift:radius=8,focus=0.6 photo.jpg
              tintype apply -f sepia+noir:contrast=2 photo.jpg
            """)

    @Flag(help: "Print JSON on standard output.")
    var json = false

    func run() throws {
        let filters = FilterCatalog.all.map { FilterDescription($0) }
        try StandardStream.writeResult(
            json ? filters.jsonText(pretty: true) + "\n" : filters.map(\.text).joined(separator: "\n"))
    }
}

/// A filter as `tintype filters` shows it.
struct FilterDescription: Encodable {
    struct Setting: Encodable {
        let name: String
        let summary: String
        let minimum: Float
        let maximum: Float
        let defaultValue: String
        let unit: String

        private enum CodingKeys: String, CodingKey {
            case name, summary, minimum, maximum, defaultValue = "default", unit
        }
    }

    let name: String
    let summary: String
    let parameters: [Setting]

    init(_ filter: any Filter.Type) {
        name = filter.name
        summary = filter.summary
        parameters = Self.settings(filter)
    }

    private static func settings<F: Filter>(_ filter: F.Type) -> [Setting] {
        filter.parameters.map { parameter in
            Setting(
                name: parameter.name, summary: parameter.summary, minimum: parameter.range.lowerBound,
                maximum: parameter.range.upperBound, defaultValue: parameter.defaultText,
                unit: parameter.unit.rawValue)
        }
    }

    var text: String {
        let head = "\(name): \(summary)\n"
        let rows = parameters.map { setting in
            [
                "  \(setting.name)", "\(setting.minimum.plainText) to \(setting.maximum.plainText)",
                setting.unit, "default \(setting.defaultValue)", setting.summary,
            ]
        }
        return head + Columns.text(rows, width: StandardStream.resultColumns)
    }
}
