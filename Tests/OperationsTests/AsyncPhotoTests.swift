import Foundation
import TestSupport
import Testing
import Tintype

/// Photos and pixels filtered with `await`, lists from the network, and a download's response.
struct AsyncPhotoTests {
    @Test func anImageIsFilteredAsAnOperationDoesIt() async throws {
        let photo = try TestPhoto.png(width: 40, height: 30, seed: 3)
        let image = try EncodedImage(bytes: photo)
        let sepia = try await image.filtered(by: [Sepia()], on: .cpu)
        #expect(try sepia.bytes() == filtered(photo, Recipe(FilterChain([Sepia()]))))
        let again = try await image.filtered(by: [Sepia()], on: .named("SIMD"))
        #expect(try again.bytes() == sepia.bytes())
        await #expect(throws: DeviceError.self) { try await image.filtered(by: [], on: .named("warp drive")) }
    }

    @Test func aDamagedImageThrowsWhatIsWrong() async throws {
        let cut = try EncodedImage(
            bytes: Array(try TestPhoto.png(width: 40, height: 30, seed: 4).prefix(500)))
        let error = await #expect(throws: PhotoError.self) { try await cut.filtered(by: [Noir()], on: .cpu) }
        #expect(error == .codec(.truncated))
    }

    @Test(arguments: [
        PixelLayout.interleaved(.grey, .eight), .interleaved(.rgb, .eight), .interleaved(.rgba, .sixteen),
        .yCbCr(.s420), .yCbCr(.s422),
    ])
    func pixelsGoInAndOut(layout: PixelLayout) async throws {
        let geometry = PhotoGeometry(width: 37, height: 21)
        var random = SeededGenerator(seed: 5)
        let bytes = random.bytes(count: Pixels.byteCount(of: geometry, layout: layout))
        let pixels = Pixels(bytes, geometry, layout: layout)
        let same = try await pixels.filtered(by: [], on: .cpu)
        #expect(same == pixels)
        let blurred = try await pixels.filtered(by: [TiltShift(radius: .pixels(3))], on: .cpu)
        #expect(blurred != pixels && blurred.bytes.count == bytes.count)
    }

    @Test func pixelsOfACancelledTaskAreNotFiltered() async throws {
        let geometry = PhotoGeometry(width: 64, height: 64)
        let pixels = Pixels(
            [UInt8](repeating: 9, count: 64 * 64), geometry, layout: .interleaved(.grey, .eight))
        // The task is cancelled before it filters.
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await pixels.filtered(by: [Noir()], on: .cpu)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func noMorePixelsAreFilteredAtOnceThanThereAreCores() async throws {
        let pixels = Pixels(
            [1, 2, 3], PhotoGeometry(width: 1, height: 1), layout: .interleaved(.rgb, .eight))
        let atOnce = SlowFilter.atOnce
        try await withThrowingTaskGroup { group in
            for _ in 0..<40 {
                group.addTask { _ = try await pixels.filtered(by: [SlowFilter()], on: .cpu) }
            }
            try await group.waitForAll()
        }
        #expect(atOnce.value.most <= AvailableMachine.current.processorCount && atOnce.value.now == 0)
    }

    @Test func greyPixelsStayGreyWhateverTheFilter() async throws {
        let size = PhotoGeometry(width: 3, height: 1)
        let grey = Pixels([0, 100, 255], size, layout: .interleaved(.grey, .eight))
        let sepia = try await grey.filtered(by: [Sepia(intensity: 0.8, keep: .none)], on: .cpu)
        // 100 becomes 128, 116, 95 (see the tests of devices), whose luma is 117.2; white is limited to 255, 255, 242.
        #expect(sepia.bytes == [0, 117, 254] && sepia.layout == grey.layout)
    }

    @Test func pixelsAreThoseOfTheFile() async throws {
        let photo = try TestPhoto.png(width: 19, height: 7, seed: 6)
        let pixels = try EncodedImage(bytes: photo).pixels()
        #expect(pixels.bytes == TestPhoto.samples(width: 19, height: 7, seed: 6))
        let png = try EncodedImage(pixels, as: .png)
        #expect(png.format == .png)
        #expect(try png.pixels() == pixels)
        // Pixels in memory and a file are filtered alike.
        let sepia = try await pixels.filtered(by: [Sepia()], on: .cpu)
        #expect(try await png.filtered(by: [Sepia()], on: .cpu).pixels() == sepia)
    }

    @Test func sixteenBitSamplesKeepTheirValues() throws {
        let samples: [UInt16] = [0, 1, 0x1234, 0xFFFF, 256, 255]
        let pixels = Pixels(samples, PhotoGeometry(width: 2, height: 1), .rgb)
        #expect(pixels.samples16 == samples)
        #expect(try EncodedImage(pixels, as: .png).pixels().samples16 == samples)
    }

    @Test func anImageIsWrittenWholeAndReplacesNothingUnasked() throws {
        let folder = try TemporaryFolder()
        let image = try EncodedImage(bytes: try TestPhoto.png(width: 9, height: 9, seed: 7))
        let path = folder.path("new/a.png")
        try image.write(to: path)
        #expect(try folder.read("new/a.png") == image.bytes())
        #expect(throws: PhotoError.outputExists(path: path)) { try image.write(to: path) }
        try image.write(to: path, overwrites: true)
        #expect(folder.files() == ["new/a.png"])
    }

    @Test func aBodyThatIsNoPhotoFailsAtItsDownload() async throws {
        let server = try FaultServer { _, connection in
            connection.respond(200, ["Content-Type: text/html"], body: Array("<!DOCTYPE html><p>Log in".utf8))
        }
        defer { server.stop() }
        let any = DownloadOperation(server.url(), through: try .forTests())
        let photo = DownloadOperation(server.url(), through: try .forTests(), requiresPhoto: true)
        #expect(await run([any, photo]))
        #expect(any.image != nil)
        guard case .failure(.codec(.notAPhoto(_, let looksLike))) = photo.imageResult else {
            Issue.record("\(String(describing: photo.imageResult))")
            return
        }
        #expect(looksLike == "an HTML page")
        #expect(photo.response?.status == 200 && photo.response?.headers["content-type"] == "text/html")
        #expect(photo.response?.finalURL == server.url())
    }

    @Test func aListFromTheNetworkIsAPropertyListOrA404() async throws {
        let list = ["Beach": "beach.jpg", "Rose": "https://elsewhere/rose.jpg"]
        let plist = [UInt8](
            try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0))
        let server = try FaultServer { request, connection in
            request.target == "/photos.plist" ? connection.respond(body: plist) : connection.respond(404)
        }
        defer { server.stop() }
        let downloader = try PhotoDownloader.forTests()
        let found = try await downloader.list(at: server.url("/photos.plist"))
        let first = try #require(try found.next())
        #expect(first.name == "Beach" && first.location == .url(server.url("/beach.jpg")))
        #expect(try found.next()?.location == .url(try #require(URL(string: "https://elsewhere/rose.jpg"))))
        let error = await #expect(throws: DownloadError.self) {
            try await downloader.list(at: server.url("/gone.plist"))
        }
        guard case .httpStatus(_, 404) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func relativeEntriesHaveTheListsPasswordUnlessAnotherServerSendsIt() async throws {
        let list = Array("a.jpg\n/b.jpg\nhttp://elsewhere/c.jpg\n".utf8)
        let server = try FaultServer { request, connection in
            request.target == "/moved"
                ? connection.respond(302, ["Location: /set/list.txt"]) : connection.respond(body: list)
        }
        let target = server.url("/set/list.txt")
        let other = try FaultServer { _, connection in connection.respond(302, ["Location: \(target)"]) }
        defer {
            server.stop()
            other.stop()
        }
        let downloader = try PhotoDownloader.forTests()
        func locations(_ address: String) async throws -> [String] {
            let found = try await downloader.list(at: try #require(URL(string: address)))
            var texts: [String] = []
            while let entry = try found.next() { texts.append(entry.location.text) }
            return texts
        }
        let own = "127.0.0.1:\(server.port)"
        for path in ["/set/list.txt", "/moved"] {
            #expect(
                try await locations("http://me:pa%40ss@\(own)\(path)") == [
                    "http://me:pa%40ss@\(own)/set/a.jpg", "http://me:pa%40ss@\(own)/b.jpg",
                    "http://elsewhere/c.jpg",
                ])
        }
        #expect(
            try await locations("http://me:pa%40ss@127.0.0.1:\(other.port)/list.txt") == [
                "http://\(own)/set/a.jpg", "http://\(own)/b.jpg", "http://elsewhere/c.jpg",
            ])
    }
}

/// Counts how many photos it is made for at once.
private struct SlowFilter: Filter {
    static let name = "slow"
    static let summary = "Waits"
    static let group = FilterGroup.looks
    static let parameters: [Parameter<Self>] = []
    static let atOnce = Shared((now: 0, most: 0))

    func stages(for photo: PhotoGeometry) -> [Stage] {
        Self.atOnce.change { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
        usleep(2000)
        Self.atOnce.change { $0.now -= 1 }
        return []
    }
}
