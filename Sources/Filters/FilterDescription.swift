/// A filter's name and parameters, for help texts, JSON and user interfaces.
public struct FilterDescription: Encodable, Hashable, Identifiable, Sendable {
    /// One parameter of the filter.
    public struct Setting: Encodable, Hashable, Identifiable, Sendable {
        /// The form of a parameter's values.
        public enum Kind: String, Encodable, Sendable {
            case number, choice
            /// `#rrggbb`.
            case colour
            /// Points, as in `0/0_0.25/0.2_1/1`.
            case curve
            /// A path. A filter with such a setting has no default: it needs a file.
            case file
        }

        public let name: String
        public var id: String { name }
        public let summary: String
        public let kind: Kind
        /// The range of a number; nil for others.
        public private(set) var minimum, maximum: Float?
        /// The unit of a number, as in `ParameterUnit`; nil for others.
        public private(set) var unit: String?
        /// The words to choose from; nil for others.
        public private(set) var choices: [String]?
        /// The default in the form that filter texts take.
        public let defaultValue: String

        private enum CodingKeys: String, CodingKey {
            case name, summary, kind, minimum, maximum, unit, choices, defaultValue = "default"
        }

        init<F: Filter>(_ parameter: Parameter<F>, of filter: F) {
            name = parameter.name
            summary = parameter.summary
            defaultValue = parameter.text(in: filter)
            switch parameter.values {
            case .numbers(let range, let unit):
                kind = .number
                (minimum, maximum, self.unit) = (range.lowerBound, range.upperBound, unit.rawValue)
            case .names(let names):
                kind = .choice
                choices = names
            case .colour: kind = .colour
            case .curve: kind = .curve
            case .file: kind = .file
            }
        }
    }

    public let name: String
    public var id: String { name }
    public let summary: String
    public let group: FilterGroup
    public let parameters: [Setting]
    /// What becomes of a photo's HDR gain map, with the filter's defaults.
    public let gainMap: GainMapRule
    /// The filter with settings that show its use.
    public let example: String

    /// Whether the filter reads files, so that it needs more than its defaults.
    public var needsFile: Bool { parameters.contains { $0.kind == .file } }

    /// Describes a filter that has its defaults.
    public init(_ filter: any Filter) {
        name = filter.name
        summary = filter.summary
        group = filter.group
        example = filter.example
        gainMap = filter.gainMapRule
        parameters = Self.settings(filter)
    }

    private static func settings<F: Filter>(_ filter: F) -> [Setting] {
        filter.parameters.map { Setting($0, of: filter) }
    }
}
