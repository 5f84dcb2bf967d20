import Foundation
import TestSupport
import Testing

/// Notes on photos that were written.
struct NoteTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A CMYK photo with a minimal CMYK profile.
    private func profiledCMYK() throws -> [UInt8] {
        let photo = try TestPhoto.fixture("cmyk.jpg")
        var profile = [UInt8](repeating: 0, count: 132)
        profile.replaceSubrange(16..<20, with: Array("CMYK".utf8))
        let payload = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
        let length = payload.count + 2
        let head: [UInt8] = [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)]
        return photo[..<2] + head + payload + photo[2...]
    }

    @Test func aNoteIsOneLineAndAFieldOfTheReport() throws {
        try folder.write(try profiledCMYK(), to: "inks.jpg")
        try folder.write(try TestPhoto.jpeg(width: 16, height: 16, seed: 1), to: "plain.jpg")
        let result = try Tool.run(
            ["apply", "-f", "sepia", "-d", "cpu", "-o", "out", "--json", "inks.jpg", "plain.jpg"], in: folder)
        #expect(result.exitCode == 0)
        let note = "The CMYK colours were converted without the photo's colour profile"
        let told = result.errorText.split(separator: "\n").filter { $0.contains("inks.jpg: \(note)") }
        #expect(told.count == 1)
        let lines = try result.outputLines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        func notes(_ input: String) -> [String]? {
            lines.first { $0["input"] as? String == input }?["notes"] as? [String]
        }
        #expect(notes("inks.jpg")?.count == 1 && notes("inks.jpg")?[0].hasPrefix(note) == true)
        #expect(notes("plain.jpg") == nil)
        let quiet = try Tool.run(
            ["apply", "-f", "sepia", "-d", "cpu", "-o", "quiet", "-q", "inks.jpg"], in: folder)
        #expect(quiet.exitCode == 0 && quiet.errorText.isEmpty)
    }
}
