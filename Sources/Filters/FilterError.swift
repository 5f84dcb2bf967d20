/// What is wrong with a filter's text.
public enum FilterError: Error, Equatable, Sendable {
    /// Not as filters are written; the correction is.
    case misspelled(String, correction: String)
    case unknownFilter(name: String, known: [String])
    case unknownParameter(filter: String, name: String, known: [String])
    case repeatedParameter(filter: String, name: String)
    case noValue(filter: String, setting: String)
    case notANumber(filter: String, parameter: String, text: String)
    case outOfRange(filter: String, parameter: String, range: ClosedRange<Float>, text: String)
}

extension FilterError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .misspelled(let text, let correction):
            "'\(text)' is not how filters are written. Write '\(correction)'."
        case .unknownFilter(let name, let known):
            "There is no filter '\(name)'.\(suggestion(name, known)) See 'tintype filters'."
        case .unknownParameter(let filter, let name, let known):
            "\(filter) has no parameter '\(name)'.\(suggestion(name, known))"
        case .repeatedParameter(let filter, let name):
            "\(filter): '\(name)' is given twice."
        case .noValue(let filter, let setting):
            "\(filter): '\(setting)' has no value; write \(setting)=VALUE."
        case .notANumber(let filter, let parameter, let text):
            "\(filter): \(parameter) expects a number, got '\(text)'."
        case .outOfRange(let filter, let parameter, let range, let text):
            "\(filter): \(parameter) expects \(range.lowerBound.plainText) to \(range.upperBound.plainText), got \(text)."
        }
    }

    private func suggestion(_ name: String, _ known: [String]) -> String {
        if let near = nearestName(to: name, in: known) { return " Did you mean '\(near)'?" }
        return " There \(known.count == 1 ? "is" : "are"): \(known.joined(separator: ", "))."
    }
}
