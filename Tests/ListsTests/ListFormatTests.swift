import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeLists

/// The same photos in every format. The classic tutorial's list is a property list of names and addresses.
struct ListFormatTests {
    static let photos = [
        Named("Rose & Thorn", "https://host/rose.jpg"), Named("Café \"Ü\" 😀", "https://host/a.png?b=1,2"),
        Named("Old House", "lists/old house.jpg"),
    ]

    /// As it would be written, with the location relative where the photo is a file.
    static let targets = ["https://host/rose.jpg", "https://host/a.png?b=1,2", "old house.jpg"]

    static func plist(_ format: PropertyListSerialization.PropertyListFormat, _ value: Any) throws -> [UInt8]
    {
        [UInt8](try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0))
    }

    static var dictionary: [String: String] {
        Dictionary(uniqueKeysWithValues: zip(photos, targets).map { ($0.name ?? "", $1) })
    }

    static var records: [[String: String]] {
        zip(photos, targets).map { ["name": $0.name ?? "", "url": $1] }
    }

    private func read(_ bytes: [UInt8]) -> [Named] {
        let (entries, errors) = PhotoList(bytes: bytes, origin: .folder("lists/"), name: "list").readAll()
        #expect(errors == [])
        return entries
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func propertyListsOfEveryShape(format: PropertyListSerialization.PropertyListFormat) throws {
        #expect(Set(read(try Self.plist(format, Self.dictionary))) == Set(Self.photos))
        #expect(read(try Self.plist(format, Self.targets)) == Self.photos.map { Named(nil, $0.place) })
        #expect(read(try Self.plist(format, Self.records)) == Self.photos)
    }

    @Test(arguments: [[], JSONSerialization.WritingOptions.prettyPrinted])
    func jsonOfEveryShape(options: JSONSerialization.WritingOptions) throws {
        func json(_ value: Any) throws -> [UInt8] {
            [UInt8](try JSONSerialization.data(withJSONObject: value, options: options))
        }
        #expect(Set(read(try json(Self.dictionary))) == Set(Self.photos))
        #expect(read(try json(Self.targets)) == Self.photos.map { Named(nil, $0.place) })
        #expect(read(try json(Self.records)) == Self.photos)
    }

    @Test func jsonEscapes() {
        let list =
            #" [ {"name" : "\u00e9\ud83d\ude00\/\\\"", "width": [1, {"a": [-1.5e3, null]}], "url":"a.jpg"} , "b.jpg" ] "#
        #expect(read(Array(list.utf8)) == [Named("é😀/\\\"", "lists/a.jpg"), Named(nil, "lists/b.jpg")])
    }

    @Test func csvAsRFC4180SaysIt() {
        let list =
            "name,URL\r\n\"Rose, \"\"red\"\"\r\nsecond line\",https://host/a.jpg\r\n,b.jpg\r\nlast,\"c,d.jpg\""
        #expect(
            read(Array(list.utf8)) == [
                Named("Rose, \"red\"\r\nsecond line", "https://host/a.jpg"), Named(nil, "lists/b.jpg"),
                Named("last", "lists/c,d.jpg"),
            ])
        #expect(
            read(Array("url\n/x/a.jpg\n\nb.jpg\n".utf8)) == [
                Named(nil, "/x/a.jpg"), Named(nil, "lists/b.jpg"),
            ])
        #expect(
            read(Array("id,url,name,note\n1,a.jpg,A,\"x\"\n".utf8)) == [Named("A", "lists/a.jpg")])
    }

    /// As a database exports them.
    @Test(arguments: [100, 900])
    func aTableMayHaveManyColumns(count: Int) {
        let others = (0..<count).map { "column number \($0)" }
        let header = (others + ["url", "name"]).joined(separator: ",")
        let record = others.map { _ in "" } + ["a.jpg", "A"]
        #expect(header.utf8.count > 1024)
        for end in ["", "\n"] {
            let list = header + "\n" + record.joined(separator: ",") + end
            #expect(read(Array(list.utf8)) == [Named("A", "lists/a.jpg")])
        }
        #expect(read(Array(header.utf8)) == [])
    }

    @Test(arguments: [";", "\t"])
    func columnsMayBeSeparatedByOtherMarks(mark: String) {
        let list = "name,url\r\n\"Rose, red\",https://host/a.jpg?x=1\r\n,\"b.jpg\"\r\n"
        let own = list.replacingOccurrences(of: "Rose, red", with: "Rose" + mark + " red")
            .replacingOccurrences(of: "e,u", with: "e\(mark)u").replacingOccurrences(
                of: "\",h", with: "\"\(mark)h"
            )
            .replacingOccurrences(of: "\n,\"", with: "\n\(mark)\"")
        #expect(
            read(Array(own.utf8)) == [
                Named("Rose\(mark) red", "https://host/a.jpg?x=1"), Named(nil, "lists/b.jpg"),
            ])
    }

    @Test func objectsAfterEachOtherAreALine() {
        let list =
            "{\"url\": \"a.jpg\", \"name\": \"A\"}\n{\"url\":\"b.jpg\"}\r\n\n{\"x\":[{}],\"url\":\"c.jpg\"}"
        #expect(
            read(Array(list.utf8)) == [
                Named("A", "lists/a.jpg"), Named(nil, "lists/b.jpg"), Named(nil, "lists/c.jpg"),
            ])
        let one = Array("{\"url\": \"a.jpg\", \"name\": \"A\"}\n".utf8)
        for name in ["photos.jsonl", "PHOTOS.NDJSON"] {
            let found = PhotoList(bytes: one, origin: .folder(""), name: name).readAll()
            #expect(found.entries == [Named("A", "a.jpg")] && found.errors == [])
        }
        // In a file of another name, it is a dictionary from name to address.
        #expect(read(one).map(\.name) == ["name", "url"])
    }

    @Test func addressesKeepTheirEscapes() {
        let list = """
            http://host/caf%C3%A9 one.jpg
            http://host/150\u{630}%20x|y.jpg?a=%20 b[1]#c d
            http://host/100%.jpg
            http://[::1]:8080/a%2Fb \u{E9}.jpg
            https://b\u{FC}cher.example/caf%C3%A9 \u{E9}.jpg
            """
        let places = read(Array(list.utf8)).map(\.place)
        #expect(
            places.dropLast() == [
                "http://host/caf%C3%A9%20one.jpg", "http://host/150%D8%B0%20x%7Cy.jpg?a=%20%20b%5B1%5D#c%20d",
                "http://host/100%25.jpg", "http://[::1]:8080/a%2Fb%20%C3%A9.jpg",
            ])
        #expect(places.last?.hasSuffix("/caf%C3%A9%20%C3%A9.jpg") == true)
    }

    @Test func relativeAddressesKeepTheirEscapes() throws {
        let base = try #require(URL(string: "https://host/lists/photos.txt"))
        let (entries, errors) = PhotoList("caf%C3%A9 one.jpg\n//other/%20 .jpg", origin: .remote(base))
            .readAll()
        #expect(errors == [])
        #expect(
            entries.map(\.place) == ["https://host/lists/caf%C3%A9%20one.jpg", "https://other/%20%20.jpg"])
    }

    @Test func textAndItsComments() {
        let list =
            "\u{FEFF}# photos\r\n\r\n  a b.jpg \r\n./#1.jpg\nhttp://host/ä.jpg\n\tfile:///x/a%20b.jpg\n[2020] 1.jpg"
        #expect(
            read(Array(list.utf8)).map(\.place) == [
                "lists/a b.jpg", "lists/./#1.jpg", "http://host/%C3%A4.jpg", "/x/a b.jpg",
                "lists/[2020] 1.jpg",
            ])
        #expect(
            read(Array("[2020] 1.jpg\n{a}.jpg\n".utf8)).map(\.place) == [
                "lists/[2020] 1.jpg", "lists/{a}.jpg",
            ])
    }

    @Test func namesMayBeginWithAnAccent() {
        let list = "/\u{301}a.jpg\nfile:///%CC%81a.jpg\nfile:/\u{301}a.jpg\n"
        #expect(read(Array(list.utf8)).map(\.place) == Array(repeating: "/\u{301}a.jpg", count: 3))
    }

    @Test func zerosSeparateNamesOfAnyKind() {
        let list = " a\u{0}# b\u{0}\u{0}c".utf8
        #expect(read(Array(list)).map(\.place) == ["lists/ a", "lists/# b", "lists/c"])
    }

    /// As 'find -print0' writes them, and as documents escape them.
    @Test func namesMayHaveLineBreaks() {
        let path = "lists/p/line\ntwo.jpg"
        for list in [
            "p/line\ntwo.jpg\0a.jpg\0", #"["p/line\ntwo.jpg", "a.jpg"]"#, "url\n\"p/line\ntwo.jpg\"\na.jpg\n",
            "<plist><array><string>p/line\ntwo.jpg</string><string>a.jpg</string></array></plist>",
        ] {
            #expect(read(Array(list.utf8)).map(\.place) == [path, "lists/a.jpg"], "\(list)")
        }
    }

    /// Two files, or two objects, which Swift's own comparison takes for one.
    @Test(arguments: ["dictionary", "records"])
    func namesThatOnlyLookAlikeAreTwo(shape: String) throws {
        let names = ["caf\u{E9}", "cafe\u{301}", "\u{212B}", "\u{C5}"]
        let members = names.enumerated().map { "<key>\($1)</key><string>\($0).jpg</string>" }.joined()
        let xml = "<plist><dict>\(members)</dict></plist>"
        let json = "{" + names.enumerated().map { "\"\($1)\":\"\($0).jpg\"" }.joined(separator: ",") + "}"
        let places = ["0", "1", "2", "3"].map { "lists/\($0).jpg" }
        for list in [
            Array(xml.utf8), Array(json.utf8),
            BinaryList.dictionary(names, names.indices.map { "\($0).jpg" }),
        ] {
            let found = read(list)
            #expect(found.map(\.place).sorted() == places)
            #expect(Set(found.compactMap { $0.name?.exact }).count == 4)
        }
    }

    @Test func theMarkupOfXMLIsRead() {
        let list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <!-- photos --><plist version="1.0"> <array ><dict><key>name</key><string>&#65;&#x42;&amp;<![CDATA[<C>]]></string>
            <key>size</key><array><integer>1</integer><dict/></array><key>url</key><string>a<!-- b -->.jpg</string ></dict>
            <string/></array></plist>
            """
        let found = PhotoList(list).readAll()
        #expect(found.entries == [Named("AB&<C>", "lists/a.jpg")])
        #expect(found.errors.map(\.reason) == [.noLocation])
    }

    @Test func nothingIsAnEmptyList() {
        for text in ["", "\n\n", "# nothing\n", "[]", " {} ", "url\n", "<plist><array/></plist>"] {
            #expect(read(Array(text.utf8)) == [], "\(text)")
        }
    }

    @Test(
        arguments: [
            ("# x\n\na.jpg", .line(3)), ("name,url\n\nA,a.jpg", .line(3)),
            ("[\n\"b.jpg\",\n\"a.jpg\"]", .entry(2)),
            ("<plist>\n<array>\n<string>a.jpg</string></array></plist>", .entry(1)),
        ] as [(String, ListPosition)])
    func positionsAreTold(text: String, position: ListPosition) throws {
        let list = PhotoList(text)
        var last: ListEntry?
        while let entry = try list.next() { last = entry }
        #expect(last?.position == position)
    }

    @Test func entriesOfADictionaryComeByName() {
        #expect(
            read(Array(#"{"C": "1.jpg", "A": "2.jpg", "B": "3.jpg"}"#.utf8)).map(\.name) == ["A", "B", "C"])
    }

    /// Names as they may be written more than once: alike, with an escape, and with an accent of its own.
    @Test func membersOfTheSameNameAreAllRead() {
        let list =
            #" {"Ros\u00e9":"1.jpg", "{\"," :"4.jpg", "Rosé" : "2.jpg","B":{"B":[":,}","\\",{}],"C":1} ,"Rose\u0301":"3.jpg"} "#
        let (entries, errors) = PhotoList(list).readAll()
        #expect(
            entries == [
                Named("Rosé", "lists/1.jpg"), Named("Rosé", "lists/2.jpg"), Named("Rosé", "lists/3.jpg"),
                Named("{\",", "lists/4.jpg"),
            ])
        #expect(errors.map(\.reason) == [.notText("a dictionary")] && errors.map(\.position) == [.entry(1)])
    }

    /// One text of 32,000 bytes, to which an array refers any number of times.
    @Test func textsThatAreReferredToOftenAreLimited() {
        let text = String(repeating: "a", count: 32_000)
        let list = PhotoList(
            bytes: BinaryList.array(of: text, count: 100_000), origin: .folder(""), name: "a")
        let seconds = threadSeconds {
            let found = list.readAll()
            #expect(found.entries.isEmpty)
            #expect(found.errors.map(\.reason) == [.tooMuchText(limit: DocumentBudget.byteLimit)])
        }
        #expect(seconds < 20)
    }

    @Test func aBinaryListMayReferToItself() {
        // An array whose only element it is, and one that is its own name and value.
        for object in [[0xA1, 0x00], [0xD1, 0x00, 0x00]] as [[UInt8]] {
            let found = PhotoList(bytes: BinaryList.file([object]), origin: .folder(""), name: "a").readAll()
            #expect(found.entries.isEmpty && found.errors.count == 1)
        }
    }

    @Test func longListsTakeOneBuffer() throws {
        // Through a pipe, so that nothing could be mapped or read ahead; the parser sees one buffer at a
        // time.
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let source = OpenFile(owning: ends[0])
        let sink = ends[1]
        Thread.detachNewThread {
            var chunk: [UInt8] = []
            for number in 0..<200_000 {
                chunk += Array("photos/\(number).jpg\n".utf8)
                if chunk.count > 4000 {
                    _ = write(sink, chunk, chunk.count)
                    chunk = []
                }
            }
            _ = write(sink, chunk, chunk.count)
            close(sink)
        }
        let list = PhotoList(source, origin: .folder(""), name: "pipe")
        var count = 0
        while let entry = try list.next() {
            if count % 50_000 == 0 {
                #expect(
                    entry.location == .file(path: "photos/\(count).jpg") && entry.position == .line(count + 1)
                )
            }
            count += 1
        }
        #expect(count == 200_000)
    }
}
