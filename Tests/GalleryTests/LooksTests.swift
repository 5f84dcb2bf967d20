import Foundation
import TestSupport
import Testing
import Tintype
import TintypeLocking

@testable import TintypeGallery

/// Pictures with filters that are still being set.
struct LooksTests {
    /// The parts of an answer: a photo's number, the whole photo's size, and a file.
    private func frames(_ body: [UInt8]) -> [(
        item: Int, width: Int, height: Int, rough: String, file: [UInt8]
    )] {
        var frames: [(item: Int, width: Int, height: Int, rough: String, file: [UInt8])] = [], start = 0
        while start + 20 <= body.count {
            let head = (0..<5).map { word in
                body[start + 4 * word..<start + 4 * word + 4].reduce(0) { $0 << 8 | Int($1) }
            }
            let names = start + 20, file = names + head[3], end = file + head[4]
            let rough = String(decoding: body[names..<file], as: UTF8.self)
            frames.append((head[0], head[1], head[2], rough, Array(body[file..<end])))
            start = end
        }
        #expect(start == body.count)
        return frames.sorted { $0.item < $1.item }
    }

    private func looks(
        _ gallery: TestGallery, _ photos: [Int], chain: String, longSide: Int = 320
    ) async throws -> [(item: Int, width: Int, height: Int, rough: String, file: [UInt8])] {
        let body = #"{"chain":"\#(chain)","longSide":\#(longSide),"photos":\#(photos)}"#
        let answer = try #require(try await gallery.post("/api/looks", body))
        #expect(answer.status == 200)
        return frames(answer.body)
    }

    @Test func photosInViewAreShownWithOtherFilters() async throws {
        try await withGallery(4) { gallery, folder in
            let events = try await Events(gallery)
            try await gallery.show(0..<3)
            _ = try await events.states { states in (0..<3).allSatisfy { states[$0]?.last == "filtered" } }
            let chain = "sepia:intensity=0.5+crop:width=320,height=240"
            let pictures = try await looks(gallery, [2, 0, 1, 3, 99], chain: chain)
            // There is no photo of the last number.
            #expect(pictures.map(\.item) == [0, 1, 2, 3])
            for picture in pictures {
                #expect(picture.width == 320 && picture.height == 240)
                let size = try PhotoReader(bytes: picture.file, limits: DecodeLimits()).geometry
                #expect(size.width == 320 && size.height == 240)
            }
            let view = try await looks(gallery, [1], chain: "", longSide: 1280)
            #expect(try PhotoReader(bytes: view[0].file, limits: DecodeLimits()).geometry.width == 640)
            #expect(gallery.gallery.looks.byteCount > 0)
            #expect(view[0].rough == "")
            // The recipe is the gallery's own still.
            #expect(gallery.gallery.recipe.withLock { $0.chain.name } == "noir")
        }
    }

    /// A look has the pixels that were asked for, whatever the filters make of the photo's size.
    @Test(arguments: [
        ("crop:width=160,height=120", 160, 160), ("resize:scale=16", 200, 200), ("resize:long=400", 200, 200),
        ("resize", 200, 200), ("crop:width=64,height=48", 64, 200), ("border:size=100", 200, 200),
    ])
    func sizesAreThoseAskedFor(chain: String, expected: Int, asked: Int) async throws {
        try await withGallery(1) { gallery, _ in
            let look = try #require(try await looks(gallery, [0], chain: chain, longSide: asked).first)
            let size = try PhotoReader(bytes: look.file, limits: DecodeLimits()).geometry
            #expect(abs(size.longSide - expected) <= 2, "\(size)")
        }
    }

    @Test func filtersThatNeedPixelsAreNamed() async throws {
        try await withGallery(1) { gallery, _ in
            let look = try await looks(gallery, [0], chain: "grain+sharpen:radius=1+sepia", longSide: 160)
            #expect(look.first?.rough == "grain,sharpen")
        }
    }

    @Test func mistakesAreToldAndNoFileIsRead() async throws {
        try await withGallery(1) { gallery, folder in
            for chain in ["sepia:intensity=2", "nothing", "lut:file=\(folder.path("in/1000.jpg"))"] {
                let answer = try await gallery.post(
                    "/api/looks", #"{"chain":"\#(chain)","longSide":160,"photos":[0]}"#)
                #expect(answer?.status == 422, "\(chain)")
            }
            for body in [
                #"{"chain":"","longSide":"huge","photos":[0]}"#, #"{"chain":"","longSide":160}"#, "[]",
            ] {
                #expect(try await gallery.post("/api/looks", body)?.status == 400)
            }
            let none = try await looks(gallery, [-1, 7], chain: "sepia")
            #expect(none.isEmpty)
            let foreign = try await gallery.post(
                "/api/looks", #"{"chain":"","longSide":160,"photos":[0]}"#,
                headers: ["Origin": "http://example.com"])
            #expect(foreign?.status == 403)
        }
    }

    /// The gallery's own work waits while looks are asked for, and continues afterwards.
    @Test func workWaitsForLooks() async throws {
        try await withGallery(6) { gallery, _ in
            let events = try await Events(gallery)
            try await gallery.show(0..<1)
            _ = try await events.states { $0[0]?.last == "filtered" }
            let queues = gallery.gallery.session.queues
            // A thread of its own sees the pause also where tasks are slow.
            let hasWaited = Locked(false), isOver = Locked(false)
            Thread.detachNewThread {
                while !isOver.withLock({ $0 }) {
                    if queues.isSuspended { hasWaited.withLock { $0 = true } }
                    usleep(1000)
                }
            }
            defer { isOver.withLock { $0 = true } }
            _ = try await looks(gallery, [0], chain: "sepia")
            #expect(await eventually { hasWaited.withLock { $0 } })
            try await gallery.show(0..<6)
            _ = try await events.states { states in (1..<6).allSatisfy { states[$0]?.last == "filtered" } }
            // A pause of the user's own stays.
            _ = try await gallery.post("/api/session", #"{"action":"suspend"}"#)
            _ = try await looks(gallery, [0], chain: "noir")
            try await Task.sleep(for: .milliseconds(800))
            #expect(gallery.gallery.status.state == "suspended" && queues.isSuspended)
        }
    }

    @Test func othersOfTheSameNumberAreForgotten() async throws {
        try await withGallery(1) { gallery, _ in
            let events = try await Events(gallery)
            try await gallery.show(0..<1)
            _ = try await events.states { $0[0]?.last == "filtered" }
            _ = try await looks(gallery, [0], chain: "sepia")
            #expect(gallery.gallery.looks.byteCount > 0)
            _ = try await gallery.post("/api/session", #"{"action":"reset"}"#)
            #expect(gallery.gallery.looks.byteCount == 0)
        }
    }
}
