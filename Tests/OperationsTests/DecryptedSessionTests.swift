import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeOperations
@testable import TintypeSessions

/// Photos that are decrypted between their download and their filter.
struct DecryptedSessionTests {
    private struct Refusal: Error {}

    @Test(arguments: [PhotoSession.Order.perPhoto, .barrier])
    func theDecryptedImageTakesTheDownloadedOnesPlace(order: PhotoSession.Order) async throws {
        let test = ImageSession(
            6, { ($0.order, $0.keepsDownloadedImages) = (order, true) }, decrypt: { _, _ in })
        test.session.start()
        #expect(await test.rested()?.filtered == 6)
        for item in 0..<6 {
            let steps = test.done.value.filter { $0.hasSuffix(" \(item)") }
            #expect(steps == ["download \(item)", "decrypt \(item)", "filter \(item)"])
            #expect(try test.session.records[item].snapshot.original?.bytes().first == 255)
        }
        if order == .barrier {
            let steps = test.done.value
            let lastDecryption = try #require(steps.lastIndex { $0.hasPrefix("decrypt") })
            let firstFilter = try #require(steps.firstIndex { $0.hasPrefix("filter") })
            #expect(lastDecryption < firstFilter)
        }
    }

    @Test func aDecryptionOutOfViewIsCancelled() async throws {
        let gate = Gate()
        let test = ImageSession(6, decrypt: { item, operation in if item < 2 { gate.wait(operation) } })
        test.session.show(visible: [0, 1])
        #expect(await eventually { gate.waiting == 2 })
        test.session.show(visible: [4])
        #expect(await test.rested()?.filtered == 1)
        #expect(test.count("decrypt") == 1 && test.items(.new) == [0, 1, 2, 3, 5])
        gate.open()
        test.session.show(visible: [0])
        #expect(await test.rested(2)?.filtered == 2)
        #expect(test.items(.filtered) == [0, 4])
    }

    @Test func aPhotoThatCannotBeDecryptedFailsAndIsDownloadedAgain() async throws {
        let isRefused = Shared(true)
        let test = ImageSession(2, decrypt: { item, _ in if item == 1, isRefused.value { throw Refusal() } })
        test.session.start()
        #expect(await test.rested()?.failed == 1)
        #expect(test.items(.failed) == [1] && test.items(.filtered) == [0])
        isRefused.change { $0 = false }
        test.session.retry(1)
        #expect(await test.rested(2)?.filtered == 2)
        #expect(test.done.value.filter { $0 == "download 1" }.count == 2)
    }

    @Test func anotherFilterDecryptsNothingAnew() async throws {
        let test = ImageSession(4, { $0.keepsDownloadedImages = true }, decrypt: { _, _ in })
        test.session.start()
        _ = await test.rested()
        test.session.refilter(with: test.steps(mark: 2))
        _ = await test.rested(2)
        test.session.start()
        #expect(await test.rested(3)?.filtered == 4)
        #expect(test.count("decrypt") == 4 && test.count("download") == 4)
        #expect(test.session.records.allSatisfy { $0.snapshot.mark == 2 })
    }
}
