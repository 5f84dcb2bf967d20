import Foundation
import TestSupport
import Testing

@testable import TintypeDownload

struct PartialRecordTests {
    /// A file that is replaced by another one lies beside it for a moment, and stays there if a kill comes then.
    @Test func aRecordIsWrittenInPlace() throws {
        let folder = try TemporaryFolder()
        let directory = URL(fileURLWithPath: folder.path("partial"))
        let address = try WebAddress("http://127.0.0.1/a.jpg")
        let partial = try #require(try PartialFile.open(for: address, in: directory))
        func inode() throws -> Int? {
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            let record = try #require(names.first { $0.hasSuffix(".json") })
            let path = directory.appendingPathComponent(record).path
            return try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        }
        let validator = try JSONDecoder().decode(
            StrongValidator.self, from: Data(#"{"text":"\"a\""}"#.utf8))
        try partial.writeRecord(validator: validator, totalByteCount: 10)
        let first = try inode()
        try partial.writeRecord(validator: validator, totalByteCount: 20)
        #expect(try inode() == first)
        #expect(partial.readRecord()?.totalByteCount == 20)
    }

    /// Whoever can write to the folder can plant them; one that waits would end all downloads.
    @Test(arguments: [false, true])
    func aPipeOrALinkInARecordsPlaceIsNone(isLink: Bool) throws {
        let folder = try TemporaryFolder()
        let address = try WebAddress("http://127.0.0.1/a.jpg")
        let partial = try #require(
            try PartialFile.open(for: address, in: URL(fileURLWithPath: folder.path("partial"))))
        let validator = try JSONDecoder().decode(
            StrongValidator.self, from: Data(#"{"text":"\"a\""}"#.utf8))
        try partial.writeRecord(validator: validator, totalByteCount: 10)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("partial"))
        let record = folder.path("partial/\(try #require(names.first { $0.hasSuffix(".json") }))")
        if isLink {
            try FileManager.default.moveItem(atPath: record, toPath: folder.path("elsewhere"))
            try FileManager.default.createSymbolicLink(
                atPath: record, withDestinationPath: folder.path("elsewhere"))
        } else {
            unlink(record)
            #expect(mkfifo(record, 0o600) == 0)
        }
        #expect(partial.readRecord() == nil)
        #expect(throws: DownloadError.self) {
            try partial.writeRecord(validator: validator, totalByteCount: 20)
        }
    }
}
