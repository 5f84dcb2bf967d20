// swift-tools-version: 6.1
import PackageDescription

// What `tintype --version` tells; `make` sets it.
let commit = Context.environment["TINTYPE_COMMIT"] ?? ""

// Each module imports only what stands below it here; ARCHITECTURE.md draws the house.
let package = Package(
    name: "tintype",
    products: [
        .library(name: "Tintype", targets: ["Tintype", "Filters", "Imaging"]),
        .executable(name: "tintype", targets: ["TintypeCLI"]),
        // For Benchmarks/micro, which measures the parts alone.
        .library(name: "TintypeParts", targets: ["Codecs", "Compute", "Kernels"]),
        // For tests, which have tools preload it.
        .library(name: "IOFaults", type: .dynamic, targets: ["IOFaults"]),
        // For tests: OpenCL loads it by its path.
        .library(name: "OpenCLFaults", type: .dynamic, targets: ["OpenCLFaults"]),
    ],
    dependencies: [
        .package(url: "https://github.com/onevcat/Rainbow", from: "4.2.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    ],
    targets: [
        .executableTarget(
            name: "TintypeCLI",
            dependencies: [
                "Benchmarking", "Tintype", "Locking", "CVersion",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Rainbow", package: "Rainbow"),
            ]),
        .target(name: "Benchmarking", dependencies: ["Tintype", "CBenchmark"]),
        .target(
            name: "Tintype",
            dependencies: [
                "Codecs", "Compute", "Download", "Locking", "CMalloc",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(name: "Codecs", dependencies: ["Imaging", "Metadata", "CJPEG", "CPNG"]),
        .target(
            name: "Metadata", dependencies: ["Imaging", .product(name: "Crypto", package: "swift-crypto")]),
        .target(
            name: "Compute",
            dependencies: ["Filters", "Imaging", "Rendering", "CPURendering", "OpenCLRendering"]),
        .target(
            name: "OpenCLRendering",
            dependencies: ["Filters", "Imaging", "Rendering", "CPURendering", "Kernels", "COpenCL"]),
        .target(
            name: "CPURendering", dependencies: ["Filters", "Imaging", "Rendering", "Kernels"]),
        .target(name: "Rendering", dependencies: ["Filters", "Imaging"]),
        .target(
            name: "Download",
            dependencies: ["CCurl", "Locking", .product(name: "Logging", package: "swift-log")]),
        .target(name: "Filters", dependencies: ["Imaging"]),
        .target(name: "Imaging"),
        .target(name: "Locking"),

        .target(name: "Kernels", path: "Kernels/cpu"),
        .target(name: "CJPEG", dependencies: ["CLibJPEG"]),
        .target(name: "CBenchmark", dependencies: ["CLibJPEG"]),
        .target(name: "CPNG", dependencies: ["CLibPNG"], linkerSettings: [.linkedLibrary("z")]),
        .target(name: "CCurl", dependencies: ["CLibCurl"]),
        .systemLibrary(
            name: "CLibCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CLibJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
        .systemLibrary(
            name: "CLibPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CMalloc"),
        // Needs opencl-c-headers to build, and libOpenCL.so.1 for devices; it runs without.
        .target(name: "COpenCL"),
        .target(name: "CVersion", cSettings: [.define("TINTYPE_COMMIT", to: "\"\(commit)\"")]),

        .testTarget(name: "ImagingTests", dependencies: ["Imaging"]),
        .testTarget(name: "FiltersTests", dependencies: ["Filters", "Imaging"]),
        .testTarget(
            name: "ComputeTests",
            dependencies: [
                "Compute", "Rendering", "CPURendering", "OpenCLRendering", "COpenCL", "Filters", "Imaging",
            ]),
        .testTarget(
            name: "DownloadTests",
            dependencies: [
                "Download", "Locking", "TestSupport", .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "CodecsTests", dependencies: ["Codecs", "Metadata", "Imaging", "CLibJPEG", "SlowJPEG"],
            resources: [.copy("Fixtures")]),
        // What damaged JPEGs are compared with.
        .target(name: "SlowJPEG", dependencies: ["CLibJPEG"], path: "Tests/SlowJPEG"),
        .testTarget(name: "TintypeTests", dependencies: ["Tintype", "Locking", "TestSupport"]),
        .testTarget(
            name: "OperationsTests",
            dependencies: [
                "Tintype", "Download", "Locking", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(name: "ListsTests", dependencies: ["Tintype", "TestSupport"]),
        .testTarget(
            name: "JournalTests",
            dependencies: [
                "Tintype", "Locking", "TestSupport", "JournalWorker",
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        // A process that works on a journal, for tests that kill it.
        .executableTarget(
            name: "JournalWorker", dependencies: ["Tintype", "TestSupport"], path: "Tests/JournalWorker"),
        .testTarget(name: "BenchmarkingTests", dependencies: ["Benchmarking"]),
        .testTarget(
            name: "CLITests",
            dependencies: [
                "Benchmarking", "Tintype", "TintypeCLI", "Codecs", "Metadata", "Locking", "TestSupport",
            ]),
        // What Benchmarks/batch compares the tool with.
        .executableTarget(
            name: "batch-loop", dependencies: ["Benchmarking", "Tintype", "Download", "Locking"],
            path: "Benchmarks/batch/Loop"),
        .target(name: "IOFaults", path: "Tests/IOFaults"),
        .target(name: "OpenCLFaults", path: "Tests/OpenCLFaults"),
        .target(name: "TestSupport", dependencies: ["Codecs", "Locking"], path: "Tests/TestSupport"),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu2x
)
