import Foundation
import SystemPackage
import Tintype

/// The user's defaults for `tintype apply`: a JSON object whose keys are the flags' names.
struct SettingsFile {
    /// Where the file is searched for.
    struct Location: Equatable {
        let path: String
        /// Whether the user named it; it must exist then.
        let isNamed: Bool

        /// `$TINTYPE_CONFIG`, else `tintype/config.json` in `$XDG_CONFIG_HOME`, else in `~/.config`; nil
        /// without a home folder.
        init?(_ environment: [String: String]) {
            if let path = environment["TINTYPE_CONFIG"], !path.isEmpty {
                (self.path, isNamed) = (path, true)
                return
            }
            guard let folder = SettingsFile.folder(environment) else { return nil }
            path = folder.appendingPathComponent("config.json")
            isNamed = false
        }
    }

    /// The folder of what users set: `tintype` in `$XDG_CONFIG_HOME`, else in `~/.config`; nil without a home folder.
    static func folder(_ environment: [String: String]) -> String? {
        // The XDG specification ignores paths that are not absolute.
        if let configuration = environment["XDG_CONFIG_HOME"], configuration.hasPrefix("/") {
            configuration.appendingPathComponent("tintype")
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            home.appendingPathComponent(".config/tintype")
        } else {
            nil
        }
    }

    let path: String
    let entries: [SettingsScanner.Entry]

    /// More settings than anybody has.
    private static let maxByteCount = 1 << 20

    /// - Returns: nil if there is no such file, and none was named.
    init?(at location: Location) throws(SettingsError) {
        path = location.path
        guard let bytes = try Self.bytes(of: location) else { return nil }
        do throws(SettingsScanner.Complaint) {
            entries = try SettingsScanner.entries(in: bytes)
        } catch {
            throw SettingsError(path: location.path, line: error.line, reason: .syntax(error.text))
        }
        var keys: Set<String> = []
        for entry in entries where !keys.insert(entry.key).inserted {
            throw SettingsError(path: location.path, line: entry.line, reason: .repeated(key: entry.key))
        }
    }

    private static func bytes(of location: Location) throws(SettingsError) -> [UInt8]? {
        let bytes: [UInt8]
        do throws(Errno) {
            bytes = try OpenFile(reading: location.path).firstBytes(maxByteCount + 1)
        } catch {
            // A process of another user may not enter the home folder, as if there were no file.
            if !location.isNamed, (try? Stat(location.path)) == nil { return nil }
            throw SettingsError(path: location.path, reason: .cannotRead(error))
        }
        guard bytes.count <= maxByteCount else {
            throw SettingsError(path: location.path, reason: .tooLarge)
        }
        return bytes
    }
}
