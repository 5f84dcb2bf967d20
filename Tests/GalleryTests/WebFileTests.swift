import Foundation
import Testing

@testable import TintypeGallery

struct WebFileTests {
    @Test func theProgramHasEveryFileOfThePage() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/Gallery/Web")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count > 40)
        for name in names {
            let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
            #expect(WebFile.named(name).map { Data($0.bytes) } == bytes, "\(name)")
        }
    }

    @Test(arguments: [
        ("index.html", "text/html; charset=utf-8"), ("gallery.css", "text/css; charset=utf-8"),
        ("icon.svg", "image/svg+xml"), ("api.js", "text/javascript; charset=utf-8"),
    ])
    func filesHaveTheTypeOfTheirName(name: String, type: String) {
        #expect(WebFile.named(name)?.type == type)
    }

    @Test func otherNamesHaveNoFile() { #expect(WebFile.named("other.js") == nil) }
}
