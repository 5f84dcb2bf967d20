import Testing
import TintypeFilters
import TintypeImaging

/// Filters for smaller copies of photos.
struct ProxyChainTests {
    private func scaled(_ text: String, _ share: Double) throws -> FilterChain {
        try FilterChain(parsing: [text]).scaled(by: share)
    }

    @Test(arguments: [
        ("blur:radius=8", "blur:radius=2"), ("blur:radius=0.5%", "blur:radius=0.5%"),
        ("crop:width=800,height=601,x=0.1", "crop:width=200,height=150,x=0.1"),
        ("crop:aspect=3:2", "crop:aspect=3:2"), ("crop:width=1", "crop:width=1"),
        ("resize:width=2048", "resize:width=512"), ("resize:scale=0.5", "resize:scale=0.5"),
        ("border:size=40,colour=#123456", "border:size=10,colour=#123456"),
        ("sepia:intensity=0.3", "sepia:intensity=0.3"),
    ])
    func lengthsInPixelsAreTheSameShare(text: String, expected: String) throws {
        #expect(try scaled(text, 0.25) == FilterChain(parsing: [expected]))
        #expect(try scaled(text, 1) == FilterChain(parsing: [text]))
        try scaled(text, 0.0001).check()
    }

    /// Sizes after the filters are the same share, within a pixel.
    @Test(arguments: [
        "crop:width=700,height=500", "crop:aspect=1:1", "resize:long=900", "border:size=5%",
        "resize:width=300+border:size=20",
    ])
    func sizesAreTheSameShare(text: String) throws {
        let whole = PhotoGeometry(width: 4000, height: 3000), small = PhotoGeometry(width: 500, height: 375)
        let chain = try FilterChain(parsing: [text])
        func size(_ chain: FilterChain, _ photo: PhotoGeometry) -> PhotoGeometry {
            chain.stages(for: photo).reduce(photo) { $1.result(of: $0) }
        }
        let expected = size(chain, whole), result = size(chain.scaled(by: 0.125), small)
        #expect(abs(Double(result.width) - Double(expected.width) / 8) <= 2)
        #expect(abs(Double(result.height) - Double(expected.height) / 8) <= 2)
    }

    @Test func detailNeedsPixels() throws {
        let photo = PhotoGeometry(width: 4000, height: 3000)
        func names(_ text: String, _ share: Double) throws -> [String] {
            try FilterChain(parsing: [text]).needingPixels(of: photo, at: share)
        }
        #expect(try names("sharpen+sepia+median+grain+sharpen", 0.2) == ["sharpen", "median", "grain"])
        #expect(try names("sharpen+median+grain", 1) == [])
        #expect(try names("sharpen:radius=20+grain:size=1%+blur:radius=0.1", 0.2) == [])
        #expect(try names("sharpen:amount=0", 0.2) == [])
        // After a resize, a share of the photo is fewer pixels.
        #expect(try names("grain:size=0.5%", 0.2) == [])
        #expect(try names("resize:long=400+grain:size=0.5%", 0.2) == ["grain"])
    }
}

extension FilterChain {
    fileprivate func scaled(by share: Double) -> FilterChain {
        FilterChain(filters.map { $0.scaled(by: share) })
    }
}
