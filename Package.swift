// swift-tools-version: 6.1
import PackageDescription

// The commit for `tintype --version`; `make` sets it.
let commit = Context.environment["TINTYPE_COMMIT"] ?? ""

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
    name: "tintype",
    products: [
        .library(name: "Tintype", targets: ["Tintype"]),
        .executable(name: "tintype", targets: ["TintypeCLI"]),
        // For the C targets of filters in other packages.
        .library(name: "TintypeKernels", targets: ["Kernels"]),
        // For Benchmarks/micro, which measures single modules.
        .library(
            name: "TintypeParts", targets: ["Codecs", "Compute", "FilterPictures", "JPEGCore", "Kernels"]),
        // For tests, which preload it into tools.
        .library(name: "IOFaults", type: .dynamic, targets: ["IOFaults"]),
        // For scripts/fuzz-parsers, which links it with libFuzzer.
        .library(name: "ParserFuzzing", type: .dynamic, targets: ["ParserFuzzing"]),
        // For tests; OpenCL loads it by its path.
        .library(name: "OpenCLFaults", type: .dynamic, targets: ["OpenCLFaults"]),
    ],
    dependencies: [
        .package(url: "https://github.com/onevcat/Rainbow", from: "4.2.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        // HTTP for the gallery. It limits the size of headers and the time of writes, which smaller servers do not.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
    ],
    // From the tool down: a target imports only targets that are listed below it. ARCHITECTURE.md describes
    // them. Tests and their helpers, at the end, import any.
    targets: [
        .executableTarget(
            name: "TintypeCLI",
            dependencies: [
                "Benchmarking", "CVersion", "Gallery", "Locking", "Tintype", logging, system,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Rainbow", package: "Rainbow"),
            ]),
        .target(
            name: "Gallery",
            dependencies: [
                "Batches", "Codecs", "Filters", "Locking", "Operations", "Photos", "Tintype", logging,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            resources: [
                .embedInCode("Web/api.js"), .embedInCode("Web/attention.js"), .embedInCode("Web/cell.js"),
                .embedInCode("Web/chain.js"), .embedInCode("Web/divider.js"),
                .embedInCode("Web/elements.js"), .embedInCode("Web/events.js"),
                .embedInCode("Web/filters.js"), .embedInCode("Web/frames.js"),
                .embedInCode("Web/gallery.css"),
                .embedInCode("Web/gallery.js"), .embedInCode("Web/grid.js"), .embedInCode("Web/icon.svg"),
                .embedInCode("Web/index.html"), .embedInCode("Web/keyboard.js"),
                .embedInCode("Web/layout.js"), .embedInCode("Web/messages.js"),
                .embedInCode("Web/motion.js"), .embedInCode("Web/photos.js"), .embedInCode("Web/recipe.js"),
                .embedInCode("Web/reorder.js"), .embedInCode("Web/setting.js"),
                .embedInCode("Web/spinners.js"),
                .embedInCode("Web/status.js"), .embedInCode("Web/viewer.js"), .embedInCode("Web/zoom.js"),
            ]),
        .target(
            name: "Benchmarking",
            dependencies: ["CBenchmark", "IsolatedRendering", "Locking", "Tintype", system]),
        .target(
            name: "Tintype",
            dependencies: [
                "Batches", "Codecs", "Compute", "Download", "Files", "FilterPictures", "Filters", "Imaging",
                "Journals", "KernelFiles", "Lists", "Manifests", "Metadata", "Operations", "Photos",
                "Rendering", "Resources", "Stages", logging, system,
            ]),
        .target(
            name: "Batches",
            dependencies: [
                "Codecs", "Download", "Files", "Filters", "Imaging", "Journals", "Lists", "Locking",
                "Manifests", "Operations", "Photos", "S3", logging, system,
            ]),
        .target(
            name: "Manifests",
            dependencies: ["Download", "Files", "Imaging", "Journals", "Locking", "S3", system]),
        .target(
            name: "Operations",
            dependencies: [
                "Codecs", "Compute", "Download", "Files", "Filters", "Imaging", "Journals", "Lists",
                "Locking", "Photos", "Resources", "S3", crypto, logging, system,
            ]),
        .target(
            name: "Photos",
            dependencies: [
                "Codecs", "Compute", "Download", "Files", "Filters", "Imaging", "Journals", "Lists",
                "Locking", "Rendering", "Resources", "Stages", crypto, system,
            ]),
        .target(name: "Journals", dependencies: ["Files", "Imaging", "Locking", crypto, system]),
        .target(name: "Lists", dependencies: ["Download", "Files", "Imaging", crypto, system]),
        .target(name: "Resources", dependencies: ["CMalloc", "Files", "Imaging", "Locking", system]),
        .target(name: "FilterPictures", dependencies: ["Codecs", "Filters", "Imaging"]),
        .target(
            name: "Codecs",
            dependencies: ["CJPEG", "CLCMS", "CPNG", "Imaging", "JPEGCore", "Kernels", "Metadata", system]),
        .target(name: "Metadata", dependencies: ["Imaging", crypto]),
        .target(
            name: "Compute",
            dependencies: [
                "CPURendering", "Filters", "Imaging", "IsolatedRendering", "Locking", "OpenCLRendering",
                "Rendering", "Stages",
            ]),
        .target(
            name: "IsolatedRendering",
            dependencies: [
                "CSharing", "Imaging", "Locking", "OpenCLRendering", "Rendering", "Stages",
            ]),
        .target(
            name: "OpenCLRendering",
            dependencies: [
                "COpenCL", "Imaging", "Kernels", "Locking", "Rendering", "Stages",
            ]),
        .target(name: "CPURendering", dependencies: ["Imaging", "Kernels", "Rendering", "Stages"]),
        .target(name: "Rendering", dependencies: ["Files", "Imaging", "Stages"]),
        .target(name: "S3", dependencies: ["CCurl", "Download", "Files", "Locking", system]),
        .target(name: "Download", dependencies: ["CCurl", "Files", "Imaging", "Locking", logging, system]),
        .target(
            name: "KernelFiles",
            dependencies: [
                "CChildren", "Files", "Filters", "Imaging", "Kernels", "Locking", "Stages", system,
            ]
        ),
        .target(name: "Filters", dependencies: ["Files", "Imaging", "Locking", "Stages"]),
        .target(name: "Stages", dependencies: ["Files", "Imaging", "Kernels", "Locking"]),
        .target(name: "Files", dependencies: ["CSharing", "Imaging", "Locking", crypto, system]),
        .target(name: "Imaging", dependencies: ["Locking"]),
        .target(name: "Locking"),

        .target(name: "Kernels", path: "Kernels/cpu"),
        .target(name: "CJPEG", dependencies: ["CLibJPEG", "JPEGCore"]),
        .target(name: "JPEGCore", exclude: ["README.md"]),
        .target(name: "CBenchmark", dependencies: ["CLibJPEG"]),
        .target(name: "CPNG", dependencies: ["CLibPNG"], linkerSettings: [.linkedLibrary("z")]),
        .target(name: "CLCMS", dependencies: ["CLibLCMS"]),
        .target(name: "CCurl", dependencies: ["CLibCurl"]),
        .systemLibrary(
            name: "CLibCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CLibJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
        .systemLibrary(
            name: "CLibLCMS", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
        .systemLibrary(
            name: "CLibPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CMalloc"),
        // Needs opencl-c-headers to build. libOpenCL.so.1 is optional at run time.
        .target(name: "COpenCL"),
        .target(name: "CChildren"),
        .target(name: "CSharing"),
        .target(name: "CVersion", cSettings: [.define("TINTYPE_COMMIT", to: "\"\(commit)\"")]),

        .testTarget(name: "ImagingTests", dependencies: ["Imaging"]),
        .testTarget(name: "StagesTests", dependencies: ["Stages"]),
        .testTarget(name: "FiltersTests", dependencies: ["FilterPictures", "Filters", "Imaging", "Stages"]),
        .testTarget(name: "RenderingTests", dependencies: ["Rendering"]),
        .testTarget(
            name: "IsolatedRenderingTests",
            dependencies: [
                "Compute", "FilterPictures", "Filters", "Imaging", "IsolatedRendering", "Rendering", "Stages",
            ]),
        .testTarget(
            name: "KernelFilesTests",
            dependencies: [
                "CPURendering", "Compute", "Files", "Filters", "Imaging", "KernelFiles", "Rendering",
                "TestSupport",
            ]),
        .testTarget(
            name: "ComputeTests",
            dependencies: [
                "COpenCL", "CPURendering", "Compute", "FilterPictures", "Filters", "Imaging", "Locking",
                "OpenCLRendering", "Rendering", "Stages",
            ],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "DownloadTests",
            dependencies: ["Download", "Files", "Locking", "TestSupport", crypto, logging]),
        .testTarget(
            name: "S3Tests", dependencies: ["Download", "Files", "Locking", "S3", "TestSupport", crypto]),
        .testTarget(
            name: "CodecsTests",
            dependencies: [
                "CJPEG", "CLibJPEG", "CLibLCMS", "Codecs", "Imaging", "JPEGCore", "Kernels", "Metadata",
                "PPMFormat", "SlowJPEG", "TestSupport",
            ],
            resources: [.copy("Fixtures")]),
        .testTarget(name: "MetadataTests", dependencies: ["Imaging", "Metadata", "TestSupport"]),
        // The reference for damaged JPEGs in tests.
        .target(name: "SlowJPEG", dependencies: ["CLibJPEG"], path: "Tests/SlowJPEG"),
        .testTarget(name: "FilesTests", dependencies: ["Files", "TestSupport", "Tintype", system]),
        .testTarget(
            name: "ResourcesTests", dependencies: ["Locking", "Resources", "TestSupport", "Tintype"]),
        .testTarget(name: "ListsTests", dependencies: ["Lists", "TestSupport", "Tintype"]),
        .testTarget(
            name: "JournalsTests",
            dependencies: ["JournalWorker", "Journals", "Locking", "TestSupport", "Tintype", crypto, system]),
        .testTarget(
            name: "ManifestsTests",
            dependencies: ["Files", "Journals", "Manifests", "TestSupport", "Tintype"]),
        .testTarget(
            name: "PhotosTests",
            dependencies: [
                "Codecs", "Compute", "Locking", "Metadata", "Photos", "TestSupport", "Tintype", system,
            ]),
        .testTarget(
            name: "OperationsTests",
            dependencies: [
                "Download", "Journals", "Locking", "Operations", "Photos", "TestSupport", "Tintype", crypto,
                logging,
            ]),
        .testTarget(
            name: "BatchesTests",
            dependencies: [
                "Batches", "Files", "Journals", "Locking", "Operations", "Photos", "TestSupport", "Tintype",
            ]),
        .testTarget(name: "TintypeTests", dependencies: ["TestSupport", "Tintype", crypto]),
        // A format that tests register.
        .target(
            name: "PPMFormat", dependencies: ["Codecs", "Imaging", "Metadata"], path: "Tests/PPMFormat"),
        // A process that works on a journal, for tests that kill it.
        .executableTarget(
            name: "JournalWorker", dependencies: ["TestSupport", "Tintype"], path: "Tests/JournalWorker"),
        // A process that filters photos for long, while everything fails.
        .executableTarget(
            name: "soak",
            dependencies: [
                "Batches", "CMalloc", "Files", "Filters", "Locking", "Operations", "Photos", "TestSupport",
                "Tintype", logging,
            ], path: "Tests/Soak"),
        .testTarget(
            name: "GalleryTests",
            dependencies: [
                "Codecs", "Gallery", "Imaging", "Locking", "PPMFormat", "TestSupport", "Tintype", crypto,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            exclude: ["Browser"]),
        .testTarget(
            name: "BenchmarkingTests",
            dependencies: [
                "Benchmarking", "Codecs", "Compute", "FilterPictures", "Filters", "Imaging", "TestSupport",
            ]),
        .testTarget(
            name: "CLITests",
            dependencies: [
                "Batches", "Benchmarking", "COpenCL", "Codecs", "Imaging", "Locking", "Metadata",
                "Operations",
                "PPMFormat", "Photos", "TestSupport", "Tintype", "TintypeCLI", "soak", crypto,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // A comparison for the tool in Benchmarks/batch.
        .executableTarget(
            name: "batch-loop", dependencies: ["Benchmarking", "Download", "Locking", "Tintype"],
            path: "Benchmarks/batch/Loop"),
        // The OpenCL programs, for scripts/gpu/check_code.
        .executableTarget(
            name: "kernel-programs", dependencies: ["Compute", "OpenCLRendering"],
            path: "Tests/KernelPrograms"),
        .target(
            name: "ParserFuzzing",
            dependencies: [
                "Batches", "Codecs", "FilterPictures", "Filters", "Gallery", "Imaging", "Journals",
                "KernelFiles", "Lists",
                "Locking", "Manifests", "Metadata", "Tintype",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            path: "Tests/ParserFuzzing", exclude: ["Seeds"]),
        .target(name: "IOFaults", path: "Tests/IOFaults"),
        .target(name: "OpenCLFaults", path: "Tests/OpenCLFaults"),
        .target(
            name: "TestSupport",
            dependencies: ["Codecs", "Compute", "Imaging", "Locking", "Metadata", "Photos", crypto],
            path: "Tests/TestSupport"),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu2x
)

// scripts/fuzz-parsers sets it. libFuzzer looks at every counter of coverage for each input, so packages used here get none.
// The compiler heeds only the last -sanitize of a command line.
if Context.environment["TINTYPE_FUZZING"] != nil {
    for target in package.targets where [.regular, .executable].contains(target.type) {
        target.swiftSettings = [.unsafeFlags(["-sanitize=address,fuzzer"])]
        target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-fsanitize=fuzzer-no-link"])]
    }
}
