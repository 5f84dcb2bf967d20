import ArgumentParser
import Foundation
import Tintype

/// `tintype apply`: filters photos.
///
/// Flags are declared in groups, as `--help` shows them.
struct ApplyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Filter photos, or convert them.",
        discussion: """
            Filters are applied in the order in which they are given. Photos keep their format, their JPEG \
            quality and their metadata unless you say otherwise. Without a filter, --format, --scale, \
            --strip, --to-srgb, --auto-orient or --quality make it a conversion.

            EXAMPLES
              A folder, its tree kept below 'out':
                tintype apply -f sepia -o out photos/
              A chain with settings, beside the photo as holiday-noir+tilt-shift.jpg:
                tintype apply -f noir -f tilt-shift:radius=8,focus=0.6 holiday.jpg
              Names of your own:
                tintype apply -f sepia -o 'out/{dir}/{stem}-{chain}.{ext}' photos/
              Half-size copies without metadata:
                tintype apply --scale 0.5 --strip -o small photos/
              Addresses, and lists of them; what is done already is skipped:
                tintype apply -f sepia -o out https://host/a.jpg --files-from photos.csv
              Several outputs of each photo, which is decoded once:
                tintype apply --recipe web -o out photos/
              In a pipe:
                tintype apply -f sepia -o - - < in.jpg > out.jpg

            SETTINGS FILE
            Defaults for many of these flags may stand in ~/.config/tintype/config.json, in $XDG_CONFIG_HOME \
            instead of ~/.config, or in the file that $TINTYPE_CONFIG names. Keys are the flags' names without the \
            first hyphens. Flags win over the file, as --no-strip does over "strip": true. --dry-run and --verbose \
            show which settings came from the file. 'tintype config' lists all settings.
              { "quality": 85, "keep-times": true, "exclude": ["*.png"] }
            """)

    @Argument(
        help: ArgumentHelp(
            "Photos, folders of photos, http, https and s3 addresses, or '-' for standard input.",
            valueName: "photo"),
        completion: .file())
    var inputs: [String] = []

    @OptionGroup(title: "Filters and formats")
    var recipe: RecipeFlags

    @OptionGroup(title: "Lists and downloads")
    var sources: SourceFlags

    @OptionGroup(title: "Files")
    var files: FileFlags

    @OptionGroup(title: "Shards")
    var shards: ShardFlags

    @OptionGroup(title: "Outputs")
    var outputs: OutputFlags

    @OptionGroup(title: "Devices")
    var deviceChoice: DeviceFlags

    @OptionGroup(title: "Limits")
    var limits: LimitFlags

    @OptionGroup(title: "Messages")
    var messages: MessageFlags

    @OptionGroup(title: "Settings file")
    var settingsChoice: SettingsFlags

    @Flag(
        help: """
            After the photos that are there, continue with those that appear in the folders, or are written again, until \
            Ctrl-C. A photo is taken once it is closed, or moved there.
            """)
    var watch = false

    @OptionGroup
    var codecs: CodecFlags

    /// Flags that the settings file has values for, and the command line has not.
    var settingsTaken: SettingsTaken?
    /// Whether the command line asks for a conversion. Defaults of the settings file do not.
    var asksForConversion = false

    /// What `--manifest`, `--shard` and `--recipe` name.
    var taken = TakenFiles()

    /// Whether the journal is to say which photos there are.
    var retriesAll: Bool { outputs.retryFailed && inputs.isEmpty && sources.filesFrom.isEmpty }

    /// Valid after `validate`.
    var jpegCodec: JPEGCodec { (try? codecs.codec()) ?? .best }

    func parsedInputs() throws -> [Input] { try Input.parse(inputs) }

    /// What `--files-from` names; a path is a list's here.
    func parsedLists() throws -> [Input] { try Input.parse(sources.filesFrom) }

    /// What to do and where to put it, as the flags say together.
    func settings() throws -> Settings {
        // Standard input and pipes can be read once.
        if let settings = taken.settings { return settings }
        if let manifest { return try settings(of: manifest) }
        if recipe.recipeFile == nil,
            let destination = try? OutputDestination(outputs.output, isFolder: isFolder),
            let kept = try keptSettings(in: destination)
        {
            return kept
        }
        return try Settings(
            recipe, output: outputs.output, formatIsDefault: settingsTaken?.has("format") == true)
    }

    func run() throws {
        let status = ApplyRun(self, try settings()).run()
        if status != 0 { throw ExitCode(status) }
    }
}

func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
}
