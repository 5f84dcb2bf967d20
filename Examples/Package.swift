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
    ],
    swiftLanguageModes: [.v6]
)
