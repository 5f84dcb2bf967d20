import Tintype

extension Wording {
    /// The tool's own words, which name its flags and subcommands.
    static func useFlags() {
        use { wording in
            switch wording {
            case .replaceOutput: "Add --overwrite to replace it."
            case .replaceOrMoveOutput: "Add --overwrite to replace it, or give another --output."
            case .otherName: "Give another name with --output."
            case .otherOutput: "Give another --output."
            case .skipReplaceOrMove(let count):
                "Add --skip-existing to do the others only, --overwrite to replace "
                    + "\(count == 1 ? "it" : "them"), or give another --output."
            case .folderWithJournal: "Name a folder that 'tintype apply --output' has written to."
            case .keepLooksApart(let template):
                "Give another folder with --output, or a template that keeps both looks apart, such as --output '\(template)'. "
                    + "--overwrite replaces what is there."
            case .raisePixels: "Raise it with --max-pixels if you trust the file."
            case .raiseScans: "Raise the limit with --max-scans if you trust the file."
            case .raisePhotoMemory:
                "Raise --max-photo-memory, and --memory where that is less, if you trust the file."
            case .fewerWorkers: "Use fewer workers (-j), or close other programs."
            case .useCPU: "Run with '--device cpu'"
            case .useCPUForSuchPhotos: "Run with '--device cpu' for such photos."
            case .listDevices: "See 'tintype devices'."
            case .listFilters: "See 'tintype filters'."
            case .stripMetadata: "Add --strip to remove it."
            case .nameAsPhoto: "Name it without --files-from."
            case .writeManifest: "'tintype plan' writes one."
            case .nameShard: "Give the shard, such as --shard 3/24."
            case .folderInstead: "Give a folder instead: --output out"
            case .runAgainLater: "Run again later, or raise --retry."
            case .otherFolder: "give another folder with --output"
            case .replaceOutputs: "add --overwrite to replace them"
            case .mergeShards(let folder): "'tintype journal --merge \(folder)'"
            case .runAgainOrRetry: "run again, or raise --retry"
            case .runAgainLaterOrRetry: "run again later, or raise --retry"
            case .raiseDownloadLimit: "raise it with --max-download if you want this file"
            case .moreTime: "give a slow device more time with '--device-timeout'"
            case .kernelOfPlan: "the --kernel"
            case .followLinks(let them): "add --follow to search \(them)"
            case .output, .outputAtStart: "--output"
            case .format: "--format"
            case .endpoint: "--endpoint"
            case .standardOutput: "--output -"
            case .shardSearch: "--shard auto"
            case .template(let template): "--output '\(template)'"
            case .recipe(let canonical): CanonicalText(canonical).flags
            }
        }
    }
}
