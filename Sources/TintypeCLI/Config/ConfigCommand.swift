import ArgumentParser
import Foundation
import Tintype
import TintypeBenchmarking

/// `tintype config`: the settings file, and what is in it.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show the settings file, and all settings that it may have.",
        discussion: """
            The file has defaults for the flags of 'tintype apply', as a JSON object:

              { "quality": 85, "keep-times": true, "exclude": ["*.png"] }
            """)

    func run() throws {
        guard let location = SettingsFile.Location(ProcessInfo.processInfo.environment) else {
            throw ValidationError(
                "There is no place for a settings file. Set HOME, or TINTYPE_CONFIG to the file's path.")
        }
        // Settings are checked on a command without any.
        let command = try ApplyCommand.parse(["--no-config", "-f", Sepia.name])
        let file: SettingsFile?
        let values: [String: SettingValue]
        do throws(SettingsError) {
            file = try SettingsFile(at: location)
            values = try file?.checkedValues(for: command) ?? [:]
        } catch {
            throw ValidationError(error.complaint)
        }
        let head = location.path.printableName + (file == nil ? " (there is no such file)" : "")
        let rows = Setting.all.map { setting in
            [setting.name, (values[setting.name]?.description ?? "-").printableName, setting.expects]
        }
        try StandardStream.writeResult(
            head + "\n\n" + TextTable.text(rows, width: StandardStream.resultColumns))
    }
}
