import Testing
import Tintype

@testable import TintypeBatches
@testable import TintypeOperations
@testable import TintypePhotos

struct OutputTemplateTests {
    private let values: [OutputTemplate.Placeholder: String] = [
        .dir: "2024/rome", .stem: "a", .chain: "sepia+noir", .ext: "jpg", .name: "a.jpg",
    ]

    @Test(arguments: [
        ("out/{dir}/{name}", "out/2024/rome/a.jpg"),
        ("out/{stem}-{chain}.{ext}", "out/a-sepia+noir.jpg"),
        ("{dir}/small/{name}", "2024/rome/small/a.jpg"),
        ("/abs//{name}", "/abs/a.jpg"),
        ("./{stem}{stem}.png", "aa.png"),
        ("{{{stem}}}.jpg", "{a}.jpg"),
        ("../{name}", "../a.jpg"),
    ])
    func placeholdersAreFilledIn(template: String, path: String) throws {
        #expect(try OutputTemplate(template).path(values) == path)
    }

    @Test func anEmptyFolderNeverMakesThePathAbsolute() throws {
        let values = values.merging([.dir: ""]) { $1 }
        #expect(try OutputTemplate("{dir}/small/{name}").path(values) == "small/a.jpg")
        #expect(try OutputTemplate("out/{dir}/{name}").path(values) == "out/a.jpg")
    }

    @Test func unknownPlaceholdersNameTheNearest() {
        let error = #expect(throws: OutputError.unknownPlaceholder("stm")) { try OutputTemplate("{stm}.jpg") }
        #expect(error?.description.contains("Did you mean {stem}?") == true)
    }

    @Test(arguments: ["{stem", "stem}", "{stem}}", "a{", "}"])
    func bracesThatDoNotMatchAreRefused(template: String) {
        #expect(throws: OutputError.unbalancedBrace(template: template)) { try OutputTemplate(template) }
    }

    @Test(arguments: [
        ("{stem}.{ext}", nil), ("out/{name}", nil), ("out/{stem}.png", "png"), ("{stem}-{chain}.JPG", "JPG"),
        ("v1.2/{stem}", nil), ("{stem}.tar.jpg", "jpg"),
    ])
    func anExtensionThatIsSpelledOutIsKnown(template: String, fileExtension: String?) throws {
        #expect(try OutputTemplate(template).fixedExtension == fileExtension)
    }

    @Test(arguments: ["HEIC", "heic", "gif", "bmp", "psd", "mp4"])
    func picturesOfOtherFormatsAreNoFolders(fileExtension: String) throws {
        for place in ["out.\(fileExtension)", "a/out.\(fileExtension)", "s3://bucket/out.\(fileExtension)"] {
            let error = #expect(throws: OutputError.self) {
                try OutputDestination(place, isFolder: { _ in false })
            }
            #expect(error?.description.contains("'.\(fileExtension)'") == true)
            #expect(throws: Never.self) { try OutputDestination("\(place)/", isFolder: { _ in false }) }
        }
        let name = "out.\(fileExtension)"
        #expect(try OutputDestination(name, isFolder: { _ in true }) == .folder(name))
    }

    @Test(arguments: [
        ("out/{name}", "out"), ("/{name}", "/"), ("{name}", "."), ("a/b-{stem}/{name}", "a"),
        ("/x/y/{name}", "/x/y"),
    ])
    func theFixedFolderEndsBeforeTheFirstPlaceholder(template: String, folder: String) throws {
        #expect(try OutputTemplate(template).fixedFolder == folder)
    }
}
