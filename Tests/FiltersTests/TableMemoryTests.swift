import Testing
import TintypeFilterPictures
import TintypeImaging
import TintypeStages

@testable import TintypeFilters

/// What filters say of the memory that their stages' tables take.
struct TableMemoryTests {
    @Test(arguments: FilterCatalog.all.map { $0.name })
    func masksOfALongPhotoTakeNoMoreThanTheFilterSays(name: String) throws {
        let filter = try FilterCatalog.filter(named: name), length = 20_000
        for photo in [PhotoGeometry(width: 3, height: length), PhotoGeometry(width: length, height: 3)] {
            let byteCount = filter.stages(for: photo).reduce(0) { $0 + $1.maskByteCount }
            #expect(byteCount <= filter.tableBytesPerRow * length)
        }
    }

    @Test func aFilterThatSaysNothingIsJudgedByItsStages() {
        #expect(OwnFilter(blurs: false).tableBytesPerRow == 0)
        #expect(OwnFilter(blurs: true).tableBytesPerRow == 30)
        #expect(TiltShift().tableBytesPerRow == 400 && Resize().tableBytesPerRow == 150)
    }
}

extension Stage {
    fileprivate var maskByteCount: Int {
        guard case .blur(let blur) = self else { return 0 }
        let floats = blur.mask.count + blur.parts.reduce(0) { $0 + $1.mask.count }
        return floats * MemoryLayout<Float>.stride + blur.sigmas.count * MemoryLayout<Double>.stride
    }
}

/// A user's filter, with what the protocol asks for and no more.
private struct OwnFilter: Filter {
    var blurs = false

    static let name = "own"
    static let summary = "A user's filter"
    static let group = FilterGroup.looks
    static let parameters: [Parameter<Self>] = []

    init() {}

    init(blurs: Bool) { self.blurs = blurs }

    func stages(for photo: PhotoGeometry) -> [Stage] {
        blurs ? Blur().stages(for: photo) : Sepia().stages(for: photo)
    }
}
