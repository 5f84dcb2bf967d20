// swift-tools-version: 6.1
import PackageDescription

// A package of its own: whoever builds Tintype resolves and builds nothing of this.
let package = Package(
    name: "tintype-benchmarks",
    dependencies: [
        .package(name: "tintype", path: "../.."),
        // Without traits it needs no replacement for malloc.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "HotParts",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "Tintype", package: "tintype"),
                .product(name: "TintypeParts", package: "tintype"),
            ],
            path: "Benchmarks/HotParts",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
    ],
    swiftLanguageModes: [.v6]
)
