import ArgumentParser
import Tintype
import TintypeBenchmarking

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

    @Argument(
        help: ArgumentHelp("Filters to list; all without any.", valueName: "name"), completion: .filterNames)
    var names: [String] = []

    @OptionGroup
    var kernels: KernelFlags

    @Flag(help: "Print JSON on standard output.")
    var json = false

    func run() throws {
        try kernels.register(compiles: false)
        let filters = try chosenFilters().map { FilterDescription($0) }
        try StandardStream.writeResult(json ? filters.jsonText(pretty: true) + "\n" : text(of: filters))
    }

    private func chosenFilters() throws -> [any Filter] {
        guard !names.isEmpty else { return FilterCatalog.all }
        do {
            return try names.map { try FilterCatalog.filter(named: $0) }
        } catch let error as FilterError {
            throw ValidationError(error.description)
        }
    }

    private func exampleCommand(_ filter: FilterDescription) -> String {
        let flags = filter.group == .own ? kernels.arguments : []
        let words = ["tintype", "apply"] + flags.map(\.shellQuoted) + ["-f", filter.example, "photo.jpg"]
        return "\n  \(words.joined(separator: " "))\n"
    }

    private func text(of filters: [FilterDescription]) -> String {
        guard names.isEmpty else {
            return filters.map { $0.text + exampleCommand($0) }.joined(separator: "\n")
        }
        return FilterGroup.allCases.compactMap { group in
            let own = filters.filter { $0.group == group }.map(\.text)
            return own.isEmpty ? nil : "\(group.title)\n\n\(own.joined(separator: "\n"))"
        }.joined(separator: "\n")
    }
}

/// A filter as `tintype filters` shows it.
extension FilterDescription {
    var text: String {
        let head = "\(name): \(summary)\n"
        let rows = parameters.map { setting in
            [
                "  \(setting.name)", setting.values, setting.unit ?? "",
                setting.kind == .file ? "" : "default \(setting.defaultValue)", setting.text,
            ]
        }
        return head + TextTable.text(rows, width: StandardStream.resultColumns)
    }
}

extension FilterDescription.Setting {
    /// More words than these would leave no room for the summary beside them.
    private static let wordsInValues = 4

    private var hasManyWords: Bool { (choices?.count ?? 0) > Self.wordsInValues }

    fileprivate var text: String { hasManyWords ? "\(summary): \(choices?.alternatives ?? "")" : summary }

    fileprivate var values: String {
        switch kind {
        case .number: [minimum, maximum].compactMap { $0?.plainText }.joined(separator: " to ")
        case .choice: hasManyWords ? "a word" : choices?.alternatives ?? ""
        case .colour: "a colour"
        case .curve: "points"
        case .file: "a file"
        }
    }
}
