// swift-tools-version: 6.1
import PackageDescription

// Programs that use the library from outside: nothing but its public interface is theirs. `make examples` builds them.
let library = Target.Dependency.product(name: "Tintype", package: "tintype")

let package = Package(
    name: "examples",
    dependencies: [.package(name: "tintype", path: "..")],
    targets: [
        .executableTarget(name: "filter-photo", dependencies: [library]),
        .executableTarget(name: "filter-folder", dependencies: [library]),
        .executableTarget(name: "photo-list", dependencies: [library]),
        .executableTarget(name: "library-checks", dependencies: [library]),
        .executableTarget(name: "own-filter", dependencies: ["Filters", library]),
        // A usual name for a module. Those of the library carry the package's, so that there are no two of one name.
        .target(name: "Filters", dependencies: ["GlowKernel", library]),
        // The kernel of its filter.
        .target(
            name: "GlowKernel", dependencies: [.product(name: "TintypeKernels", package: "tintype")],
            exclude: ["glow.cl"]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu2x
)
