import TestSupport
import Testing
import Tintype

@testable import TintypeGallery

/// A gallery of photos that browsers do not show.
struct HEIFTests {
    @Test func aHEICIsShownAsAJPEG() async throws {
        let folder = try TemporaryFolder(), photo = try TestPhoto.fixture("hevc.heic")
        try folder.write(photo, to: "in/a.heic")
        try folder.write(try TestPhoto.fixture("av1.avif"), to: "in/b.avif")
        let gallery = try await TestGallery([folder.path("in")], chain: "sepia", output: folder.path("out"))
        try await gallery.use { gallery in
            try await gallery.show(0..<2)
            await gallery.status { $0.filtered == 2 }
            #expect(try await gallery.saveAll(chain: "sepia").saved == 2)
            let photos = try await gallery.photos()
            let expected = [
                "before": ["image/jpeg", "image/avif"], "after": ["image/jpeg", "image/avif"],
                "thumbnail": ["image/jpeg", "image/jpeg"],
            ]
            for (kind, types) in expected {
                for item in 0..<2 {
                    let version = photos[item].version
                    let picture = try #require(try await gallery.picture(kind, of: item, version: version))
                    #expect(picture.headers["content-type"] == types[item])
                    #expect(try EncodedImage(bytes: picture.body).pixels().geometry.width == 35)
                }
            }
        }
        #expect(try EncodedImage(path: folder.path("out/a.jpg")).format == .jpeg)
    }
}
