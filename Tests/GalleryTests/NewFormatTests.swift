import PPMFormat
import TestSupport
import Testing
import Tintype
import TintypeImaging

@testable import TintypeGallery

/// A gallery of photos whose format is only registered.
struct NewFormatTests {
    @Test func photosAreServedFilteredAndSaved() async {
        // Formats are the process's.
        await #expect(processExitsWith: .success) {
            PhotoFormat.register(PPMFormat())
            let folder = try TemporaryFolder()
            let samples = TestPhoto.samples(width: 40, height: 30, seed: 1)
            let photo = Array("P6\n40 30\n255\n".utf8) + samples
            try folder.write(photo, to: "in/a.ppm")
            let gallery = try await TestGallery(
                [folder.path("in")], chain: "sepia", output: folder.path("out"))
            try await gallery.use { gallery in
                try await gallery.show(0..<1)
                await gallery.status { $0.filtered == 1 }
                try #require(try await gallery.saveAll(chain: "sepia").saved == 1)
                let version = try #require(try await gallery.photos().first?.version)
                let before = try #require(try await gallery.picture("before", of: 0, version: version))
                let after = try #require(try await gallery.picture("after", of: 0, version: version))
                let expected = try await EncodedImage(bytes: photo).filtered(by: [Sepia()], on: .cpu)
                try #require(try folder.read("out/a.ppm") == expected.bytes())
                // Browsers show no PPM.
                let shown = try (EncodedImage(bytes: before.body), EncodedImage(bytes: after.body))
                try #require(shown.0.format == .jpeg && shown.1.format == .jpeg)
                try #require(try shown.0.pixels().geometry == PhotoGeometry(width: 40, height: 30))
                let small = try #require(try await gallery.picture("thumbnail", of: 0, version: version))
                for picture in [before, after, small] {
                    try #require(picture.headers["content-type"] == "image/jpeg")
                }
            }
        }
    }
}
