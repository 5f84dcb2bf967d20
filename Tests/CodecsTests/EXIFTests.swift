import Imaging
import Testing

@testable import Codecs

struct EXIFTests {
    /// A TIFF stream of 16- and 32-bit words in either byte order.
    struct Words {
        let isBigEndian: Bool
        var bytes: [UInt8]

        init(isBigEndian: Bool) {
            self.isBigEndian = isBigEndian
            bytes = isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
            short(42)
        }

        mutating func short(_ value: Int) { add(value, 2) }
        mutating func long(_ value: Int) { add(value, 4) }

        /// Tag, type SHORT (3) or LONG (4), count 1, value.
        mutating func entry(_ tag: Int, _ type: Int, _ value: Int) {
            short(tag)
            short(type)
            long(1)
            if type == 3 {
                short(value)
                short(0)
            } else {
                long(value)
            }
        }

        private mutating func add(_ value: Int, _ count: Int) {
            let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            bytes += isBigEndian ? little.reversed() : little
        }
    }

    /// As cameras write it: a first directory at 8, EXIF's at 50, the thumbnail's at 80, the thumbnail at
    /// 110.
    static func camera(isBigEndian: Bool, thumbnail: Bool = true) -> [UInt8] {
        var words = Words(isBigEndian: isBigEndian)
        words.long(8)
        words.short(3)
        words.entry(0x0112, 3, 6)
        words.entry(0x0100, 4, 4000)
        words.entry(0x8769, 4, 50)
        words.long(thumbnail ? 80 : 0)
        words.short(2)
        words.entry(0xA002, 3, 4000)
        words.entry(0xA003, 4, 3000)
        words.long(0)
        guard thumbnail else { return words.bytes }
        words.short(2)
        words.entry(0x0201, 4, 110)
        words.entry(0x0202, 4, 20)
        words.long(0)
        return words.bytes + [UInt8](repeating: 0xAB, count: 20)
    }

    @Test(arguments: Orientation.allCases, [true, false])
    func readsTheOrientation(orientation: Orientation, isBigEndian: Bool) throws {
        var words = Words(isBigEndian: isBigEndian)
        words.long(8)
        words.short(1)
        words.entry(0x0112, 3, orientation.rawValue)
        words.long(0)
        #expect(EXIF(bytes: words.bytes)?.orientation == orientation)
        #expect(EXIF(orientation: orientation).orientation == orientation)
        if isBigEndian { #expect(EXIF(orientation: orientation).bytes == words.bytes) }
    }

    @Test(arguments: [0, 9, 65535])
    func noOtherNumberIsAnOrientation(number: Int) {
        var words = Words(isBigEndian: false)
        words.long(8)
        words.short(1)
        words.entry(0x0112, 3, number)
        words.long(0)
        #expect(EXIF(bytes: words.bytes)?.orientation == nil)
    }

    @Test(arguments: [true, false])
    func theThumbnailIsCutOff(isBigEndian: Bool) throws {
        let exif = try #require(EXIF(bytes: Self.camera(isBigEndian: isBigEndian)))
        #expect(exif.withoutThumbnail().bytes == Self.camera(isBigEndian: isBigEndian, thumbnail: false))
        #expect(exif.withoutThumbnail().withoutThumbnail() == exif.withoutThumbnail())
    }

    /// Where something that is kept lies behind the thumbnail, offsets must not move.
    @Test func aThumbnailInTheMiddleLosesItsPointer() throws {
        var words = Words(isBigEndian: true)
        words.long(8)
        words.short(1)
        words.entry(0x8769, 4, 50)
        words.long(26)
        words.short(1)
        words.entry(0x0201, 4, 44)
        words.long(0)
        words.bytes += [1, 2, 3, 4, 5, 6]
        words.short(1)
        words.entry(0xA002, 3, 10)
        words.long(0)
        var expected = words.bytes
        expected.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        #expect(EXIF(bytes: words.bytes)?.withoutThumbnail().bytes == expected)
    }

    @Test(arguments: [true, false])
    func theSizeIsUpdatedWhereItStands(isBigEndian: Bool) throws {
        let exif = try #require(EXIF(bytes: Self.camera(isBigEndian: isBigEndian)))
        let resized = exif.withPixelSize(width: 2001, height: 1502)
        var words = Words(isBigEndian: isBigEndian)
        words.long(8)
        words.short(3)
        words.entry(0x0112, 3, 6)
        words.entry(0x0100, 4, 2001)
        words.entry(0x8769, 4, 50)
        words.long(80)
        words.short(2)
        words.entry(0xA002, 3, 2001)
        words.entry(0xA003, 4, 1502)
        #expect(Array(resized.bytes[..<words.bytes.count]) == words.bytes)
        #expect(resized.bytes.count == exif.bytes.count)
    }

    @Test func damagedEXIFNeverCrashes() {
        let bytes = Self.camera(isBigEndian: false)
        var random = SplitMix(seed: 3)
        for count in 0...bytes.count { exercise(Array(bytes[..<count])) }
        for _ in 0..<5000 {
            var damaged = bytes
            for _ in 0..<3 {
                damaged[Int.random(in: 4..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            exercise(damaged)
        }
    }

    private func exercise(_ bytes: [UInt8]) {
        guard let exif = EXIF(bytes: bytes) else { return }
        _ = exif.orientation
        #expect(exif.withoutThumbnail().bytes.count <= bytes.count)
        #expect(exif.withPixelSize(width: 5, height: 6).bytes.count == bytes.count)
    }
}
