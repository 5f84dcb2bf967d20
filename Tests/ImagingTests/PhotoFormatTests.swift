import Testing
import TintypeImaging

struct PhotoFormatTests {
    /// Programs were written when it was an enumeration of strings.
    @Test func aFormatIsUsedLikeAnEnumeration() {
        #expect(PhotoFormat(rawValue: "jpeg") == .jpeg && PhotoFormat(rawValue: "gif") == nil)
        #expect(
            PhotoFormat.allCases == [.jpeg, .png, .webp, .heic, .avif, .jxl, .tiff, .raw]
                && PhotoFormat.allCases.map(\.rawValue)
                    == ["jpeg", "png", "webp", "heic", "avif", "jxl", "tiff", "raw"]
        )
        #expect("\(PhotoFormat.png)" == "png" && Set<PhotoFormat>([.png, .jpeg, .png]).count == 2)
        let isPNG =
            switch PhotoFormat.png {
            case .png: true
            default: false
            }
        #expect(isPNG)
    }

    @Test func aPatternMayHaveAnyBytesInTheMiddle() {
        let webP = BytePattern("RIFF????WEBP")
        #expect(webP.match("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8))
        #expect(!webP.match("RIFF\u{1}\u{2}\u{3}\u{4}WAVEfmt ".utf8))
        #expect(!webP.match("RIFF\u{1}\u{2}".utf8) && webP.mayMatch("RIFF\u{1}\u{2}".utf8))
        #expect(!webP.mayMatch("RIFX".utf8))
    }

    @Test func extensionsNameFormats() {
        for name in ["jpg", "JPEG", "jpe", "jfif"] { #expect(PhotoFormat.named(byExtension: name) == .jpeg) }
        #expect(PhotoFormat.named(byExtension: "PNG") == .png && PhotoFormat.named(byExtension: "gif") == nil)
    }

    @Test func listsAreWordedAsSentencesAre() {
        #expect(["a"].joined(conjunction: "or") == "a" && ["a", "b"].joined(conjunction: "or") == "a or b")
        #expect(["a", "b", "c"].joined(conjunction: "and") == "a, b and c")
        #expect(
            PhotoFormat.dottedExtensions("or", more: ["{ext}"])
                == ".jpg, .png, .webp, .avif, .jxl, .tif or {ext}")
    }
}
