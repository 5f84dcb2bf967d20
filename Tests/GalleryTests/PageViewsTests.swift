import TestSupport
import Testing

@testable import TintypeGallery

/// Galleries that are open in several tabs.
struct PageViewsTests {
    @Test func eachPageHasItsOwnView() {
        var views = PageViews()
        views.show(Set(0..<3), on: "a")
        views.show(Set(10..<12), on: "b")
        #expect(views.items == [0, 1, 2, 10, 11])
        views.show(Set(5..<6), on: "a")
        #expect(views.items == [5, 10, 11])
        views.open(30, on: "a")
        views.open(40, on: "b")
        views.show(Set(6..<7), on: "a")
        #expect(views.items == [6, 10, 11, 30, 40] && views.latest == [6, 30])
        #expect(views.hasOpened(30) && !views.hasOpened(6) && views.contains(6) && !views.contains(5))
    }

    @Test func aViewEndsWithTheLastFeedOfItsPage() {
        var views = PageViews()
        views.beginFeed(of: "a")
        views.show(Set(0..<3), on: "a")
        views.show(Set(10..<12), on: "b")
        // The page reconnects before the server learns that the first feed is gone.
        views.beginFeed(of: "a")
        let wasFirstTheLast = views.endFeed(of: "a")
        #expect(!wasFirstTheLast && views.items == [0, 1, 2, 10, 11])
        let wasSecondTheLast = views.endFeed(of: "a")
        #expect(wasSecondTheLast && views.items == [10, 11])
        // It comes back, and reports once more.
        views.beginFeed(of: "a")
        views.show(Set(1..<2), on: "a")
        #expect(views.items == [1, 10, 11])
        let wasThirdTheLast = views.endFeed(of: "a")
        #expect(wasThirdTheLast && views.items == [10, 11] && views.latest == [10, 11])
    }

    @Test func pagesWithoutANameCountTooAndAreTakenForOneWhenTheyScroll() {
        var views = PageViews()
        views.show(Set(0..<12), on: nil)
        views.show(Set(28..<40), on: nil)
        #expect(views.items == Set(0..<12).union(28..<40))
        views.open(50, on: nil)
        views.show(Set(30..<42), on: nil)
        #expect(views.items == Set(0..<12).union(30..<42).union([50]))
    }

    @Test func thereIsALimitOfViews() {
        var views = PageViews()
        for page in 0..<100 {
            views.show(Set(10 * page..<10 * page + 2), on: "\(page)")
            views.show(Set(5000 + 10 * page..<5001 + 10 * page), on: nil)
        }
        let nameless = (96..<100).map { 5000 + 10 * $0 }
        let pages = (88..<100).flatMap { [10 * $0, 10 * $0 + 1] }
        #expect(PageViews.limit == 16 && PageViews.namelessLimit == 4)
        #expect(views.items == Set(nameless + pages))
    }

    @Test func twoPagesAtTwoPlacesBothGetTheirPhotos() async throws {
        try await withGallery(12) { gallery, _ in
            let first = try await Events(gallery, of: "a"), second = try await Events(gallery, of: "b")
            // Nothing is done before both have reported.
            _ = try await gallery.post("/api/session", #"{"action":"suspend"}"#)
            try await gallery.show(0..<2, on: "a")
            try await gallery.show(9..<11, on: "b")
            _ = try await gallery.post("/api/session", #"{"action":"resume"}"#)
            for events in [first, second] {
                _ = try await events.states { states in
                    [0, 1, 9, 10].allSatisfy { states[$0]?.last == "filtered" }
                }
            }
            #expect(gallery.gallery.status.filtered == 4)
        }
    }

    @Test func aPageThatIsClosedAsksForNothingAnyMore() async throws {
        try await withGallery(12) { gallery, _ in
            let second = try await Events(gallery, of: "b")
            _ = try await gallery.post("/api/session", #"{"action":"suspend"}"#)
            do {
                let first = try await Events(gallery, of: "a")
                try await gallery.show(0..<2, on: "a")
                _ = try await first.next()
            }
            try await gallery.show(9..<11, on: "b")
            #expect(await eventually { gallery.gallery.work.withLock { !$0.views.contains(0) } })
            _ = try await gallery.post("/api/session", #"{"action":"resume"}"#)
            _ = try await second.states { states in
                [9, 10].allSatisfy { states[$0]?.last == "filtered" }
            }
            await gallery.status { $0.state == "idle" }
            #expect(gallery.gallery.status.filtered == 2)
        }
    }

    @Test func aPagesNameIsShort() async throws {
        try await withGallery(1) { gallery, _ in
            let name = String(repeating: "a", count: 65)
            let answer = try await gallery.post("/api/visible", #"{"page":"\#(name)","first":0,"count":1}"#)
            #expect(answer?.status == 400)
            #expect(try await gallery.get("/api/events?page=\(name)")?.status == 400)
        }
    }
}
