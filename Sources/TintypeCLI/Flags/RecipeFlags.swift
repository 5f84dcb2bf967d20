import ArgumentParser
import Tintype

/// What is done to each photo.
struct RecipeFlags: ParsableArguments {
    @Option(
        name: [.customShort("f", allowingJoined: true), .customLong("filter")],
        help: ArgumentHelp(
            "A filter, such as sepia or tilt-shift:radius=8,band=0.1; may repeat, or join several by +, and "
                + "they are applied in this order. 'tintype filters' lists them.", valueName: "filter"),
        completion: .filters)
    var filters: [String] = []

    @OptionGroup
    var kernels: KernelFlags

    @Option(
        name: .customLong("recipe"),
        help: ArgumentHelp(
            "Make of each photo what this JSON file says, one output or several; or the name of a recipe from 'tintype recipes', or '-' for standard input.",
            valueName: "file"),
        completion: .recipes)
    var recipeFile: String?

    @Option(
        help: ArgumentHelp("The outputs' format. (default: each photo's own)", valueName: "format"))
    var format: PhotoFormat?

    @Option(
        help: ArgumentHelp(
            "Quality of JPEGs, WebPs, AVIFs and JPEG XLs, 1 to 100, or keep: as the photo was. (default: keep)",
            valueName: "quality"))
    var quality: Recipe.Quality?

    @Option(
        help: ArgumentHelp(
            "Lower each output's quality until its file has at most this size, such as 500K; 0: any. (default: 0)",
            valueName: "size"))
    var maxBytes: FileSizeLimit?

    @Option(
        help: ArgumentHelp(
            "Of RAW photos, take the largest JPEG inside (preview), or develop the sensor's values by LibRaw (develop). (default: preview)",
            valueName: "what"))
    var raw: RAWReading?

    @Option(
        help: ArgumentHelp(
            "Compress each PNG for its size (small), or in less time (fast). (default: small)",
            valueName: "level"))
    var pngLevel: PNGLevel?

    @Option(help: ArgumentHelp("0.5 halves both sides before filtering.", valueName: "scale"))
    var scale: Scale = .full

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Leave out metadata such as EXIF and XMP; the colour profile stays. (default: --no-strip)")
    var strip: Bool?

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Give each JPEG Huffman codes of its own: smaller files, more time. (default: --no-optimize)")
    var optimize: Bool?

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: """
            Write each JPEG as progressive, which browsers show in passes: smaller files, more time and memory. \
            (default: --no-progressive)
            """)
    var progressive: Bool?

    @Option(
        help: ArgumentHelp(
            "Give each JPEG a restart marker after this many rows of MCUs (8 or 16 rows of pixels), up to "
                + "\(PhotoWriterSettings.possibleRestartRows.upperBound), so that GPUs and several threads can decode it at "
                + "once; 0: none. (default: 0)", valueName: "rows"))
    var restartRows: RestartRows?

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: """
            Compress each WebP, AVIF and JPEG XL without loss: larger files, more time. Those made of lossless ones, without --quality, \
            always are. (default: --no-lossless)
            """)
    var lossless: Bool?

    @Flag(
        name: .customLong("to-srgb"), inversion: .prefixedNo, exclusivity: .chooseLast,
        help: """
            Convert photos from their colour profile to sRGB, before filtering; those in sRGB, or without a profile, \
            stay as they are. (default: --no-to-srgb)
            """)
    var toSRGB: Bool?

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: """
            Store the pixels as they are shown, for programs that ignore EXIF orientation. A photo that must be turned is \
            held in memory as a whole. (default: --no-auto-orient)
            """)
    var autoOrient: Bool?
}
