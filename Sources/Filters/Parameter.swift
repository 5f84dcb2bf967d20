import Foundation

/// One setting of a filter: its name, its range or choices, and the property that holds it.
public struct Parameter<Owner: Filter>: Sendable {
    /// Name in filter texts and help: `intensity` in `sepia:intensity=0.8`.
    public let name: String
    /// One line that tells users what the setting does.
    public let summary: String
    /// The range or the words that `set` accepts.
    public let values: ParameterValues

    /// The property that holds the setting, where its type has values that `set` does not accept.
    enum Property: Sendable {
        case number(any WritableKeyPath<Owner, Float> & Sendable)
        case length(any WritableKeyPath<Owner, Length> & Sendable)
        /// Of a type that has valid values only.
        case other
    }

    let property: Property
    private let read: @Sendable (Owner) -> String
    private let write: @Sendable (inout Owner, String) throws(FilterError) -> Void

    /// A plain number. A fraction may also be written as a percentage, a ratio as two numbers.
    public init(
        _ name: String, _ path: any WritableKeyPath<Owner, Float> & Sendable, in range: ClosedRange<Float>,
        unit: ParameterUnit, _ summary: String
    ) {
        self.name = name
        self.summary = summary
        values = .numbers(range, unit)
        property = .number(path)
        read = { $0[keyPath: path].plainText }
        write = { (owner, text) throws(FilterError) in
            owner[keyPath: path] =
                if unit == .fraction, text.hasSuffix("%") {
                    try Self.share(text, of: owner, name: name, range: range)
                } else if unit == .ratio {
                    try Self.ratio(text, of: owner, name: name, range: range)
                } else {
                    try Self.number(text, of: owner, name: name, range: range)
                }
        }
    }

    /// A length in pixels, or as a percentage of the photo's shown height.
    public init(
        _ name: String, _ path: any WritableKeyPath<Owner, Length> & Sendable, in range: ClosedRange<Float>,
        _ summary: String
    ) {
        self.name = name
        self.summary = summary
        values = .numbers(range, .length)
        property = .length(path)
        read = { $0[keyPath: path].description }
        write = { (owner, text) throws(FilterError) in
            owner[keyPath: path] =
                if text.hasSuffix("%") {
                    .fractionOfHeight(try Self.share(text, of: owner, name: name, range: 0...1))
                } else {
                    .pixels(try Self.number(text, of: owner, name: name, range: range))
                }
        }
    }

    /// One of a few named values: the cases of an enumeration, by their raw values.
    public init<Choice: CaseIterable & RawRepresentable<String> & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Owner, Choice> & Sendable, _ summary: String
    ) {
        let names = Choice.allCases.map(\.rawValue)
        self.name = name
        self.summary = summary
        values = .names(names)
        property = .other
        read = { $0[keyPath: path].rawValue }
        write = { (owner, text) throws(FilterError) in
            guard let choice = Choice(rawValue: text) else {
                throw .notAChoice(filter: owner.name, parameter: name, text: text, known: names)
            }
            owner[keyPath: path] = choice
        }
    }

    /// A colour: `#rrggbb` or `#rgb`.
    public init(
        _ name: String, _ path: any WritableKeyPath<Owner, PlainColour> & Sendable, _ summary: String
    ) {
        self.init(name, path, .colour, summary, parsing: { PlainColour($0) }) { filter, text in
            .notAColour(filter: filter, parameter: name, text: text)
        }
    }

    /// A curve through points: `0/0_0.25/0.2_1/1`.
    public init(
        _ name: String, _ path: any WritableKeyPath<Owner, CurvePoints> & Sendable, _ summary: String
    ) {
        self.init(name, path, .curve, summary, parsing: { CurvePoints($0) }) { filter, text in
            .notACurve(filter: filter, parameter: name, text: text)
        }
    }

    /// A file.
    init(_ name: String, _ path: any WritableKeyPath<Owner, FilterFile> & Sendable, _ summary: String) {
        self.init(name, path, .file, summary, parsing: { FilterFile(text: $0) }) { filter, _ in
            .noFile(filter: filter, parameter: name)
        }
    }

    /// A value whose description is the text that `parse` reads.
    private init<Value: CustomStringConvertible & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Owner, Value> & Sendable, _ values: ParameterValues,
        _ summary: String, parsing parse: @escaping @Sendable (String) -> Value?,
        orThrow error: @escaping @Sendable (_ filter: String, _ text: String) -> FilterError
    ) {
        self.name = name
        self.summary = summary
        self.values = values
        property = .other
        read = { $0[keyPath: path].description }
        write = { (owner, text) throws(FilterError) in
            guard let value = parse(text) else { throw error(owner.name, text) }
            owner[keyPath: path] = value
        }
    }

    /// The parameter's value in `owner`, in the form that `set` parses.
    public func text(in owner: Owner) -> String { read(owner) }

    /// Parses a value and stores it in `owner`.
    ///
    /// - Throws: `FilterError` if `text` is not one of the parameter's `values`.
    public func set(_ text: String, in owner: inout Owner) throws(FilterError) { try write(&owner, text) }

    /// Checks a value that was not parsed.
    ///
    /// - Throws: `FilterError`, as `set` does for the value's text.
    func check(in owner: Owner) throws(FilterError) {
        guard case .numbers(let range, _) = values else { return }
        let isInRange =
            switch property {
            case .number(let path): range.contains(owner[keyPath: path])
            case .length(let path): owner[keyPath: path].isIn(range)
            case .other: true
            }
        guard !isInRange else { return }
        var copy = owner
        try set(text(in: owner), in: &copy)
    }

    private static func number(
        _ text: String, of owner: Owner, name: String, range: ClosedRange<Float>
    ) throws(FilterError) -> Float {
        guard let value = Float(text), value.isFinite else {
            throw .notANumber(filter: owner.name, parameter: name, text: text)
        }
        guard range.contains(value) else {
            throw .outOfRange(filter: owner.name, parameter: name, range: range, text: text)
        }
        return value
    }

    /// Parses a number, or a ratio of two: `3:2` is 1.5.
    private static func ratio(
        _ text: String, of owner: Owner, name: String, range: ClosedRange<Float>
    ) throws(FilterError) -> Float {
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
        let ratio: Float? =
            if numbers.count == 2, let width = numbers[0], let height = numbers[1], width > 0, height > 0 {
                Float(width / height)
            } else {
                Float(text)
            }
        guard let value = ratio, value.isFinite else {
            throw .notARatio(filter: owner.name, parameter: name, text: text)
        }
        guard range.contains(value) else {
            throw .outOfRange(filter: owner.name, parameter: name, range: range, text: text)
        }
        return value
    }

    /// Parses a percentage as a fraction of 1: `80%` is 0.8.
    private static func share(
        _ text: String, of owner: Owner, name: String, range: ClosedRange<Float>
    ) throws(FilterError) -> Float {
        guard let percent = Double(text.dropLast()), percent.isFinite else {
            throw .notANumber(filter: owner.name, parameter: name, text: text)
        }
        // Divides in double precision, so that 33.3% equals 0.333.
        let value = Float(percent / 100)
        guard range.contains(value) else {
            throw .outOfRange(filter: owner.name, parameter: name, range: range, text: text)
        }
        return value
    }
}

/// The values that a parameter takes.
public enum ParameterValues: Hashable, Sendable {
    /// Numbers in a range; lengths in pixels.
    case numbers(ClosedRange<Float>, ParameterUnit)
    /// One of these words.
    case names([String])
    /// An opaque colour.
    case colour
    /// A curve through points.
    case curve
    /// The path of a file.
    case file
}

/// The unit of a parameter's number.
public enum ParameterUnit: String, Hashable, Sendable {
    /// A fraction of a whole, 0.2 or 20%. A place in the photo is a fraction of its shown height.
    case fraction
    /// Pixels, or a percentage of the photo's shown height.
    case length = "px or %"
    /// An angle.
    case degrees
    /// Factors of two of the light.
    case stops
    /// Pixels.
    case pixels = "px"
    /// A width divided by a height, 1.5, also written as 3:2.
    case ratio
    /// A difference of colour temperature: a million over kelvin.
    case mired
    /// A pure number.
    case number
}

/// A length in a photo.
public enum Length: Hashable, Sendable, CustomStringConvertible {
    /// Pixels of the photo, whatever its size.
    case pixels(Float)
    /// A fraction of the photo's shown height: 0.004 is 0.4 %.
    case fractionOfHeight(Float)

    /// The length in pixels in a photo whose shown height is `height` pixels.
    public func pixels(inHeight height: Int) -> Double {
        switch self {
        case .pixels(let pixels): Double(pixels)
        case .fractionOfHeight(let fraction): Double(fraction) * Double(height)
        }
    }

    /// - Parameter range: in pixels.
    fileprivate func isIn(_ range: ClosedRange<Float>) -> Bool {
        switch self {
        case .pixels(let pixels): range.contains(pixels)
        case .fractionOfHeight(let fraction): (0...1).contains(fraction)
        }
    }

    public var description: String {
        switch self {
        case .pixels(let pixels): pixels.plainText
        case .fractionOfHeight(let fraction): "\(Self.percent(fraction))%"
        }
    }

    /// The shortest number that parses to this fraction. A hundred times the fraction need not.
    private static func percent(_ fraction: Float) -> String {
        let percent = Double(fraction) * 100
        let texts = (1...17).lazy.map { String(format: "%.\($0)g", percent) }
        // With few digits, 100 is 1e+02.
        return texts.first { text in
            !text.contains("e+") && Double(text).map { Float($0 / 100) } == fraction
        } ?? "\(percent)"
    }
}

/// A number alone is pixels, as in a filter's text: `Blur(radius: 4)`.
extension Length: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    public init(floatLiteral pixels: Float) { self = .pixels(pixels) }
    public init(integerLiteral pixels: Int) { self = .pixels(Float(pixels)) }
}

extension Float {
    /// The shortest text that parses to this number. Whole numbers have no decimal point.
    package var plainText: String {
        self == rounded() && abs(self) < 1e6 ? String(Int(self)) : String(self)
    }
}
