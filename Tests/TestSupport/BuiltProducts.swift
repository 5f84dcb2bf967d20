import Foundation

/// What was built with the tests: programs and libraries beside the test bundle, the running program.
public enum BuiltProducts {
    private static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// The path of one of them.
    public static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
