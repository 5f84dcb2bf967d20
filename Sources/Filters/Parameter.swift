/// One setting of a filter: its name, range and unit, and where the filter keeps it.
public struct Parameter<Owner: Filter>: Sendable {
    public let name: String
    /// One line for people who set it.
    public let summary: String
    public let unit: ParameterUnit
    /// Values that are accepted; for a length, in pixels.
    public let range: ClosedRange<Float>

    private let read: @Sendable (Owner) -> String
    private let write: @Sendable (inout Owner, String) throws(FilterError) -> Void

    /// A plain number.
    public init(
        _ name: String, _ path: any WritableKeyPath<Owner, Float> & Sendable, in range: ClosedRange<Float>,
        unit: ParameterUnit, _ summary: String
    ) {
        self.name = name
        self.summary = summary
        self.unit = unit
        self.range = range
        read = { $0[keyPath: path].plainText }
        write = { (owner, text) throws(FilterError) in
            owner[keyPath: path] = try Self.number(text, name: name, range: range)
        }
    }

    /// A length in pixels, or as a percentage of the photo's shown height.
    public init(
        _ name: String, _ path: any WritableKeyPath<Owner, Length> & Sendable, in range: ClosedRange<Float>,
        _ summary: String
    ) {
        self.name = name
        self.summary = summary
        unit = .length
        self.range = range
        read = { $0[keyPath: path].description }
        write = { (owner, text) throws(FilterError) in
            if text.hasSuffix("%") {
                let percent = try Self.number(String(text.dropLast()), name: name, range: 0...100)
                owner[keyPath: path] = .fractionOfHeight(percent / 100)
            } else {
                owner[keyPath: path] = .pixels(try Self.number(text, name: name, range: range))
            }
        }
    }

    /// The parameter's value in `owner`, as `set` would read it.
    public func text(in owner: Owner) -> String { read(owner) }

    /// The value that a filter has when nothing is said.
    public var defaultText: String { read(Owner()) }

    /// Reads a value.
    ///
    /// - Throws: `FilterError` where `text` is not a number or out of range.
    public func set(_ text: String, in owner: inout Owner) throws(FilterError) { try write(&owner, text) }

    private static func number(
        _ text: String, name: String, range: ClosedRange<Float>
    ) throws(FilterError) -> Float {
        guard let value = Float(text), value.isFinite else {
            throw .notANumber(filter: Owner.name, parameter: name, text: text)
        }
        guard range.contains(value) else {
            throw .outOfRange(filter: Owner.name, parameter: name, range: range, text: text)
        }
        return value
    }
}

/// What a parameter's number counts.
public enum ParameterUnit: String, Hashable, Sendable {
    /// A share of a whole; of the photo's shown height where it is a place in the photo.
    case fraction
    /// Pixels, or a percentage of the photo's shown height.
    case length = "px or %"
    /// A pure number.
    case number
}

/// A length in a photo.
public enum Length: Hashable, Sendable, CustomStringConvertible {
    case pixels(Float)
    /// A share of the photo's height as it is shown; 0.004 is 0.4 %.
    case fractionOfHeight(Float)

    /// The length in pixels in a photo whose shown height is `height` pixels.
    public func pixels(inHeight height: Int) -> Double {
        switch self {
        case .pixels(let pixels): Double(pixels)
        case .fractionOfHeight(let fraction): Double(fraction) * Double(height)
        }
    }

    public var description: String {
        switch self {
        case .pixels(let pixels): pixels.plainText
        case .fractionOfHeight(let fraction): "\((fraction * 100).plainText)%"
        }
    }
}

extension Float {
    /// The shortest text that reads back as this number; whole numbers without a fraction.
    package var plainText: String {
        self == rounded() && abs(self) < 1e6 ? String(Int(self)) : String(self)
    }
}
