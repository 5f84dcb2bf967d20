import ArgumentParser
import Foundation

/// Whether the settings file is read.
struct SettingsFlags: ParsableArguments {
    @Flag(help: "Ignore the settings file. ('tintype config' shows what is in it)")
    var noConfig = false
}

/// The settings that a run took from the settings file.
struct SettingsTaken: Codable, Equatable {
    let path: String
    private var names: [String] = []
    private var values: [String] = []

    init(path: String) { self.path = path }

    mutating func add(_ entry: SettingsScanner.Entry) {
        names.append(entry.key)
        values.append(entry.value.description)
    }

    func has(_ name: String) -> Bool { names.contains(name) }

    /// `Settings of /home/ann/.config/tintype/config.json: quality 85, jobs 4.`; nil if there are none.
    var text: String? {
        guard !names.isEmpty else { return nil }
        let settings = zip(names, values).map { "\($0) \($1)" }.joined(separator: ", ")
        return "Settings of \(path): \(settings).".printableName
    }
}

extension ApplyCommand {
    /// Gives flags that the command line does not have the values of the settings file.
    ///
    /// - Throws: `SettingsError`, for wrong settings that flags override too.
    mutating func takeSettings(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(SettingsError) {
        guard !settingsChoice.noConfig, let location = SettingsFile.Location(environment),
            let file = try SettingsFile(at: location)
        else { return }
        var taken = SettingsTaken(path: file.path)
        for entry in file.entries {
            let setting = try file.setting(of: entry)
            let changed = try file.applying(setting, of: entry, to: self)
            guard !setting.isGiven(self), !isDecidedElsewhere(setting) else { continue }
            self = changed
            taken.add(entry)
        }
        settingsTaken = taken
    }
}

extension ApplyCommand {
    /// Whether the recipe's file or the manifest decides what the setting has a default for.
    private func isDecidedElsewhere(_ setting: Setting) -> Bool {
        let isOfRecipe = RecipeFlag.all.contains { $0.setting?.name == setting.name }
        if shards.manifestPath != nil { return isOfRecipe || ["exclude", "output"].contains(setting.name) }
        return isOfRecipe && recipe.recipeFile != nil
    }
}

extension SettingsFile {
    fileprivate func setting(of entry: SettingsScanner.Entry) throws(SettingsError) -> Setting {
        guard let setting = Setting.all.first(where: { $0.name == entry.key }) else {
            throw SettingsError(path: path, line: entry.line, reason: .unknown(key: entry.key))
        }
        return setting
    }

    fileprivate func applying(
        _ setting: Setting, of entry: SettingsScanner.Entry, to command: ApplyCommand
    ) throws(SettingsError) -> ApplyCommand {
        var changed = command
        let value =
            setting.isBesideFile ? entry.value.paths(relativeTo: path.parentFolder) : entry.value
        guard setting.assign(&changed, value) else {
            throw SettingsError(
                path: path, line: entry.line,
                reason: .wrongValue(
                    key: entry.key, got: entry.value.description.excerpt(), expects: setting.expects))
        }
        // The flags are in their ranges, so a complaint is of this value.
        guard let complaint = changed.rangeComplaint else { return changed }
        throw SettingsError(
            path: path, line: entry.line, reason: .outOfRange(key: entry.key, complaint: complaint))
    }

    /// The value of each setting that the file has, by its name.
    ///
    /// - Throws: `SettingsError` if any is wrong.
    func checkedValues(for command: ApplyCommand) throws(SettingsError) -> [String: SettingValue] {
        for entry in entries { _ = try applying(setting(of: entry), of: entry, to: command) }
        return Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) })
    }
}
