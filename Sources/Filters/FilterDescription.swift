/// A filter type's name and parameters, for help texts, JSON and user interfaces.
public struct FilterDescription: Encodable, Sendable {
    /// One parameter of the filter.
    public struct Setting: Encodable, Sendable {
        public let name: String
        public let summary: String
        /// The range of a number; nil for choices.
        public private(set) var minimum, maximum: Float?
        /// The unit of a number, as in `ParameterUnit`; nil for choices.
        public private(set) var unit: String?
        /// The words to choose from; nil for numbers.
        public private(set) var choices: [String]?
        /// The default in the form that filter texts take.
        public let defaultValue: String

        private enum CodingKeys: String, CodingKey {
            case name, summary, minimum, maximum, unit, choices, defaultValue = "default"
        }

        init<F: Filter>(_ parameter: Parameter<F>) {
            name = parameter.name
            summary = parameter.summary
            defaultValue = parameter.defaultText
            switch parameter.values {
            case .numbers(let range, let unit):
                (minimum, maximum, self.unit) = (range.lowerBound, range.upperBound, unit.rawValue)
            case .names(let names): choices = names
            }
        }
    }

    public let name: String
    public let summary: String
    public let group: FilterGroup
    public let parameters: [Setting]

    /// Describes a filter type.
    public init(_ filter: any Filter.Type) {
        name = filter.name
        summary = filter.summary
        group = filter.group
        parameters = Self.settings(filter)
    }

    private static func settings<F: Filter>(_ filter: F.Type) -> [Setting] {
        filter.parameters.map { Setting($0) }
    }
}
