import SystemPackage
import TintypeFiles
import TintypeFilters
import TintypeStages

/// A `.cl` file that a user wrote, read and checked.
struct KernelFile: Hashable, Sendable {
    let path: String
    /// The filter's name: the file's, with hyphens.
    let name: String
    let header: KernelHeader
    let kernel: PointKernel
    /// Arguments that the text needs and that are no parameters.
    let addedArguments: [String: PointArgument]
    private let loops: KernelLoops

    /// The largest file that is read, in bytes.
    static let maximumByteCount = 1 << 20

    /// - Parameter environment: names the compiler and the cache folder.
    init(_ path: String, _ environment: [String: String]) throws(KernelFileError) {
        self.path = path
        let name = FileName(path.lastPathComponent)
        self.name = String(name.stem.map { $0 == "_" ? "-" : $0 })
        guard name.fileExtension == "cl", FilterCatalog.isName(self.name) else {
            throw .invalid(
                path: path, line: nil,
                problem:
                    "the file's name becomes the filter's: lower-case letters, digits and hyphens, and '.cl', "
                    + "such as soft-light.cl")
        }
        let stem = self.name.kernelStem
        var text = try Self.text(of: path)
        try Self.checkCode(text, stem, path)
        do throws(KernelHeader.Problem) {
            header = try KernelHeader(parsing: text)
            let needsNone = header.parameters.isEmpty && !text.contains("ARGUMENTS(")
            // OpenCL has no empty structs.
            addedArguments = needsNone ? ["none": .value(0)] : [:]
            if needsNone {
                text = "ARGUMENTS(\(stem)) { float none; };\n#line 1\n" + text
            } else {
                try header.check(stem, in: text)
            }
        } catch {
            throw .invalid(path: path, line: error.line, problem: error.text)
        }
        let loops = KernelLoops(
            stem, text, path, try Self.trial(header, addedArguments, stem, text, path), environment)
        self.loops = loops
        kernel = PointKernel(
            stem,
            KernelCode(text: text, path: path) { (level, arguments) throws(PointKernelError) in
                do throws(KernelFileError) {
                    return try loops.point(level, with: arguments)
                } catch {
                    throw error.isOfSettings
                        ? .wrongSetting(error.description)
                        : .notCompiled(kernel: stem, reason: error.description)
                }
            })
    }

    private static func trial(
        _ header: KernelHeader, _ added: [String: PointArgument], _ stem: String, _ text: String,
        _ path: String
    ) throws(KernelFileError) -> KernelTrial {
        do throws(PointKernelError) {
            let members = PointKernel.members(of: stem, in: text) ?? []
            return try KernelTrial(header.parameters, members, added, kernel: stem)
        } catch {
            throw .invalid(path: path, line: nil, problem: "\(error)")
        }
    }

    /// Compiles the file for the level that all machines have, and tries it.
    ///
    /// - Parameter arguments: those that the function will get.
    func compile(with arguments: [String: PointArgument]) throws(KernelFileError) {
        let floats: [Float]
        do throws(PointKernelError) {
            floats = try kernel.floats(arguments)
        } catch {
            throw .invalid(path: path, line: nil, problem: "\(error)")
        }
        _ = try loops.point("baseline", with: floats)
    }

    static func == (one: Self, other: Self) -> Bool { one.path == other.path && one.kernel == other.kernel }

    func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(kernel)
    }

    /// Reads the file, with lines that end in a line feed only.
    private static func text(of path: String) throws(KernelFileError) -> String {
        let bytes: [UInt8], isFile: Bool
        do throws(Errno) {
            let file = try OpenFile(reading: path)
            isFile = try file.status().isRegularFile
            bytes = isFile ? try file.firstBytes(maximumByteCount + 1) : []
        } catch {
            throw .unreadable(path: path, reason: "\(error)")
        }
        guard isFile else { throw .unreadable(path: path, reason: "it is not a file") }
        guard bytes.count <= maximumByteCount else {
            throw .invalid(
                path: path, line: nil, problem: "a kernel has at most \(maximumByteCount >> 20) MiB")
        }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw .invalid(path: path, line: nil, problem: "the file is not UTF-8 text")
        }
        return text.replacing("\u{FEFF}", with: "").replacing("\r\n", with: "\n")
    }

    /// Finds mistakes that compilers would report in other words.
    private static func checkCode(_ text: String, _ stem: String, _ path: String) throws(KernelFileError) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmed
            guard line.first == "#", line.dropFirst().trimmed.hasPrefix("include") else { continue }
            throw .invalid(
                path: path, line: index + 1,
                problem: "a kernel cannot include files, because OpenCL gets one text; copy what it needs")
        }
        guard ["POINT", "PAINT"].contains(where: { text.contains("\($0)(\(stem),") }) else {
            throw .invalid(
                path: path, line: nil, problem: "expected a function 'POINT(\(stem), c, at, a) { ... }'")
        }
    }
}
