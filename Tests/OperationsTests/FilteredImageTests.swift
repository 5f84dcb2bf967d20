import Foundation
import TestSupport
import Testing
import Tintype
import TintypeCryptography
import TintypeLocking

/// One photo from an address to a file, with `await`.
struct FilteredImageTests {
    @Test func filtersAreGivenOneByOneAsAChainOrAsARecipe() async throws {
        let photo = try TestPhoto.png(width: 40, height: 30, seed: 1)
        let image = try EncodedImage(bytes: photo)
        let pool = try await DevicePool.make(.cpu)
        let expected = try filtered(photo, [Sepia(), TiltShift(radius: 3)])
        let chain: FilterChain = [Sepia(), TiltShift(radius: 3)]
        let images = [
            try await image.filtered(by: Sepia(), TiltShift(radius: 3), on: .cpu),
            try await image.filtered(by: Sepia(), TiltShift(radius: 3), on: pool),
            try await image.filtered(by: [Sepia(), TiltShift(radius: 3)], on: pool),
            try await image.filtered(by: chain, on: pool),
            try await image.filtered(by: chain, on: DeviceChoice.cpu),
            try await image.filtered(by: Recipe(chain), on: .cpu),
        ]
        for image in images { #expect(try image.bytes() == expected) }
        let jpeg = try await image.filtered(by: Recipe(chain, format: .jpeg, quality: .value(70)), on: .cpu)
        #expect(jpeg.format == .jpeg)
        #expect(
            try jpeg.bytes() == filtered(photo, Recipe(chain, format: .jpeg, quality: .value(70))))
    }

    @Test func pixelsAreFilteredOneByOneOrByAChain() async throws {
        let pixels = Pixels(
            TestPhoto.samples(width: 9, height: 7, seed: 2), width: 9, height: 7, layout: .rgb8)
        let pool = try await DevicePool.make(.cpu)
        let expected = try await pixels.filtered(by: [Noir(), Invert()], on: .cpu)
        #expect(try await pixels.filtered(by: Noir(), Invert(), on: pool) == expected)
        let chain: FilterChain = [Noir(), Invert()]
        #expect(try await pixels.filtered(by: chain, on: .cpu) == expected)
        #expect(try await pixels.filtered(by: Invert(), on: pool).bytes == pixels.bytes.map { 255 - $0 })
    }

    @Test func aPhotoIsConverted() async throws {
        let png = try TestPhoto.png(width: 12, height: 8, seed: 3)
        let image = try EncodedImage(bytes: png)
        let jpeg = try await image.converted(to: .jpeg, quality: .value(80))
        #expect(try jpeg.bytes() == filtered(png, Recipe([], format: .jpeg, quality: .value(80))))
        let back = try await jpeg.converted(to: .png)
        #expect(back.format == .png)
        #expect(try back.pixels(.rgb8) == jpeg.pixels(.rgb8))
    }

    @Test func aSealedPhotoIsDownloadedOpenedAndFiltered() async throws {
        let photo = try TestPhoto.png(width: 40, height: 30, seed: 4), bytes = [UInt8](1...32)
        let sealed = AES256GCM(key: bytes).seal(photo)
        let server = try FaultServer { _, connection in connection.respond(body: sealed) }
        defer { server.stop() }
        let heard = Locked<[DownloadProgress]>([])
        let image = try await PhotoDownloader.forTests().image(at: server.url("/a")) { progress in
            heard.withLock { $0.append(progress) }
        }
        let sepia = try await image.decrypted(with: DecryptionKey(bytes: bytes)).filtered(
            by: Sepia(), on: .cpu)
        #expect(try sepia.bytes() == filtered(photo, [Sepia()]))
        let last = heard.withLock { $0.last }
        #expect(last?.receivedByteCount == sealed.count && last?.expectedByteCount == sealed.count)
    }

    @Test func anImageThatIsGoneOrTooLargeFails() async throws {
        let server = try FaultServer { request, connection in
            request.target == "/large" ? connection.respond(body: [1, 2, 3]) : connection.respond(404)
        }
        defer { server.stop() }
        let downloader = try PhotoDownloader.forTests()
        await #expect(throws: DownloadError.self) { try await downloader.image(at: server.url("/gone")) }
        await #expect(throws: DownloadError.self) {
            try await downloader.image(at: server.url("/large"), byteLimit: 2)
        }
        #expect(try await downloader.image(at: server.url("/large"), byteLimit: 3).bytes() == [1, 2, 3])
    }

    @Test func aFileIsCompleteAtOnce() async throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: try folder.write([1, 2, 3], to: "a"))
        let heard = Locked<[DownloadProgress]>([])
        _ = try await PhotoDownloader.forTests().image(at: url) { progress in
            heard.withLock { $0.append(progress) }
        }
        #expect(heard.withLock { $0.map(\.receivedByteCount) } == [3])
        #expect(heard.withLock { $0.map(\.expectedByteCount) } == [3])
    }

    @Test func anOperationTellsItsProgress() async throws {
        let server = try FaultServer { _, connection in
            connection.respond(body: Array(repeating: 7, count: 5000))
        }
        defer { server.stop() }
        let heard = Locked<[DownloadProgress]>([])
        let operation = DownloadOperation(server.url(), through: try .forTests())
        operation.onProgress { progress in heard.withLock { $0.append(progress) } }
        #expect(await run([operation]))
        let last = heard.withLock { $0.last }
        #expect(last?.receivedByteCount == 5000 && last?.expectedByteCount == 5000)
    }
}
