// swift-tools-version: 6.1
import PackageDescription

// The commit for `tintype --version`; `make` sets it.
let commit = Context.environment["TINTYPE_COMMIT"] ?? ""

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
    name: "tintype",
    products: [
        .library(name: "Tintype", targets: ["Tintype"]),
        .executable(name: "tintype", targets: ["TintypeCLI"]),
        // For the C targets of filters in other packages.
        .library(name: "TintypeKernels", targets: ["TintypeKernels"]),
        // For Benchmarks/micro, which measures single modules.
        .library(
            name: "TintypeParts",
            targets: [
                "TintypeCodecs", "TintypeCompute", "TintypeFilterPictures", "TintypeJPEGCore",
                "TintypeKernels",
            ]),
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
        // HTTP for the gallery. It limits the size of headers and the time of writes, which smaller servers do not.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
    ],
    // From the tool down: a target imports only targets that are listed below it. docs/design/modules.md describes
    // them. Tests and their helpers, at the end, import any.
    targets: [
        .executableTarget(
            name: "TintypeCLI",
            dependencies: [
                "TintypeBenchmarking", "CTintypeVersion", "TintypeGallery", "TintypeLocking", "Tintype",
                logging, system,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Rainbow", package: "Rainbow"),
            ]),
        .target(
            name: "TintypeGallery",
            dependencies: [
                "CTintypeWeb", "TintypeBatches", "TintypeCodecs", "TintypeDevices", "TintypeFilters",
                "TintypeLocking", "TintypeOperations", "TintypePhotos", "TintypeSessions", "Tintype", logging,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ], path: "Sources/Gallery", exclude: ["Web"]),
        .target(
            name: "TintypeBenchmarking",
            dependencies: [
                "CTintypeBenchmark", "TintypeIsolatedRendering", "TintypeLocking", "Tintype", system,
            ], path: "Sources/Benchmarking"),
        .target(
            name: "Tintype",
            dependencies: [
                "TintypeBatches", "TintypeCodecs", "TintypeCompute", "TintypeDevices", "TintypeDownload",
                "TintypeFiles", "TintypeFilterPictures", "TintypeFilters", "TintypeImaging",
                "TintypeJournals", "TintypeKernelFiles", "TintypeLists", "TintypeManifests",
                "TintypeMetadata", "TintypeOperations", "TintypePhotos",
                "TintypeRendering", "TintypeResources", "TintypeSessions", "TintypeStages", logging, system,
            ]),
        .target(
            name: "TintypeBatches",
            dependencies: [
                "TintypeCodecs", "TintypeDevices", "TintypeDownload", "TintypeFiles", "TintypeFilters",
                "TintypeImaging", "TintypeJournals", "TintypeLists", "TintypeLocking",
                "TintypeManifests", "TintypeOperations", "TintypePhotos", "TintypeS3", "TintypeSessions",
                logging, system,
            ], path: "Sources/Batches"),
        .target(
            name: "TintypeManifests",
            dependencies: [
                "TintypeDownload", "TintypeFiles", "TintypeImaging", "TintypeJournals", "TintypeLocking",
                "TintypeS3", system,
            ], path: "Sources/Manifests"),
        .target(
            name: "TintypeSessions",
            dependencies: [
                "TintypeDevices", "TintypeFiles", "TintypeLocking", "TintypeOperations", "TintypePhotos",
                "TintypeResources", logging,
            ], path: "Sources/Sessions"),
        .target(
            name: "TintypeOperations",
            dependencies: [
                "TintypeCodecs", "TintypeCompute", "TintypeDevices", "TintypeDownload", "TintypeFiles",
                "TintypeFilters", "TintypeImaging", "TintypeJournals", "TintypeLists",
                "TintypeLocking", "TintypePhotos", "TintypeResources", "TintypeS3", logging, system,
            ], path: "Sources/Operations"),
        .target(
            name: "TintypeDevices",
            dependencies: [
                "TintypeCompute", "TintypeFilters", "TintypeImaging", "TintypeLocking", "TintypePhotos",
                "TintypeResources",
            ], path: "Sources/Devices"),
        .target(
            name: "TintypePhotos",
            dependencies: [
                "TintypeCodecs", "TintypeCompute", "TintypeCryptography", "TintypeDownload", "TintypeFiles",
                "TintypeFilters", "TintypeImaging", "TintypeJournals", "TintypeLists",
                "TintypeLocking", "TintypeRendering", "TintypeResources", "TintypeStages", system,
            ], path: "Sources/Photos"),
        .target(
            name: "TintypeJournals",
            dependencies: [
                "TintypeCryptography", "TintypeFiles", "TintypeImaging", "TintypeLocking", system,
            ],
            path: "Sources/Journals"),
        .target(
            name: "TintypeLists",
            dependencies: ["TintypeDownload", "TintypeFiles", "TintypeImaging", system],
            path: "Sources/Lists"),
        .target(
            name: "TintypeResources",
            dependencies: ["CTintypeMalloc", "TintypeFiles", "TintypeImaging", "TintypeLocking", system],
            path: "Sources/Resources"),
        .target(
            name: "TintypeFilterPictures",
            dependencies: ["TintypeCodecs", "TintypeFiles", "TintypeFilters", "TintypeImaging"],
            path: "Sources/FilterPictures"),
        .target(
            name: "TintypeCodecs",
            dependencies: [
                "CTintypeHEIF", "CTintypeIsolation", "CTintypeJPEG", "CTintypeJXL", "CTintypeLCMS",
                "CTintypePNG", "CTintypeRAW", "CTintypeTIFF", "CTintypeWebP",
                "TintypeImaging",
                "TintypeJPEGCore", "TintypeKernels", "TintypeMetadata", "TintypePNGCore", system,
            ], path: "Sources/Codecs"),
        .target(
            name: "TintypeMetadata", dependencies: ["TintypeCryptography", "TintypeImaging"],
            path: "Sources/Metadata"),
        .target(
            name: "TintypeCompute",
            dependencies: [
                "TintypeCPURendering", "TintypeFilters", "TintypeImaging", "TintypeIsolatedRendering",
                "TintypeLocking", "TintypeOpenCLRendering",
                "TintypeRendering", "TintypeStages",
            ], path: "Sources/Compute"),
        .target(
            name: "TintypeIsolatedRendering",
            dependencies: [
                "CTintypeSharing", "TintypeImaging", "TintypeLocking", "TintypeOpenCLRendering",
                "TintypeRendering", "TintypeStages",
            ], path: "Sources/IsolatedRendering"),
        .target(
            name: "TintypeOpenCLRendering",
            dependencies: [
                "CTintypeOpenCL", "TintypeImaging", "TintypeKernels", "TintypeLocking", "TintypeRendering",
                "TintypeResources", "TintypeStages",
            ], path: "Sources/OpenCLRendering"),
        .target(
            name: "TintypeCPURendering",
            dependencies: ["TintypeImaging", "TintypeKernels", "TintypeRendering", "TintypeStages"],
            path: "Sources/CPURendering"),
        .target(
            name: "TintypeRendering", dependencies: ["TintypeFiles", "TintypeImaging", "TintypeStages"],
            path: "Sources/Rendering"),
        .target(
            name: "TintypeS3",
            dependencies: ["CTintypeCurl", "TintypeDownload", "TintypeFiles", "TintypeLocking", system],
            path: "Sources/S3"),
        .target(
            name: "TintypeDownload",
            dependencies: [
                "CTintypeCurl", "TintypeFiles", "TintypeImaging", "TintypeLocking", logging, system,
            ], path: "Sources/Download"),
        .target(
            name: "TintypeKernelFiles",
            dependencies: [
                "CTintypeChildren", "TintypeFiles", "TintypeFilters", "TintypeImaging", "TintypeKernels",
                "TintypeLocking", "TintypeStages", system,
            ], path: "Sources/KernelFiles"
        ),
        .target(
            name: "TintypeFilters",
            dependencies: ["TintypeFiles", "TintypeImaging", "TintypeLocking", "TintypeStages"],
            path: "Sources/Filters"),
        .target(
            name: "TintypeStages",
            dependencies: ["TintypeFiles", "TintypeImaging", "TintypeKernels", "TintypeLocking"],
            path: "Sources/Stages"),
        .target(
            name: "TintypeFiles",
            dependencies: [
                "CTintypeSharing", "TintypeCryptography", "TintypeImaging", "TintypeLocking", system,
            ], path: "Sources/Files"),
        .target(name: "TintypeImaging", dependencies: ["TintypeLocking"], path: "Sources/Imaging"),
        .target(name: "TintypeLocking", path: "Sources/Locking"),
        .target(
            name: "TintypeCryptography", dependencies: ["CTintypeBLAKE3", "CTintypeLibCrypto"],
            path: "Sources/Cryptography"),

        .target(name: "TintypeKernels", path: "Kernels/cpu"),
        .target(
            name: "CTintypeJPEG", dependencies: ["CTintypeLibJPEG", "TintypeJPEGCore"], path: "Sources/CJPEG"),
        .target(name: "TintypeJPEGCore", path: "Sources/JPEGCore", exclude: ["README.md"]),
        .target(name: "TintypePNGCore", path: "Sources/PNGCore", exclude: ["README.md"]),
        .target(
            name: "CTintypeBLAKE3", path: "Sources/CBLAKE3", exclude: ["README.md", "blake3-1.3.1/LICENSE"],
            sources: [
                "blake3-1.3.1/blake3.c", "blake3-1.3.1/blake3_dispatch.c", "blake3-1.3.1/blake3_portable.c",
                "avx2.S", "avx512.S", "neon.c", "sse41.S",
            ], cSettings: [.define("BLAKE3_NO_SSE2")]),
        .target(name: "CTintypeBenchmark", dependencies: ["CTintypeLibJPEG"], path: "Sources/CBenchmark"),
        .target(
            name: "CTintypePNG", dependencies: ["CTintypeLibPNG"], path: "Sources/CPNG",
            linkerSettings: [.linkedLibrary("z")]),
        // Needs libwebp-dev to build. libwebp.so.7 is optional at run time.
        .target(name: "CTintypeWebP", path: "Sources/CWebP"),
        .target(name: "CTintypeIsolation", dependencies: ["CTintypeChildren"], path: "Sources/CIsolation"),
        // Needs libheif-dev to build. libheif.so.1 is optional at run time.
        .target(name: "CTintypeHEIF", dependencies: ["CTintypeIsolation"], path: "Sources/CHEIF"),
        // Needs libjxl-dev to build. libjxl and libjxl_threads are optional at run time.
        .target(name: "CTintypeJXL", dependencies: ["CTintypeIsolation"], path: "Sources/CJXL"),
        // LibRaw is optional at run time, and not needed to build.
        .target(name: "CTintypeRAW", dependencies: ["CTintypeIsolation"], path: "Sources/CRAW"),
        // Needs libtiff-dev to build. libtiff.so.6 is optional at run time.
        .target(name: "CTintypeTIFF", dependencies: ["CTintypeIsolation"], path: "Sources/CTIFF"),
        .target(name: "CTintypeLCMS", dependencies: ["CTintypeLibLCMS"], path: "Sources/CLCMS"),
        .target(name: "CTintypeCurl", dependencies: ["CTintypeLibCurl"], path: "Sources/CCurl"),
        .systemLibrary(
            name: "CTintypeLibCrypto", path: "Sources/CLibCrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CTintypeLibCurl", path: "Sources/CLibCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CTintypeLibJPEG", path: "Sources/CLibJPEG", pkgConfig: "libjpeg",
            providers: [.apt(["libjpeg-dev"])]),
        .systemLibrary(
            name: "CTintypeLibLCMS", path: "Sources/CLibLCMS", pkgConfig: "lcms2",
            providers: [.apt(["liblcms2-dev"])]),
        .systemLibrary(
            name: "CTintypeLibPNG", path: "Sources/CLibPNG", pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CTintypeMalloc", path: "Sources/CMalloc"),
        // Needs opencl-c-headers to build. libOpenCL.so.1 is optional at run time.
        .target(name: "CTintypeOpenCL", path: "Sources/COpenCL"),
        .target(name: "CTintypeChildren", path: "Sources/CChildren"),
        .target(name: "CTintypeSharing", path: "Sources/CSharing"),
        .target(name: "CTintypeWeb", path: "Sources/CWeb"),
        .target(
            name: "CTintypeVersion", path: "Sources/CVersion",
            cSettings: [.define("TINTYPE_COMMIT", to: "\"\(commit)\"")]),

        .testTarget(name: "CryptographyTests", dependencies: ["TintypeCryptography", "TestSupport"]),
        .testTarget(name: "ImagingTests", dependencies: ["TintypeImaging"]),
        .testTarget(name: "StagesTests", dependencies: ["TintypeStages"]),
        .testTarget(
            name: "FiltersTests",
            dependencies: ["TintypeFilterPictures", "TintypeFilters", "TintypeImaging", "TintypeStages"]),
        .testTarget(name: "RenderingTests", dependencies: ["TintypeRendering"]),
        .testTarget(
            name: "IsolatedRenderingTests",
            dependencies: [
                "TintypeCompute", "TintypeFilterPictures", "TintypeFilters", "TintypeImaging",
                "TintypeIsolatedRendering", "TintypeRendering", "TintypeStages",
            ]),
        .testTarget(
            name: "KernelFilesTests",
            dependencies: [
                "TintypeCPURendering", "TintypeCompute", "TintypeFiles", "TintypeFilters", "TintypeImaging",
                "TintypeKernelFiles", "TintypeRendering",
                "TestSupport",
            ]),
        .testTarget(
            name: "ComputeTests",
            dependencies: [
                "CTintypeOpenCL", "TintypeCPURendering", "TintypeCompute", "TintypeFilterPictures",
                "TintypeFilters", "TintypeImaging", "TintypeLocking",
                "TintypeOpenCLRendering", "TintypeRendering", "TintypeStages",
            ],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "DownloadTests",
            dependencies: [
                "TintypeDownload", "TintypeFiles", "TintypeLocking", "TestSupport", logging,
            ]),
        .testTarget(
            name: "S3Tests",
            dependencies: [
                "TintypeCryptography", "TintypeDownload", "TintypeFiles", "TintypeLocking", "TintypeS3",
                "TestSupport",
            ]),
        .testTarget(
            name: "CodecsTests",
            dependencies: [
                "CTintypeJPEG", "CTintypeLibJPEG", "CTintypeLibLCMS", "CTintypePNG", "TintypeCodecs",
                "TintypeImaging", "TintypeJPEGCore", "TintypeKernels", "TintypeMetadata", "TintypePNGCore",
                "PPMFormat", "SlowJPEG", "TestSupport",
            ],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "MetadataTests", dependencies: ["TintypeImaging", "TintypeMetadata", "TestSupport"]),
        // The reference for damaged JPEGs in tests.
        .target(name: "SlowJPEG", dependencies: ["CTintypeLibJPEG"], path: "Tests/SlowJPEG"),
        .testTarget(
            name: "FilesTests",
            dependencies: ["TintypeFiles", "TintypeLocking", "TestSupport", "Tintype", system]),
        .testTarget(
            name: "ResourcesTests",
            dependencies: ["TintypeLocking", "TintypeResources", "TestSupport", "Tintype"]),
        .testTarget(name: "ListsTests", dependencies: ["TintypeLists", "TestSupport", "Tintype"]),
        .testTarget(
            name: "JournalsTests",
            dependencies: [
                "JournalWorker", "TintypeCryptography", "TintypeFiles", "TintypeJournals",
                "TintypeLocking", "TestSupport", "Tintype", system,
            ]),
        .testTarget(
            name: "ManifestsTests",
            dependencies: ["TintypeFiles", "TintypeJournals", "TintypeManifests", "TestSupport", "Tintype"]),
        .testTarget(
            name: "PhotosTests",
            dependencies: [
                "CodedDevice", "coded-driver", "DeviceFuzzer", "TintypeCodecs", "TintypeCompute",
                "TintypeImaging", "TintypeIsolatedRendering", "TintypeLocking",
                "TintypeMetadata", "TintypeOpenCLRendering", "TintypePhotos", "TintypeRendering",
                "TestSupport", "Tintype", system,
            ]),
        .testTarget(
            name: "DevicesTests",
            dependencies: ["TintypeDevices", "TintypeLocking", "TestSupport", "Tintype"]),
        .testTarget(
            name: "OperationsTests",
            dependencies: [
                "TintypeCryptography", "TintypeDownload", "TintypeJournals", "TintypeLocking",
                "TintypeOperations", "TintypePhotos", "TestSupport", "Tintype",
                "TintypeSessions", logging,
            ]),
        .testTarget(
            name: "BatchesTests",
            dependencies: [
                "TintypeBatches", "TintypeFiles", "TintypeJournals", "TintypeLocking", "TintypeOperations",
                "TintypePhotos", "TestSupport", "Tintype",
            ]),
        .testTarget(
            name: "TintypeTests",
            dependencies: ["TintypeCryptography", "TintypeLocking", "TestSupport", "Tintype"]),
        // A format that tests register.
        .target(
            name: "PPMFormat", dependencies: ["TintypeCodecs", "TintypeImaging", "TintypeMetadata"],
            path: "Tests/PPMFormat"),
        // A device that tests register, and a driver process that has it.
        .target(
            name: "CodedDevice",
            dependencies: [
                "TintypeCPURendering", "TintypeCodecs", "TintypeImaging", "TintypeIsolatedRendering",
                "TintypeLocking", "TintypeOpenCLRendering", "TintypeRendering",
            ], path: "Tests/CodedDevice"),
        .executableTarget(
            name: "coded-driver", dependencies: ["CodedDevice", "TintypeIsolatedRendering"],
            path: "Tests/CodedDriver"),
        // A process that works on a journal, for tests that kill it.
        .executableTarget(
            name: "JournalWorker", dependencies: ["TestSupport", "Tintype"], path: "Tests/JournalWorker"),
        // A process that filters photos for long, while everything fails.
        .executableTarget(
            name: "soak",
            dependencies: [
                "TintypeBatches", "CTintypeMalloc", "TintypeFiles", "TintypeFilters", "TintypeLocking",
                "TintypeOperations", "TintypePhotos", "TestSupport",
                "TintypeSessions", "Tintype", logging,
            ], path: "Tests/Soak"),
        .testTarget(
            name: "GalleryTests",
            dependencies: [
                "TintypeCodecs", "TintypeCryptography", "TintypeGallery", "TintypeImaging", "TintypeLocking",
                "PPMFormat", "TestSupport", "Tintype",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            exclude: ["Browser"]),
        .testTarget(
            name: "BenchmarkingTests",
            dependencies: [
                "CodedDevice", "TintypeBenchmarking", "TintypeCodecs", "TintypeCompute",
                "TintypeFilterPictures",
                "TintypeFilters", "TintypeImaging", "TestSupport",
            ]),
        .testTarget(
            name: "CLITests",
            dependencies: [
                "TintypeBatches", "TintypeBenchmarking", "CTintypeOpenCL", "TintypeCodecs", "TintypeCompute",
                "TintypeCryptography", "TintypeImaging", "TintypeLocking", "TintypeMetadata",
                "TintypeOperations", "TintypeRendering",
                "PPMFormat", "TintypePhotos", "TestSupport", "Tintype", "TintypeCLI", "soak",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // A comparison for the tool in Benchmarks/batch.
        .executableTarget(
            name: "batch-loop",
            dependencies: ["TintypeBenchmarking", "TintypeDownload", "TintypeLocking", "Tintype"],
            path: "Benchmarks/batch/Loop"),
        // The OpenCL programs, for scripts/gpu/check_code.
        .executableTarget(
            name: "kernel-programs", dependencies: ["TintypeCompute", "TintypeOpenCLRendering"],
            path: "Tests/KernelPrograms"),
        .target(
            name: "ParserFuzzing",
            dependencies: [
                "TintypeBatches", "TintypeCodecs", "TintypeFilterPictures", "TintypeFilters",
                "TintypeGallery", "TintypeImaging", "TintypeJournals",
                "TintypeKernelFiles", "TintypeLists",
                "TintypeLocking", "TintypeManifests", "TintypeMetadata", "Tintype",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            path: "Tests/ParserFuzzing", exclude: ["Seeds"]),
        // Damage to JPEGs, for scripts/fuzz and DeviceFuzzer.
        .target(name: "FuzzMutations", path: "Tests/Fuzzing/Mutations", publicHeadersPath: "."),
        // Compares what OpenCL devices and the CPU make of damaged JPEGs.
        .executableTarget(
            name: "DeviceFuzzer",
            dependencies: [
                "FuzzMutations", "TintypeCodecs", "TintypeCompute", "TintypeFiles", "TintypeImaging",
                "TintypeOpenCLRendering", "TintypePhotos", "TintypeRendering",
            ], path: "Tests/DeviceFuzzing"),
        .target(name: "IOFaults", path: "Tests/IOFaults"),
        .target(name: "OpenCLFaults", path: "Tests/OpenCLFaults"),
        .target(
            name: "TestSupport",
            dependencies: [
                "CTintypeLibCrypto", "TintypeCodecs", "TintypeCompute", "TintypeCryptography",
                "TintypeImaging", "TintypeLocking", "TintypeMetadata", "TintypePhotos",
            ],
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

// `make test-tsan` and `make test-asan` name the targets they need, and build no others: each is compiled anew for a sanitizer.
if let names = Context.environment["TINTYPE_TARGETS"] {
    var needed: Set<String> = []
    var waiting = names.split(separator: " ").map { String($0) }
    while let name = waiting.popLast() {
        guard needed.insert(name).inserted else { continue }
        guard let target = package.targets.first(where: { $0.name == name }) else {
            fatalError("TINTYPE_TARGETS: there is no target \(name).")
        }
        for case .byNameItem(let name, _) in target.dependencies { waiting.append(name) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { !needed.contains($0.name) }
}
