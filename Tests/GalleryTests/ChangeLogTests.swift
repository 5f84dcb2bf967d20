import Testing

@testable import TintypeGallery

struct ChangeLogTests {
    @Test func eachPhotoIsToldOnceInTheOrderOfItsFirstChange() {
        let log = ChangeLog()
        for item in [7, 3, 7, 7, 5] { log.add(item: item) }
        let news = log.news(after: 0)
        #expect(news.items == [7, 3, 5])
        #expect(news.cursor == 5)
        #expect(log.news(after: 3).items == [7, 5])
        #expect(log.news(after: 5).items == [])
    }

    @Test func whoHasMissedTooMuchReadsEverythingAgain() {
        let log = ChangeLog()
        for item in 0..<(ChangeLog.capacity + 10) { log.add(item: item % 50) }
        #expect(log.news(after: 9).items == nil)
        #expect(log.news(after: 10).items?.count == 50)
        #expect(log.news(after: -1).items == nil, "a new page")
        #expect(log.news(after: 1_000_000).items == nil, "a number of another run")
        log.addReset()
        #expect(log.news(after: log.cursor - 1).items == nil)
        #expect(log.news(after: log.cursor).items == [])
    }

    @Test func statusIsToldApart() {
        let log = ChangeLog()
        log.add(item: 1)
        log.addStatus()
        log.add(item: 2)
        #expect(log.news(after: 0).items == [1, 2])
        #expect(log.news(after: 0).hasNewStatus)
        #expect(!log.news(after: 2).hasNewStatus)
    }

    @Test func listenersWakeUpForChangesAndTicksUntilTheEnd() async {
        let log = ChangeLog()
        var wakeUps = log.wakeUps().makeAsyncIterator()
        log.add(item: 1)
        log.add(item: 2)
        #expect(await wakeUps.next() != nil)
        log.tick()
        #expect(await wakeUps.next() != nil)
        log.end()
        #expect(await wakeUps.next() == nil)
    }
}

struct LeastUsedCacheTests {
    @Test func theLeastRecentlyUsedAreDropped() {
        let cache = LeastUsedCache<Int, [UInt8]>(byteLimit: 16 << 10) { $0.count }
        let value = [UInt8](repeating: 0, count: 1 << 10)
        for key in 0..<16 { cache[key] = value }
        #expect(cache[0] != nil && cache[16] == nil)
        cache[16] = value
        #expect(cache.byteCount <= 16 << 10)
        #expect(cache[0] != nil, "was used after the others")
        #expect(cache[1] == nil && cache[16] != nil)
        cache[16] = nil
        cache.removeAll()
        #expect(cache[0] == nil && cache.byteCount == 0)
    }
}
