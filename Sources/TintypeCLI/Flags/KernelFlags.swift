import ArgumentParser
import Tintype

/// Filters that the user wrote.
struct KernelFlags: ParsableArguments {
    @Option(
        name: .customLong("kernel"),
        help: ArgumentHelp(
            "Add a filter of your own, written in this .cl file and named like it; may repeat.",
            valueName: "file.cl"),
        completion: .file(extensions: ["cl"]))
    var paths: [String] = []

    /// Adds the filters, so that texts can name them.
    ///
    /// - Parameter compiles: whether they will be applied, and are compiled for the CPU now.
    func register(compiles: Bool = true) throws {
        do throws(KernelFileError) {
            for path in paths {
                let filter = try KernelFilter(contentsOf: path)
                try FilterCatalog.register(filter)
                if compiles { try filter.compile() }
            }
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// The flags as they were given.
    var arguments: [String] { paths.flatMap { ["--kernel", $0] } }
}

extension FilterChain {
    /// Tries the filters that the user wrote with their settings: some may not come to an end.
    func tryKernels() throws {
        do throws(KernelFileError) {
            for case let filter as KernelFilter in filters { try filter.compile() }
        } catch {
            throw ValidationError(error.description)
        }
    }
}
