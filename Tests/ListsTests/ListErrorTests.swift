import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeLists

struct ListErrorTests {
    private func errors(_ text: String, origin: ListOrigin = .folder("")) -> [ListError] {
        PhotoList(text, origin: origin).readAll().errors
    }

    @Test(
        arguments: [
            ("a.jpg\nftp://host/a.jpg\nb.jpg", .line(2)), ("a.jpg\nhttp:///a.jpg\nb.jpg", .line(2)),
            ("a.jpg\na\u{7}.jpg\nb.jpg", .line(2)), ("a.jpg\nfile://elsewhere/a.jpg\nb.jpg", .line(2)),
            ("url,name\na.jpg,x\nonly.jpg\nb.jpg,y", .line(3)), ("name,url\nA,a.jpg\nB,\nC,b.jpg", .line(3)),
            ("[\"a.jpg\", 12, \"b.jpg\"]", .entry(2)),
            ("[\"a.jpg\", {\"name\": \"x\"}, \"b.jpg\"]", .entry(2)),
            ("[\"a.jpg\", \"ftp://host/a.jpg\", \"b.jpg\"]", .entry(2)),
            ("[\"a.jpg\", [], \"b.jpg\"]", .entry(2)), ("[\"a.jpg\", null, \"b.jpg\"]", .entry(2)),
            ("[\"a.jpg\", {\"url\": [1, {\"x\": 2}], \"z\": 1}, \"b.jpg\"]", .entry(2)),
            ("{\"C\": \"b.jpg\", \"A\": \"a.jpg\", \"B\": {\"deep\": [[]]}}", .entry(2)),
            ("[\"a.jpg\", \"\(String(repeating: "a", count: 40_000))\", \"b.jpg\"]", .entry(2)),
            (
                "<plist><array><string>a.jpg</string><dict><key>x</key><integer>1</integer></dict><string>b.jpg</string></array></plist>",
                .entry(2)
            ),
            (
                "<plist><dict><key>A</key><string>a.jpg</string><key>B</key><array><true/></array><key>C</key><string>b.jpg</string></dict></plist>",
                .entry(2)
            ),
        ] as [(String, ListPosition)])
    func oneBadEntryIsNamedAndTheOthersAreRead(text: String, position: ListPosition) throws {
        let (entries, errors) = PhotoList(text, origin: .folder("")).readAll()
        #expect(entries.map(\.place) == ["a.jpg", "b.jpg"], "\(text)")
        #expect(errors.map(\.position) == [position], "\(errors)")
    }

    @Test(arguments: [
        ("[\"a\", 12]", "a number"), ("[\"a\", true]", "true or false"), ("[\"a\", null]", "null"),
        ("[\"a\", [\"a\"]]", "an array"),
        ("{\"A\": {\"url\": \"a\"}}", "a dictionary"), ("[{\"url\": \"a\", \"name\": 1.5}]", "a number"),
        ("<plist><array><date>2020-01-01T00:00:00Z</date></array></plist>", "a date or data"),
        ("<plist><array><real>1.5</real></array></plist>", "a number"),
        ("<plist><array><false/></array></plist>", "true or false"),
    ])
    func filesThatAreNoTextAreNamed(text: String, kind: String) {
        #expect(errors(text).map(\.reason) == [.notText(kind)])
    }

    @Test func bytesThatAreNoTextConcernOneLine() {
        let bytes = Array("a.jpg\n".utf8) + [0xC3, 0x28, 0x0A] + Array("b.jpg".utf8)
        let (entries, errors) = PhotoList(bytes: bytes, origin: .folder(""), name: "list").readAll()
        #expect(entries.map(\.place) == ["a.jpg", "b.jpg"])
        #expect(errors.map(\.reason) == [.notUTF8] && errors.map(\.position) == [.line(2)])
    }

    @Test(arguments: [("url\n\"a", 2), ("url\n\"a\"b", 2), ("url\na\"b\"", 2)])
    func brokenTablesAreRefusedWhereTheyBreak(text: String, line: Int) {
        let found = errors(text)
        #expect(
            found.count == 1 && found.first?.endsList == true && found.first?.position == .line(line),
            "\(text): \(found)")
    }

    @Test(arguments: [
        "[\"a.jpg\",\n\"b.jpg\"", "[\"a.jpg\"]\n]", "{\"A\":\n\"\\x\"}", "[\"a\nb\"]", "[\"\\ud83d\"]",
        "[\"a\", 01]", "<plist>\n<array><string>a</array></plist>", "<html>", "<plist><array>",
        "<plist><dict><string>a</string></dict></plist>",
        "<plist><array><string>&nbsp;</string></array></plist>",
        "<plist><string>a</string></plist>", "bplist00",
        "bplist00\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    ])
    func brokenDocumentsAreRefusedAsAWhole(text: String) {
        let found = errors(text)
        guard found.count == 1, case .malformed = found[0].reason else {
            Issue.record("\(text): \(found)")
            return
        }
        #expect(found[0].endsList)
    }

    @Test func syntaxErrorsNameTheirPosition() {
        #expect(
            errors("[\"a.jpg\",\n\"b.jpg\" x]").map(\.description) == [
                "list, line 2: this is not JSON that can be read: expected ',' or ']' here."
            ])
    }

    @Test func entitiesAreNotRead() {
        for type in [
            "<!DOCTYPE plist [<!ENTITY x \"aaaa\">]>",
            "<!DOCTYPE plist [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>",
        ] {
            let found = PhotoList(type + "<plist><array><string>&x;</string></array></plist>").readAll()
            #expect(found.entries.isEmpty && found.errors.count == 1, "\(type)")
        }
    }

    @Test func entriesAreOfBoundedLength() {
        let long = String(repeating: "a", count: 40_000)
        for text in [
            long, "[\"\(long)\"]", "url\n\(long)", "<plist><array><string>\(long)</string></array></plist>",
        ] {
            #expect(errors(text).map(\.reason) == [.entryTooLong(limit: 32 << 10)])
        }
        #expect(errors("#" + long + "\na.jpg") == [])
    }

    @Test func deepNestingNeedsNoStack() {
        let deep = 1_000_000
        #expect(errors("[{\"x\": " + String(repeating: "[", count: deep)).count == 1)
        #expect(
            errors("<plist><array>" + String(repeating: "<array>", count: deep)).map(\.reason) == [.tooDeep])
        #expect(
            errors("<plist>" + String(repeating: "<dict><key>x</key>", count: deep)).map(\.reason) == [
                .tooDeep
            ])
    }

    @Test(arguments: [
        "<array><!-- > </array> -->", "<array><![CDATA[ > </array> ]]>", "<array><? > </array> ?>",
        "<array><!DOCTYPE x [ > </array> ]>",
    ])
    func noMarkupHidesDepth(level: String) {
        let found = errors("<plist>" + String(repeating: level, count: 200_000))
        #expect(found.count == 1, "\(found)")
    }

    @Test func unclosedTagsTakeLinearTime() {
        #expect(errors("<plist>" + String(repeating: "<", count: 4_000_000)).count == 1)
    }

    @Test func aListFromTheNetworkNamesNoLocalFiles() throws {
        let base = try #require(URL(string: "https://host/lists/photos.txt"))
        let (entries, errors) = PhotoList(
            "a.jpg\n/etc/passwd\nfile:///etc/passwd\n../b.jpg", origin: .remote(base)
        ).readAll()
        #expect(
            entries.map(\.place) == [
                "https://host/lists/a.jpg", "https://host/etc/passwd", "https://host/b.jpg",
            ])
        #expect(errors.map(\.reason) == [.localFileInRemoteList("file:///etc/passwd")])
    }

    @Test func messagesNameTheListAndTheLine() {
        #expect(
            errors("a.jpg\nftp://host/a.jpg").first?.description
                == "list, line 2: 'ftp://host/a.jpg' is neither http, https, s3 nor file.")
        let error = #expect(throws: ListError.self) { try PhotoList(path: "/nowhere/list.txt") }
        #expect(
            error?.description == "/nowhere/list.txt: the list cannot be read: No such file or directory.")
    }

    @Test(arguments: [
        ("Beach,https://host/a.jpg\nRose,https://host/b.jpg", "name,url"),
        ("https://host/a.jpg,Beach\r\nhttps://host/b.jpg,Rose", "url,name"),
        ("Beach,2024,https://host/a.jpg", "name,column2,url"),
        ("\"Rose, red\",\"https://host/a.jpg\"", "name,url"),
    ])
    func aTableWithoutAHeaderIsToldInOneLine(text: String, header: String) {
        #expect(
            errors(text).map(\.description) == [
                "list, line 1: this looks like CSV without a header. Add a first line that names the columns, "
                    + "such as '\(header)'."
            ])
    }

    @Test(arguments: [
        ("Name,Address\nx,https://host/a.jpg", "the header names 'Name', 'Address', and no column 'url'."),
        ("Name;Address\nx;https://host/a.jpg", "the header names 'Name', 'Address', and no column 'url'."),
    ])
    func anotherTableIsToldInOneLine(text: String, message: String) {
        let found = errors(text)
        #expect(found.count == 1 && found[0].description.hasPrefix("list, line 1: \(message)"), "\(found)")
    }

    @Test func aListNamedCSVNeedsAColumnURL() {
        func read(_ text: String, name: String) -> (entries: [Named], errors: [ListError]) {
            PhotoList(bytes: Array(text.utf8), origin: .folder(""), name: name).readAll()
        }
        for name in ["lists/x.csv", "X.CSV"] {
            #expect(
                read("photo,title\na.jpg,A", name: name).errors.map(\.description) == [
                    "\(name), line 1: the header names 'photo', 'title', and no column 'url'. Name the addresses' "
                        + "column so."
                ])
        }
        let text = read("photo,title\na.jpg,A", name: "x.txt")
        #expect(text.entries.map(\.place) == ["photo,title", "a.jpg,A"] && text.errors == [])
        for entry in ["a.jpg", "Smith, John.jpg", "https://host/a?b,c"] {
            #expect(read(entry, name: "x.csv").entries.map(\.place) == [entry])
        }
    }

    @Test func commasInNamesMakeNoTable() {
        let names = ["Smith, John.jpg", "a,b.jpg", "https://host/w_300,h_200/a.jpg", "https://host/a?b,c"]
        for name in names {
            let (entries, errors) = PhotoList(name, origin: .folder("")).readAll()
            #expect(entries.map(\.place) == [name] && errors == [])
        }
    }

    @Test func otherFilesAreNoLists() throws {
        let photos = [FirstBytes.jpeg, FirstBytes.png]
        for bytes in photos {
            let found = PhotoList(bytes: bytes, origin: .folder(""), name: "a").readAll().errors
            #expect(
                found.map(\.description)
                    == ["a: this is a photo, not a list of photos. Use it as a photo."])
        }
        let archive = Array("PK\u{3}\u{4}\u{14}\0\u{6}\0".utf8) + Array(repeating: 0xC8, count: 100)
        let found = PhotoList(bytes: archive, origin: .folder(""), name: "a.xlsx").readAll().errors
        #expect(found.map(\.reason) == [.notAList("a ZIP archive")])
        // As 'find -print0' writes it.
        #expect(PhotoList("BMW/1.jpg\0b.jpg\0").readAll().errors == [])
    }

    @Test(arguments: [
        "http://user:secret@[bad/z.jpg", "ftp://user:secret@host/z.jpg", "file://user:secret@host/z.jpg",
        "http://user:secret@/z.jpg", "https://host/z.jpg\u{7}?token=secret", "s3://user:secret@bucket/z.jpg",
    ])
    func messagesShowNoPasswords(text: String) throws {
        let base = try #require(URL(string: "https://host/lists/photos.txt"))
        for origin in [ListOrigin.folder(""), .remote(base)] {
            let found = errors(text, origin: origin)
            #expect(found.count == 1 && !"\(found)".contains("secret"), "\(found)")
        }
    }

    @Test func relativePathsAreRelativeToTheListsFolder() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("a.jpg\nsub/b.jpg\n/x/c.jpg\n".utf8), to: "lists/all.txt")
        #expect(
            try PhotoList(path: path).readAll().entries.map(\.place)
                == [folder.path("lists/a.jpg"), folder.path("lists/sub/b.jpg"), "/x/c.jpg"])
    }
}
