import TestSupport
import Testing
import Tintype

@testable import TintypeGallery

/// A gallery of JPEG XLs, which browsers do not show.
struct JXLTests {
    @Test func aJPEGXLIsShownAsAJPEG() async throws {
        let folder = try TemporaryFolder()
        try folder.write(try TestPhoto.fixture("jxl-lossy.jxl"), to: "in/a.jxl")
        let gallery = try await TestGallery([folder.path("in")], chain: "sepia", output: folder.path("out"))
        try await gallery.use { gallery in
            try await gallery.show(0..<1)
            await gallery.status { $0.filtered == 1 }
            #expect(try await gallery.saveAll(chain: "sepia").saved == 1)
            let version = try await gallery.photos()[0].version
            for kind in ["before", "after", "thumbnail"] {
                let picture = try #require(try await gallery.picture(kind, of: 0, version: version))
                #expect(picture.headers["content-type"] == "image/jpeg")
                #expect(try EncodedImage(bytes: picture.body).pixels().geometry.width == 35)
            }
        }
        #expect(try EncodedImage(path: folder.path("out/a.jxl")).format == .jxl)
    }
}
