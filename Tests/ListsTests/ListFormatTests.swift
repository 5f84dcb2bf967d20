import Foundation
import Testing
import Tintype

@testable import Lists

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
