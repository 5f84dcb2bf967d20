import Foundation
import Logging
import TestSupport
import Tintype

@testable import TintypeOperations
import TintypeSessions

extension Logger {
    /// Failures are counted; nobody reads them.
    static var quiet: Logger {
        var logger = Logger(label: "soak")
        logger.logLevel = .critical
        return logger
    }
}

extension String {
    /// The text behind the last slash.
    var lastName: String { split(separator: "/").last.map(String.init) ?? self }
}

extension Round {
    /// Shows a session to a seeded user, who scrolls, suspends, resumes, cancels and starts again, then lets it end.
    func runSession() async throws -> Tally {
        var tally = Tally()
        var records = addresses.map { PhotoRecord(url: $0) }
        for path in files {
            do {
                records.append(try PhotoRecord(path: path))
            } catch {
                checkFailure(path.lastName, error)
                tally.failed += 1
            }
        }
        let session = makeSession(records)
        mustBeReleased("the session", session)
        mustBeReleased("a record", records[0])
        for _ in 0..<Int.random(in: 0...12, using: &random) { act(on: session, &tally) }
        session.resume()
        session.show(visible: [])
        let summary = try await session.run()
        check(summary.notDone == 0, "\(summary)")
        for record in session.records {
            switch record.state {
            case .filtered: checkOutput(record.name, try record.snapshot.filtered?.bytes())
            case .failed: checkFailure(record.name, record.error)
            case .new, .downloaded: check(false, "\(record.name) is neither done nor failed")
            }
        }
        tally.done = summary.filtered
        tally.failed += summary.failed
        tally.photos = tally.done + tally.failed
        check(tally.photos == Soak.photosOfRound, "\(tally.photos) photos")
        return tally
    }

    private func makeSession(_ records: [PhotoRecord]) -> PhotoSession {
        var configuration = PhotoSession.Configuration()
        configuration.order = Bool.random(using: &random) ? .barrier : .perPhoto
        configuration.window = Int.random(in: 4...64, using: &random)
        configuration.keepsDownloadedImages = Bool.random(using: &random)
        let steps = PhotoSteps(
            downloadingThrough: downloader, filteringThrough: pipeline, on: pool, logger: .quiet)
        return PhotoSession(
            records, steps: steps, on: .makePrivate(), configuration: configuration, logger: .quiet)
    }

    private func act(on session: PhotoSession, _ tally: inout Tally) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: session.start()
        case 1: session.start(priority: .low)
        case 2:
            session.cancel()
            tally.cancels += 1
        case 3:
            session.suspend()
            tally.suspensions += 1
        case 4: session.resume()
        default:
            let first = Int.random(in: 0..<session.records.count, using: &random)
            session.show(visible: Set(first..<min(first + 12, session.records.count)))
        }
        usleep(UInt32.random(in: 0...30_000, using: &random))
    }
}
