import ArgumentParser
import Tintype

/// Where results go, and what may be replaced.
struct OutputFlags: ParsableArguments {
    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp(
            "A folder; s3://bucket/folder; a template with {dir} {stem} {chain} {recipe} {ext} {name} {id}, and {output} for --recipe; or '-' for standard output. "
                + "(default: '{stem}-{chain}.{ext}' beside each photo)", valueName: "output"),
        completion: .file())
    var output: String?

    @Flag(
        help: """
            Replace outputs that exist, except those that were made by this recipe, as the journal says. Originals \
            are never replaced.
            """)
    var overwrite = false

    @Flag(
        help: "Skip photos whose outputs exist: continues a run that keeps no journal.")
    var skipExisting = false

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: """
            Give outputs the modification and access times of their photos' files. Outputs of downloads, and those that \
            are up to date, keep theirs. (default: --no-keep-times)
            """)
    var keepTimes: Bool?

    @Option(
        help: ArgumentHelp(
            "Wait until outputs are on the disk: each: one by one; batch: all that are complete together, which flushes slow "
                + "disks less often, and writes what other programs wrote there; none: never, so that a power failure may leave "
                + "empty outputs. (default: each)", valueName: "policy"))
    var sync: DiskSync.Policy?

    @Flag(
        help: ArgumentHelp(
            "Write what can be decoded of a damaged photo, named like its output with '-damaged' after the stem. "
                + "The photo counts as failed."))
    var lenient = false

    @Flag(
        help: """
            Take only photos whose last attempt failed, as the journal of the -o folder says: of the photos given, \
            or of all in the journal.
            """)
    var retryFailed = false

    @Flag(help: "Keep no journal in the -o folder: only photos are written, and a later run cannot resume.")
    var noJournal = false

    @Flag(help: "Only print what would be done, skipped or refused, and why.")
    var dryRun = false
}

/// Which devices filter the photos.
struct DeviceFlags: ParsableArguments {
    @Option(
        name: [.customShort("d", allowingJoined: true), .customLong("device")],
        help: ArgumentHelp(
            "auto (the GPUs, else the CPU), gpu, cpu, or an index or a name from 'tintype devices'; "
                + "may repeat to share the photos. (default: auto)", valueName: "device"),
        completion: .devices)
    var devices: [String] = []

    @Option(
        help: ArgumentHelp(
            "When a device is missing or fails, use the CPU, or fail. "
                + "(default: cpu with -d auto, else fail)", valueName: "policy"))
    var fallback: DeviceRoster.FallbackPolicy?

    @Option(
        help: ArgumentHelp(
            "Give up a device that takes longer than this for a part of a photo. (default: 30)",
            valueName: "seconds"))
    var deviceTimeout: Seconds?

    @Option(
        help: ArgumentHelp(
            "Compare this share of the pixels of OpenCL devices with the CPU's, and give up a device that gives others. "
                + "100 checks every photo, at the CPU's speed; 0 none. (default: 0.4)", valueName: "percent"))
    var deviceCheck: Percentage?

    @Option(
        help: ArgumentHelp(
            "Which devices decode and encode JPEGs themselves, if they can: auto: GPUs and accelerators; always: OpenCL on "
                + "a CPU too; never: none, so that the CPU does it. (default: auto)", valueName: "devices"))
    var deviceCodec: DeviceCodec?

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Load OpenCL's drivers into a process of its own, so that a driver that crashes does not end the run, "
                + "or into this process. (default: --driver-process)"))
    var driverProcess: Bool?
}

/// How much of the machine a run may use.
struct LimitFlags: ParsableArguments {
    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: ArgumentHelp(
            "Photos that are filtered at once. (default: the number of CPU cores that Tintype may use, or twice that on several devices)",
            valueName: "number"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Memory, such as 2G, for all photos at work together; further photos wait until some is free. "
                + "(default: half of what this machine, container or 'ulimit -v' allows)", valueName: "size"))
    var memory: ByteSize?

    @Option(
        help: ArgumentHelp(
            "Refuse photos that need more memory than this. (default: 64M, five times the size of the photo's "
                + "pixels, and what its metadata needs; never more than --memory)", valueName: "size"))
    var maxPhotoMemory: ByteSize?

    @Option(
        help: ArgumentHelp(
            "Refuse photos with more pixels than this. (default: \(DecodeLimits().maxPixels))",
            valueName: "number"))
    var maxPixels: Int?

    @Option(
        help: ArgumentHelp(
            "Refuse JPEGs whose scans cover the image more often than this.", valueName: "number"))
    var maxScans = DecodeLimits().maxScans
}

/// Which messages a run prints.
struct MessageFlags: ParsableArguments {
    static let progressHelp = ArgumentHelp(
        "auto: a bar on a terminal, lines elsewhere; plain: a line every few seconds; none: nothing.",
        valueName: "style")

    @Flag(help: "Print one JSON line for each photo, and one for the run, on standard output.")
    var json = false

    @Option(help: Self.progressHelp)
    var progress: ProgressStyle = .auto

    @Flag(name: .shortAndLong, help: "Print errors only.")
    var quiet = false

    @Flag(
        name: .shortAndLong,
        help: "Print a line for each photo; given twice (-vv), also what each operation does.")
    var verbose: Int
}
