import TestSupport
import Testing

/// The photos of tests of drivers, and their outputs, which are made once for all of these.
enum DriverPhotos {
    private static let photos = Result {
        // A few strips for an OpenCL CPU, which takes half a megapixel at once.
        var photos = try ["a.jpg", "b.jpg", "c.jpg"].enumerated().map { index, name in
            (name, try TestPhoto.jpeg(width: 1000, height: 1300, seed: UInt64(index)))
        }
        photos.append(("d.png", try TestPhoto.png(width: 64, height: 48, seed: 2)))
        return photos
    }

    /// What the CPU makes of the photos, by their names.
    static let expected = Result {
        let folder = try Self.folder()
        #expect(try apply(["-d", "cpu", "-o", "cpu"], in: folder).exitCode == 0)
        return try photos.get().map { name, _ in (name, try folder.read("cpu/\(name)")) }
    }

    /// A folder with the photos in `in`.
    static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, bytes) in try photos.get() { try folder.write(bytes, to: "in/\(name)") }
        return folder
    }

    /// Filters the photos of a folder.
    static func apply(
        _ arguments: [String], _ environment: [String: String] = [:], in folder: TemporaryFolder
    ) throws -> Tool.Result {
        try Tool.run(
            ["apply", "--no-journal", "--overwrite", "-f", "sepia+blur:radius=3"] + arguments + ["in"],
            in: folder, environment: environment)
    }
}
