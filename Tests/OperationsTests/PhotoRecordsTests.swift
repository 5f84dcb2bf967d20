import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeOperations
@testable import TintypePhotos
@testable import TintypeSessions

/// Records that exist only while something is done for them.
struct PhotoRecordsTests {
    private struct Refusal: Error {}

    private let made = Shared(0)

    private func records(_ count: Int) -> PhotoRecords {
        PhotoRecords(count: count) { [made] item in
            made.change { $0 += 1 }
            return PhotoRecord(url: URL(string: "http://127.0.0.1:9/\(item)")!)
        }
    }

    @Test func aRecordExistsWhileItsPhotoIsInProgress() {
        let records = records(3)
        #expect(records.state(of: 1) == nil && made.value == 0)
        let record = records[1]
        #expect(records[1] === record && records.state(of: 1) == .new && made.value == 1)
        records.letGo(of: 1)
        #expect(records[1] !== record && made.value == 2)
    }

    @Test func filteredAndFailedPhotosKeepTheirStates() {
        let records = records(3)
        records.update(0) { $0.move(toFiltered: .placeholder, keepsOriginal: false) }
        records.update(1) { $0.move(toFailed: .notARegularFile, in: .filter, keepsOriginal: false) }
        records.update(2) { $0.move(toDownloaded: .placeholder) }
        for item in 0..<3 { records.letGo(of: item) }
        #expect((0..<3).map { records.state(of: $0) } == [.filtered, .failed, nil])
        #expect(records.map(\.state) == [.filtered, .failed, .new])
        #expect(records[1].error == .notARegularFile)
        records.reset()
        #expect(records.map(\.state) == [.new, .new, .new])
    }

    @Test func aSessionKeepsNoRecordsButThoseInFlight() async throws {
        let test = TestSession(
            records(2000), { $0.window = 8 }, filter: { item, _ in if item == 7 { throw Refusal() } })
        test.session.start()
        #expect(await test.rested() == SessionSummary(filtered: 1999, failed: 1, notDone: 0))
        #expect(made.value == 2000 && test.session.records.keptCount == 0)
        // In the second run nothing is left to do, so no record is made.
        test.session.start()
        #expect(await test.rested(2) == SessionSummary(filtered: 1999, failed: 1, notDone: 0))
        #expect(made.value == 2000 && test.happened.count("filter") == 1999)
    }

    @Test func aRecordIsItselfWhateverItsState() throws {
        let url = try #require(URL(string: "https://example.com/a.jpg"))
        let record = PhotoRecord(url: url), other = PhotoRecord(url: url)
        #expect(record != other && record.id != other.id)
        let known: Set = [record]
        record.move(toFailed: .notARegularFile, in: .download, keepsOriginal: false)
        #expect(known.contains(record) && !known.contains(other))
    }

    @Test func oneRecordIsAppended() async throws {
        let records = TestSession.records(3)
        let test = TestSession(Array(records.dropLast()))
        test.session.append(records[2])
        #expect(try await test.session.run() == SessionSummary(filtered: 3, failed: 0, notDone: 0))
    }
}
