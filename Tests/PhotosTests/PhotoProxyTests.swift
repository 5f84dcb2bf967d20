import Foundation
import TestSupport
import Testing
import Tintype
import TintypeCodecs

@testable import TintypePhotos

struct PhotoProxyTests {
    /// Waves, so that places, sizes and blurs count, in colours.
    private static func photo(_ geometry: PhotoGeometry, as format: PhotoFormat = .jpeg) throws
        -> EncodedImage
    {
        var bytes: [UInt8] = []
        for row in 0..<geometry.height {
            for column in 0..<geometry.width {
                let x = Double(column) / Double(geometry.width), y = Double(row) / Double(geometry.height)
                bytes += [
                    UInt8(128 + 90 * sin(9 * x + 4 * y)), UInt8(128 + 90 * cos(11 * y - 3 * x * x)),
                    UInt8(40 + 150 * x * y),
                ]
            }
        }
        return try EncodedImage(Pixels(bytes, geometry, layout: .interleaved(.rgb, .eight)), as: format)
    }

    private func pixels(_ bytes: [UInt8]) throws -> (values: [Int], geometry: PhotoGeometry) {
        let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits()), geometry = reader.geometry
        let layout = PixelLayout.interleaved(.rgb, .eight)
        let strip = try Strip(layout: layout, width: geometry.width, rowCapacity: geometry.height)
        try reader.makeSource(layout: layout).read(into: strip)
        return (
            (0..<geometry.height).flatMap { row in
                UnsafeRawBufferPointer(start: strip.planes[0].row(row), count: 3 * geometry.width).map {
                    Int($0)
                }
            }, geometry
        )
    }

    /// What a copy shows is the whole result made smaller.
    @Test(arguments: [
        "sepia", "noir", "exposure:stops=0.7+curves:master=0/0_0.5/0.7_1/1", "blur:radius=12",
        "tilt-shift:radius=10",
        "crop:width=640,height=480,x=0.2,y=0.9", "crop:aspect=1:1+vignette", "border:size=48,colour=#c02040",
        "resize:long=700", "resize:long=700+blur:radius=12", "tintype:grain=0", "bloom",
    ])
    func itShowsWhatTheWholePhotoBecomes(text: String) throws {
        let image = try Self.photo(PhotoGeometry(width: 1280, height: 960))
        let chain = try FilterChain(parsing: [text])
        let proxy = try PhotoProxy(of: image, longSide: 320)
        #expect(proxy.share == 0.25 && proxy.whole == PhotoGeometry(width: 1280, height: 960))
        let picture = try proxy.filtered(by: chain, quality: 95)
        #expect(picture.format == .jpeg)
        let pipeline = PhotoPipeline(Recipe(chain, quality: .value(95)))
        let whole = try pipeline.process(image, on: SIMDDevice()).image
        let (expected, size) = try pixels(whole.bytes()), (values, small) = try pixels(picture.bytes)
        #expect(picture.whole == size)
        // A resize leaves a copy its pixels.
        let share = text.hasPrefix("resize") ? Double(size.width) / Double(small.width) : 4
        #expect(abs(Double(small.width) * share - Double(size.width)) <= 4)
        #expect(abs(Double(small.height) * share - Double(size.height)) <= 4)
        var sum = 0
        for y in 0..<small.height {
            for x in 0..<small.width {
                let row = min(size.height - 1, (2 * y + 1) * size.height / (2 * small.height))
                let column = min(size.width - 1, (2 * x + 1) * size.width / (2 * small.width))
                for channel in 0..<3 {
                    sum += abs(
                        values[3 * (y * small.width + x) + channel]
                            - expected[3 * (row * size.width + column) + channel])
                }
            }
        }
        let mean = Double(sum) / Double(values.count)
        #expect(mean < 3, "\(mean)")
    }

    @Test func aTransparentPhotoIsAPNG() throws {
        var bytes: [UInt8] = []
        for index in 0..<64 * 48 { bytes += [UInt8(index % 251), 20, 90, UInt8(index % 256)] }
        let pixels = Pixels(bytes, PhotoGeometry(width: 64, height: 48), layout: .interleaved(.rgba, .eight))
        let proxy = try PhotoProxy(of: EncodedImage(pixels, as: .png), longSide: 64)
        #expect(proxy.share == 1)
        #expect(try proxy.filtered(by: FilterChain(parsing: ["sepia"])).format == .png)
    }

    /// The same copy is filtered on several threads at once, and an orientation stays.
    @Test func copiesAreFilteredTogether() async throws {
        let jpeg = try TestPhoto.jpeg(EXIF(orientation: .right), width: 640, height: 480, seed: 3)
        let proxy = try PhotoProxy(of: EncodedImage(bytes: jpeg), longSide: 160)
        let texts = (0..<16).map { "sepia:intensity=\(Float($0) / 20)+blur:radius=\($0)" }
        let alone = try texts.map { try proxy.filtered(by: FilterChain(parsing: [$0])).bytes }
        let together = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for (index, text) in texts.enumerated() {
                group.addTask { (index, try proxy.filtered(by: FilterChain(parsing: [text])).bytes) }
            }
            return try await group.reduce(into: [Int: [UInt8]]()) { $0[$1.0] = $1.1 }
        }
        for index in texts.indices { #expect(together[index] == alone[index]) }
        #expect(Set(alone).count == texts.count)
        #expect(try PhotoReader(bytes: alone[0], limits: DecodeLimits()).geometry.orientation == .right)
        #expect(throws: CancellationError.self) {
            _ = try proxy.filtered(by: FilterChain(parsing: ["sepia"])) { true }
        }
    }

    @Test func memoryIsAsked() throws {
        let image = try Self.photo(PhotoGeometry(width: 640, height: 480))
        let proxy = try PhotoProxy(of: image, longSide: 160, memory: MemoryBudget(byteCount: 64 << 20))
        #expect(proxy.byteCount >= 160 * 120 * 3 && proxy.byteCount < 160 * 120 * 4)
        #expect(throws: PhotoError.self) {
            _ = try PhotoProxy(of: image, longSide: 160, memory: MemoryBudget(byteCount: 1000))
        }
    }
}
