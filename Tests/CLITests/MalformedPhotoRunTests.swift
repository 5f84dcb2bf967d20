import Foundation
import TestSupport
import Testing

/// A folder of damaged photos: each is done or named with a reason, in 256 MiB, and nothing else is written.
struct MalformedPhotoRunTests {
    struct Line: Decodable {
        let type: String
        let input, status, error: String?
    }

    @Test(arguments: ["cpu", "0"])
    func everyOneIsDoneOrNamed(device: String) throws {
        let folder = try TemporaryFolder()
        let jpeg = MalformedPhoto.flaws(ofJPEG: try TestPhoto.jpeg(width: 40, height: 24, seed: 1))
        let png = MalformedPhoto.flaws(ofPNG: try TestPhoto.png(width: 16, height: 12, seed: 2))
        // Every fifth is enough for the run, and fewer for a device, which only gets those that can be decoded: the decoder's
        // own tests have all.
        let step = device == "cpu" ? 5 : 20
        let photos = (jpeg.map { ("jpg", $0) } + png.map { ("png", $0) }).enumerated()
            .filter { $0.offset % step == 0 }.map(\.element)
        for (index, (ending, flaw)) in photos.enumerated() {
            try folder.write(flaw.bytes, to: "set/\(index).\(ending)")
        }
        let result = try Tool.run(
            [
                "apply", "-f", "tilt-shift:radius=3+sepia", "-d", device, "-j", "1", "--max-pixels",
                "20000000",
                "--auto-orient", "--json", "-o", "out", "set",
            ], in: folder)
        #expect(result.exitCode == 1, "\(result.errorText.suffix(2000))")
        let lines = try result.outputLines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        let results = lines.filter { $0.type == "photo" }
        #expect(results.count == photos.count)
        for line in results {
            #expect(line.status == "done" || (line.error ?? "").count > 10, "\(line)")
        }
        let doneCount = results.count { $0.status == "done" }
        #expect(doneCount > 500 / step && results.count - doneCount > 500 / step)
        #expect(folder.files().count { $0.hasPrefix("out/") && !$0.hasPrefix("out/.") } == doneCount)
        // PoCL's compiler takes more.
        if device == "cpu" { #expect(try result.peakMemory() < 256 << 20) }
    }
}
