import CTintypeOpenCL
import Foundation
import Testing

@testable import TintypeCompute
@testable import TintypeOpenCLRendering

/// Drivers in folders that the system does not search.
struct UnlistedPlatformsTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "tintype-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private var driver: UnlistedDriver {
        UnlistedDriver(
            vendor: "Stand-in", library: "libstand-in-opencl.so.1", platformWords: ["Portable", "Language"],
            folders: [folder.path], parts: ["libstand-in-part.so"])
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// The file of a library that this process has loaded.
    private func loaded(_ name: String) throws -> String {
        // Not by its size, which such a file does not have.
        let bytes = try #require(try FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd())
        let maps = String(decoding: bytes, as: UTF8.self)
        let line = try #require(maps.split(separator: "\n").first { $0.contains(name) }, "\(name)")
        return String(try #require(line.split(separator: " ").last))
    }

    @Test func aDriverIsLoadedFromItsFolderAfterItsParts() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try #require(!OpenCLRuntime.shared.devices.isEmpty, "no OpenCL device: install pocl-opencl-icd")
        try FileManager.default.createSymbolicLink(
            atPath: path(driver.library), withDestinationPath: loaded("/libpocl.so"))
        try FileManager.default.copyItem(
            atPath: loaded("/libOpenCL.so"), toPath: path("libstand-in-part.so.1"))
        let found = UnlistedPlatforms(beside: [], environment: [:], drivers: [driver])
        #expect(
            found.platforms.map { OpenCLInfo.text(ofPlatform: $0, CL_PLATFORM_NAME) } == [
                "Portable Computing Language"
            ])
        #expect(
            found.notes == [
                "Stand-in's OpenCL driver, \(path(driver.library)), is used without an entry in /etc/OpenCL/vendors."
            ])
        #expect(try loaded("libstand-in-part") == path("libstand-in-part.so.1"))
        // The vendor's platform is listed, or the user has named the drivers.
        let again = UnlistedPlatforms(beside: found.platforms, environment: [:], drivers: [driver])
        #expect(again.platforms.isEmpty && again.notes.isEmpty)
        let chosen = UnlistedPlatforms(
            beside: [], environment: ["OCL_ICD_VENDORS": folder.path], drivers: [driver])
        #expect(chosen.platforms.isEmpty && chosen.notes.isEmpty)
    }

    @Test func aDriverThatCannotBeLoadedIsNamed() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(UnlistedPlatforms(beside: [], environment: [:], drivers: [driver]).notes.isEmpty)
        try Data("not a library".utf8).write(to: URL(fileURLWithPath: path(driver.library)))
        let found = UnlistedPlatforms(beside: [], environment: [:], drivers: [driver])
        #expect(found.platforms.isEmpty)
        let note = try #require(found.notes.first)
        #expect(
            note.hasPrefix("Stand-in's OpenCL driver cannot be loaded: \(path(driver.library)): "), "\(note)")
    }

    @Test func aLibraryThatIsNoDriverIsNamed() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createSymbolicLink(
            atPath: path(driver.library), withDestinationPath: loaded("/libc.so"))
        let found = UnlistedPlatforms(beside: [], environment: [:], drivers: [driver])
        #expect(found.notes.first?.contains("cannot be loaded") == true, "\(found.notes)")
    }
}
