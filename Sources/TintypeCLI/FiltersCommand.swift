import ArgumentParser
import Benchmarking
import Tintype

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
extension FilterDescription {
    var text: String {
        let head = "\(name): \(summary)\n"
        let rows = parameters.map { setting in
            [
                "  \(setting.name)", setting.values, setting.unit ?? "", "default \(setting.defaultValue)",
                setting.summary,
            ]
        }
        return head + TextTable.text(rows, width: StandardStream.resultColumns)
    }
}

extension FilterDescription.Setting {
    fileprivate var values: String {
        if let choices { return choices.alternatives }
        return [minimum, maximum].compactMap { $0?.plainText }.joined(separator: " to ")
    }
}
