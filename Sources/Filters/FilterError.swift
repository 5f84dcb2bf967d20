import Foundation
import TintypeFiles
import TintypeImaging

/// A mistake in a filter's text.
public enum FilterError: Error, Equatable, Sendable {
    /// The text cannot be parsed, but `correction` can.
    case misspelled(String, correction: String)
    /// No filter has this name. `known` are the names that exist.
    case unknownFilter(name: String, known: [String])
    /// The filter has no parameter of this name. `known` are the names of its parameters.
    case unknownParameter(filter: String, name: String, known: [String])
    /// A parameter is given more than once.
    case repeatedParameter(filter: String, name: String)
    /// A parameter's name without `=` and a value.
    case noValue(filter: String, setting: String)
    /// `text` is not a finite number, nor a percentage where one is allowed.
    case notANumber(filter: String, parameter: String, text: String)
    /// `text` is neither a finite number nor a ratio of two positive ones.
    case notARatio(filter: String, parameter: String, text: String)
    /// `range` is in fractions of 1, even if `text` is a percentage.
    case outOfRange(filter: String, parameter: String, range: ClosedRange<Float>, text: String)
    /// `text` is not one of the words that the parameter takes, which are `known`.
    case notAChoice(filter: String, parameter: String, text: String, known: [String])
    /// `text` is not `#rrggbb` or `#rgb`.
    case notAColour(filter: String, parameter: String, text: String)
    /// `text` is not a list of points as `CurvePoints` takes it.
    case notACurve(filter: String, parameter: String, text: String)
    /// The settings do not fit together. `problem` says why, and what would.
    case unusable(filter: String, problem: String)
    /// A file that the filter needs is not given.
    case noFile(filter: String, parameter: String)
    /// The file cannot be read.
    case unreadableFile(filter: String, path: String, reason: String)
    /// The file's contents are wrong. `line` is counted from 1; nil is the whole file.
    case invalidFile(filter: String, path: String, line: Int?, problem: String)
    /// The text names another version of the filter's kernel.
    case otherCode(filter: String)
}

extension FilterError {
    /// - Parameter error: why the file cannot be decoded.
    init(unreadable path: String, of filter: String, _ error: any Error) {
        let reason = "\(error)"
        self = .unreadableFile(
            filter: filter, path: path,
            reason: reason.hasSuffix(".") ? String(reason.dropLast()) : reason)
    }
}

extension FilterError: LocalizedError {
    public var errorDescription: String? { description }
}

extension FilterError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .misspelled(let text, let correction):
            "'\(text.excerpt())' is not how filters are written. Write '\(correction.excerpt(1000))'."
        case .unknownFilter(let name, let known):
            "There is no filter '\(name.excerpt())'.\(filterHint(name, known)) \(Wording.listFilters.text)"
        case .unknownParameter(let filter, let name, let known):
            "\(filter) has no parameter '\(name.excerpt())'.\(hint(name, known))"
        case .repeatedParameter(let filter, let name):
            "\(filter): '\(name.excerpt())' is given twice."
        case .noValue(let filter, let setting):
            "\(filter): '\(setting.excerpt())' has no value; write \(setting.excerpt())=VALUE."
        case .notANumber(let filter, let parameter, let text):
            "\(filter): \(parameter) expects a number, got '\(text.excerpt())'."
        case .notARatio(let filter, let parameter, let text):
            "\(filter): \(parameter) expects a number or a ratio such as 3:2, got '\(text.excerpt())'."
        case .outOfRange(let filter, let parameter, let range, let text):
            "\(filter): \(parameter) expects \(bounds(of: range, like: text)), got \(text.excerpt())."
        case .notAChoice(let filter, let parameter, let text, let known):
            "\(filter): \(parameter) expects \(known.alternatives), got '\(text.excerpt())'.\(correction(text, known))"
        case .notAColour(let filter, let parameter, let text):
            "\(filter): \(parameter) expects a colour such as #1f2a52 or #fc0, got '\(text.excerpt())'."
        case .notACurve(let filter, let parameter, let text):
            "\(filter): \(parameter) expects \(CurvePoints.counts.lowerBound) to "
                + "\(CurvePoints.counts.upperBound) points such as 0/0_0.25/0.2_1/1, in 0 to 1 and in order, "
                + "got '\(text.excerpt())'."
        case .unusable(let filter, let problem):
            "\(filter): \(problem)."
        case .noFile(let filter, let parameter):
            "\(filter) needs a file; write \(filter):\(parameter)=PATH."
        case .unreadableFile(let filter, let path, let reason):
            "\(filter): '\(path.printableName)' cannot be read: \(reason)."
        case .invalidFile(let filter, let path, let line, let problem):
            "\(filter): '\(path.printableName)'\(line.map { ", line \($0)" } ?? ""): \(problem)."
        case .otherCode(let filter):
            "\(filter): the kernel has changed since this text was written. Leave out 'code=' to use the present one."
        }
    }

    private func bounds(of range: ClosedRange<Float>, like text: String) -> String {
        guard text.hasSuffix("%") else {
            return "\(range.lowerBound.plainText) to \(range.upperBound.plainText)"
        }
        return "\((range.lowerBound * 100).plainText)% to \((range.upperBound * 100).plainText)%"
    }

    private func correction(_ name: String, _ known: [String]) -> String {
        nearestName(to: name, in: known).map { " Did you mean '\($0)'?" } ?? ""
    }

    private func filterHint(_ name: String, _ known: [String]) -> String {
        FilterAlias.suggestion(for: name).map { " \($0)" } ?? hint(name, known)
    }

    private func hint(_ name: String, _ known: [String]) -> String {
        " " + suggestion(for: name, in: known, intro: known.count == 1 ? "There is" : "There are")
    }
}

extension [String] {
    /// The words as alternatives: `a`, `a or b`, `a, b or c`.
    package var alternatives: String {
        guard count > 1, let last else { return first ?? "" }
        return "\(dropLast().joined(separator: ", ")) or \(last)"
    }
}
