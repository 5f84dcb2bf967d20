import ArgumentParser
import Foundation
import Tintype

extension PhotoFormat: ExpressibleByArgument {
    /// The extension of outputs, such as `jpg`, is understood too.
    public init?(argument: String) {
        let name = argument.lowercased()
        guard let format = Self.written.first(where: { [$0.rawValue, $0.fileExtension].contains(name) })
        else {
            return nil
        }
        self = format
    }

    public static var allValueStrings: [String] { written.map(\.rawValue) }

    /// For messages: `"jpeg" or "png"`.
    static var expectation: String { allValueStrings.map { "\"\($0)\"" }.joined(conjunction: "or") }
}

extension DeviceRoster.FallbackPolicy: ExpressibleByArgument {}

extension DeviceCodec: ExpressibleByArgument {}

extension DiskSync.Policy: ExpressibleByArgument {}

extension Recipe.Quality: ExpressibleByArgument {
    public init?(argument: String) {
        if argument == "keep" {
            self = .keep
        } else if let value = Int(argument), (1...100).contains(value) {
            self = .value(value)
        } else {
            return nil
        }
    }
}

/// Rows of MCUs between the restart markers of JPEGs.
struct RestartRows: ExpressibleByArgument, Equatable {
    /// Nil for no markers, which is 0 as an argument.
    let count: Int?

    init?(argument: String) {
        guard let count = Int(argument),
            count == 0 || PhotoWriterSettings.possibleRestartRows.contains(count)
        else { return nil }
        self.count = count == 0 ? nil : count
    }

    /// For messages.
    static let expectation = "a number from 0 to \(PhotoWriterSettings.possibleRestartRows.upperBound)"
}

extension RAWReading: ExpressibleByArgument {}
extension PNGLevel: ExpressibleByArgument {}

extension CaseIterable where Self: RawRepresentable<String> {
    /// The choices, for messages.
    static var expectation: String { allCases.map { "\"\($0.rawValue)\"" }.joined(conjunction: "or") }
}

/// The most bytes of an output's file.
struct FileSizeLimit: ExpressibleByArgument, Equatable {
    /// Nil for any number, which is 0 as an argument.
    let byteCount: Int?

    init?(argument: String) {
        if argument == "0" {
            byteCount = nil
        } else if let size = ByteSize(argument: argument) {
            byteCount = size.byteCount
        } else {
            return nil
        }
    }

    /// For messages.
    static let expectation = "a size such as \"500K\", or 0"
}

/// By how much both sides of a photo are scaled.
enum Scale: String, ExpressibleByArgument, CaseIterable {
    case full = "1"
    case half = "0.5"
}

/// How a run shows that it gets on.
enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
    /// One line, redrawn, on a terminal; `plain` elsewhere.
    case auto
    /// A line every few seconds.
    case plain
    case none
}

/// A length of time, more than nothing.
struct Seconds: ExpressibleByArgument, Equatable {
    let duration: Duration

    init?(argument: String) {
        guard let seconds = Double(argument), seconds > 0, seconds <= 1e6 else { return nil }
        duration = .seconds(seconds)
    }
}

/// A share in percent, 0 to 100.
struct Percentage: ExpressibleByArgument, Equatable {
    /// 0 to 1.
    let share: Double

    init?(argument: String) {
        guard let percent = Double(argument), (0...100).contains(percent) else { return nil }
        share = percent / 100
    }
}

/// A number of bytes: `512M`, `2G`, `1.5GiB`; a letter stands for a power of 1024.
struct ByteSize: ExpressibleByArgument, Equatable, CustomStringConvertible {
    let byteCount: Int

    init(byteCount: Int) { self.byteCount = byteCount }

    init?(argument: String) {
        var text = argument.uppercased()[...]
        if text.hasSuffix("IB") { text.removeLast(2) } else if text.hasSuffix("B") { text.removeLast() }
        let powers: [Character: Double] = ["K": 1, "M": 2, "G": 3, "T": 4]
        var power = 0.0
        if let letter = text.last, let known = powers[letter] {
            power = known
            text.removeLast()
        }
        guard let number = Double(text), number > 0, number.isFinite else { return nil }
        let byteCount = number * pow(1024, power)
        guard byteCount >= 1, byteCount < 0x1p62 else { return nil }
        self.byteCount = Int(byteCount)
    }

    var description: String {
        let unit = min(byteCount.trailingZeroBitCount / 10, 3)
        return "\(byteCount >> (10 * unit))\(["", "K", "M", "G"][unit])"
    }
}
