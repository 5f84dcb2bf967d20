import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeLists

/// Damaged and random lists: no crash, no hang, and no entry that the list does not have.
struct ListFuzzTests {
    private static let marks = Array(
        "[]{}\",:\\u<>/!&;?#\n\r\0 urlnameplistdictarraystringkeyDOCTYPE=.-\u{FEFF}".utf8)

    private func seeds() throws -> [[UInt8]] {
        let values: [Any] = [ListFormatTests.dictionary, ListFormatTests.targets, ListFormatTests.records]
        var seeds = [
            Array("name,url\n\"a \"\"b\"\"\",c.jpg\nx,\"d\n.jpg\"\n".utf8),
            Array("a\n# b\nhttp://host/c\n".utf8),
        ]
        for value in values {
            seeds.append(try ListFormatTests.plist(.xml, value))
            seeds.append(try ListFormatTests.plist(.binary, value))
            seeds.append([UInt8](try JSONSerialization.data(withJSONObject: value)))
        }
        return seeds
    }

    private func mutate(_ seed: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
            let at = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[at] = Self.marks.randomElement(using: &random) ?? 0
            case 2: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...9, using: &random)))
            case 3: bytes.insert(Self.marks.randomElement(using: &random) ?? 0, at: at)
            default: bytes += bytes[at...].prefix(200)
            }
        }
        return bytes
    }

    @Test(arguments: 0..<4) func damagedListsAreReadOrRefused(part: Int) throws {
        var random = SeededGenerator(seed: UInt64(100 + part))
        for seed in try seeds() {
            for _ in 0..<150 {
                let bytes = mutate(seed, &random)
                let list = PhotoList(bytes: bytes, origin: .folder(""), name: "list")
                // Every call takes at least a byte, or ends the list.
                var calls = 0
                while calls <= bytes.count + 1 {
                    calls += 1
                    do throws(ListError) {
                        guard let entry = try list.next() else { break }
                        check(OutputName.make(for: entry))
                    } catch {
                        if error.endsList { break }
                    }
                }
                #expect(calls <= bytes.count, "\(bytes)")
            }
        }
    }

    @Test func anyNameBecomesOnePlainName() throws {
        var random = SeededGenerator(seed: 9)
        let pieces = [
            "..", ".", "/", "\\", "\0", "a", "é", "😀", "👨‍👩‍👧", "\u{202E}", "\n", " ", ".jpg", ".png", "~", "%2F",
            "e\u{301}",
        ]
        for _ in 0..<3000 {
            let count = Int.random(in: 0...Int.random(in: 1...300, using: &random), using: &random)
            let name = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            check(OutputName.make(name, like: "x.png"))
        }
    }

    private func check(_ name: String) {
        #expect(!name.hasPrefix(".") && name.utf8.count <= 255 && FileName(name).looksLikePhoto, "\(name)")
        #expect(!name.unicodeScalars.contains { $0 == "/" || $0.value < 0x20 || $0 == "\u{202E}" }, "\(name)")
        #expect(OutputName.make(name, like: "x.png") == name, "\(name) is not stable")
    }
}
