import Foundation
import TintypeFiles
import TintypeFilters
import TintypeImaging
import TintypeStages

/// A filter from a `.cl` file that a user wrote: a point function, with a header of comments that describes it.
///
///     // summary: Soft light around bright areas
///     // parameter: amount = 0.5 in 0...1, how much light
///     ARGUMENTS(glow) { float amount; };
///
///     POINT(glow, c, at, a) { ... }
///
/// The file's name, `glow.cl`, is the filter's. `Kernels/point.cl` says what the function gets and may use.
public struct KernelFilter: Filter {
    private let file: KernelFile?
    private var values: [KernelParameter.Value]

    public static let name = "kernel"
    public static let summary = "A point function from a .cl file"
    public static let group = FilterGroup.own
    public static let parameters: [Parameter<Self>] = []

    /// A filter without a file, which changes nothing.
    public init() {
        file = nil
        values = []
    }

    /// Reads a `.cl` file. It is compiled when a device first needs it.
    ///
    /// - Throws: `KernelFileError` if the file cannot be read or its header has mistakes.
    public init(contentsOf path: String) throws(KernelFileError) {
        try self.init(contentsOf: path, ProcessInfo.processInfo.environment)
    }

    /// Reads a `.cl` file. It is compiled when a device first needs it.
    ///
    /// - Throws: `KernelFileError` if the URL is not a file's, the file cannot be read or its header has mistakes.
    public init(contentsOf url: URL) throws(KernelFileError) {
        guard let path = url.filePath else {
            throw .unreadable(path: url.lastPathComponent, reason: "its address is not a file's")
        }
        try self.init(contentsOf: path)
    }

    /// - Parameter environment: names the compiler and the cache folder.
    init(contentsOf path: String, _ environment: [String: String]) throws(KernelFileError) {
        let file = try KernelFile(path, environment)
        self.file = file
        values = file.header.parameters.map(\.value)
    }

    /// The file's path; nil if there is none.
    public var path: String? { file?.path }

    public var name: String { file?.name ?? Self.name }
    public var summary: String { file?.header.summary ?? Self.summary }
    public var gainMapRule: GainMapRule { file?.header.gainMapRule ?? .leftOut }
    public var codeHash: String? { file?.kernel.contentHash }

    public var parameters: [Parameter<Self>] {
        (file?.header.parameters ?? []).enumerated().map { index, parameter in
            switch parameter.value {
            case .number:
                Parameter(
                    parameter.name, \.[number: index], in: parameter.range,
                    unit: parameter.range == 0...1 ? .fraction : .number, parameter.summary)
            case .colour: Parameter(parameter.name, \.[colour: index], parameter.summary)
            }
        }
    }

    /// The filter's name with its settings, without the hash of its code.
    public var example: String {
        let settings = parameters.map { "\($0.name)=\($0.text(in: self))" }
        return name + (settings.isEmpty ? "" : ":" + settings.joined(separator: ","))
    }

    /// Compiles the file with the C compiler that `$CC` names, else `cc`, `clang` or `gcc`, for the CPU's lowest instruction-set
    /// level, unless that is done already. Then tries the function with this filter's settings.
    ///
    /// - Throws: `KernelFileError` if there is no compiler, the file has mistakes, or the function crashes or does not come to
    ///   an end.
    public func compile() throws(KernelFileError) { try file?.compile(with: arguments) }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard let file else { return [] }
        return [.point(PointStage(file.kernel, arguments, colourEffect: file.header.colourEffect))]
    }

    /// What the function gets.
    private var arguments: [String: PointArgument] {
        guard let file else { return [:] }
        let own = zip(file.header.parameters, values).map { ($0.member, $1.argument) }
        return file.addedArguments.merging(own) { $1 }
    }

    private subscript(number index: Int) -> Float {
        get {
            guard case .number(let number) = values[index] else { preconditionFailure("not a number") }
            return number
        }
        set { values[index] = .number(newValue) }
    }

    private subscript(colour index: Int) -> PlainColour {
        get {
            guard case .colour(let colour) = values[index] else { preconditionFailure("not a colour") }
            return colour
        }
        set { values[index] = .colour(newValue) }
    }
}

extension FilterCatalog {
    /// Adds the filter of a `.cl` file, so that texts can name it.
    ///
    /// - Throws: `KernelFileError` if its name is that of another filter.
    public static func register(_ filter: KernelFilter) throws(KernelFileError) {
        do throws(FilterError) {
            try register(filter as any Filter)
        } catch {
            throw .invalid(
                path: filter.path ?? "", line: nil,
                problem: "the name '\(filter.name)' is taken; rename the file")
        }
    }
}
