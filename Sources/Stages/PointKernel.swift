import TintypeLocking

/// A function of `Kernels/`, of a point or a window, by its name. Its arguments have names too: those in the `ARGUMENTS` of its
/// `.cl` file.
public struct PointKernel: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The stem of the `.cl` file, with underscores.
    public let name: String
    /// The code of a kernel from outside; nil for those of `Kernels/`.
    package let code: KernelCode?

    /// - Parameter name: the stem of the `.cl` file. A stage with an unknown one fails when a device renders it.
    public init(_ name: String) { self.init(name, nil) }

    /// A kernel from outside.
    package init(_ name: String, _ code: KernelCode?) {
        self.name = name
        self.code = code
    }

    public init(stringLiteral name: String) { self.init(name) }

    /// An argument's name, and how many floats it has; nil stands for any number.
    package struct Member: Hashable, Sendable {
        package let name: String
        package let count: Int?
    }

    /// The floats of all arguments, in the order in which the kernel declares them.
    ///
    /// - Throws: `PointKernelError` if the kernel is unknown or its arguments are others.
    package func floats(_ arguments: [String: PointArgument]) throws(PointKernelError) -> [Float] {
        guard let members else { throw .unknown(kernel: name) }
        return try Self.floats(arguments, of: members, kernel: name)
    }

    /// - Parameter members: what the kernel declares.
    package static func floats(
        _ arguments: [String: PointArgument], of members: [Member], kernel name: String
    ) throws(PointKernelError) -> [Float] {
        if let other = arguments.keys.sorted().first(where: { name in !members.contains { $0.name == name } })
        {
            throw .noArgument(kernel: name, name: other, known: members.map(\.name))
        }
        var floats: [Float] = []
        for member in members {
            guard let argument = arguments[member.name] else {
                throw .missing(kernel: name, name: member.name)
            }
            if let expected = member.count, argument.floats.count != expected {
                throw .otherCount(
                    kernel: name, name: member.name, count: argument.floats.count, expected: expected)
            }
            floats += argument.floats
        }
        return floats
    }

    /// What `members(of:in:)` has found, by the kernel: it takes as long as a small photo's other preparations.
    private static let found = Locked<[PointKernel: [Member]]>([:])

    /// The kernel's arguments, in the order in which it declares them; nil if it is unknown.
    private var members: [Member]? {
        if let members = Self.found.withLock({ $0[self] }) { return members }
        guard let text = code?.text ?? KernelSources.texts[name],
            let members = Self.members(of: name, in: text)
        else { return nil }
        Self.found.withLock { $0[self] = members }
        return members
    }

    /// The largest radius of a window.
    package static let maximumRadius = 7

    /// The radius in a function's `WINDOW(stem, radius, ...)`.
    ///
    /// - Throws: `PointKernelError.unknown` if there is no such function of a window.
    package func windowRadius() throws(PointKernelError) -> Int {
        let start = "WINDOW(\(name), "
        let line = KernelSources.texts[name]?.split(separator: "\n").first { $0.hasPrefix(start) }
        guard let digits = line?.dropFirst(start.count).prefix(while: \.isWholeNumber),
            let radius = Int(digits), 1...Self.maximumRadius ~= radius
        else {
            throw .unknown(kernel: name)
        }
        return radius
    }

    /// The members of `ARGUMENTS(stem) { float a, b[3]; ... };`, or nil if the text has none. The first word begins a
    /// line.
    package static func members(of stem: String, in text: String) -> [Member]? {
        let code = text.replacing(/\/\*(?s:.)*?\*\/|\/\/[^\n]*/, with: " ").split(separator: "\n")
            .drop { !$0.hasPrefix("ARGUMENTS(\(stem))") }.joined(separator: " ")
        guard let open = code.firstIndex(of: "{"), let close = code[open...].firstIndex(of: "}") else {
            return nil
        }
        let members = code[code.index(after: open)..<close].split(separator: ";").flatMap { declaration in
            declaration.trimmingPrefix(while: \.isWhitespace).trimmingPrefix("float").split(separator: ",")
                .compactMap(Self.member)
        }
        // After a member of any length, no other has a place.
        return members.dropLast().allSatisfy { $0.count != nil } ? members : nil
    }

    /// A declarator, such as ` a`, ` b[3]` or ` c[ANY]`.
    private static func member(_ declarator: Substring) -> Member? {
        let text = declarator.filter { !$0.isWhitespace }
        guard !text.isEmpty else { return nil }
        guard let bracket = text.firstIndex(of: "[") else { return Member(name: text, count: 1) }
        let count = text[text.index(after: bracket)...].prefix { $0 != "]" }
        if count == "ANY" { return Member(name: String(text[..<bracket]), count: nil) }
        return Int(count).map { Member(name: String(text[..<bracket]), count: $0) }
    }
}

/// The value of one of a kernel's arguments.
public enum PointArgument: Hashable, Sendable {
    /// A `float`.
    case value(Float)
    /// An array of floats.
    case table([Float])

    var floats: [Float] {
        switch self {
        case .value(let value): [value]
        case .table(let values): values
        }
    }
}

/// A point stage that does not fit its kernel.
public enum PointKernelError: Error, Hashable, Sendable {
    /// No kernel has this name.
    case unknown(kernel: String)
    /// The kernel has no argument of this name. `known` are its arguments.
    case noArgument(kernel: String, name: String, known: [String])
    /// The stage does not give this argument.
    case missing(kernel: String, name: String)
    /// The argument has `expected` floats, and the stage gives `count`.
    case otherCount(kernel: String, name: String, count: Int, expected: Int)
    /// The kernel's file cannot be compiled for the CPU.
    case notCompiled(kernel: String, reason: String)
    /// The filter has a setting that its text could not have, or with which it does not come to an end, as the sentence
    /// says.
    case wrongSetting(String)
}

extension PointKernelError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknown(let kernel):
            "There is no kernel '\(kernel)'."
        case .noArgument(let kernel, let name, let known):
            "The kernel '\(kernel)' has no argument '\(name)'. It has: \(known.joined(separator: ", "))."
        case .missing(let kernel, let name):
            "The kernel '\(kernel)' needs a value for '\(name)'."
        case .otherCount(let kernel, let name, let count, let expected):
            "'\(name)' of the kernel '\(kernel)' has \(expected) values, not \(count)."
        case .notCompiled(let kernel, let reason):
            "The kernel '\(kernel)' cannot be compiled for the CPU. \(reason)"
        case .wrongSetting(let sentence): sentence
        }
    }
}
