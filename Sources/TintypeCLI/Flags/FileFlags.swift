import ArgumentParser
import Tintype

/// Which of a folder's files a run takes.
struct FileFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "In folders, take only what matches this pattern, such as '*.jpg' or '2024/*'; may repeat. A pattern "
                + "with a slash is compared with the path below the folder that was named, one without a slash "
                + "with names. A folder that matches stands for everything in it.", valueName: "pattern"))
    var include: [String] = []

    @Option(
        help: ArgumentHelp(
            "In folders, leave out what matches this pattern; may repeat, and wins over --include.",
            valueName: "pattern"))
    var exclude: [String] = []

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: """
            In folders, search those that symbolic links lead to, as if they were there. A link that leads back to a folder \
            above it is left out. (default: --no-follow)
            """)
    var follow: Bool?

    var followsLinks: Bool { follow ?? false }

    /// The flags as they were given.
    var arguments: [String] {
        include.flatMap { ["--include", $0] } + exclude.flatMap { ["--exclude", $0] }
            + (follow.map { [$0 ? "--follow" : "--no-follow"] } ?? [])
    }

    var globs: PathGlobs { PathGlobs(includes: include, excludes: exclude) }
}

extension PassedOver {
    /// Why folders may have given no photo, a line each: what Tintype does not read, and what the patterns left out.
    func reasons(_ globs: PathGlobs) -> [String] {
        var lines = [summary].compactMap { $0 }
        if excludedCount > 0 {
            let flags = [
                globs.includes.isEmpty ? nil : "--include", globs.excludes.isEmpty ? nil : "--exclude",
            ].compactMap { $0 }.joined(separator: " and ")
            let noun = excludedCount == 1 ? "file or folder" : "files and folders"
            lines.append("\(flags) left out \(excludedCount) \(noun).")
        }
        return lines
    }
}
