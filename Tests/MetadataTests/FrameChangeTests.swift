import TestSupport
import Testing
import TintypeImaging

@testable import TintypeMetadata

struct FrameChangeTests {
    private static let photo = PhotoGeometry(width: 400, height: 200)

    @Test func aPartHasThePlacesOfThePart() {
        let change = FrameChange(of: Self.photo).showing(
            columns: 100..<300, rows: 0..<200, as: PhotoGeometry(width: 100, height: 100))
        #expect(change.moved(FrameChange.Point(x: 0.5, y: 0.25)) == FrameChange.Point(x: 0.5, y: 0.25))
        let box = FrameChange.Box(x: 0.125, y: 0.5, width: 0.25, height: 0.25)
        #expect(change.moved(box) == FrameChange.Box(x: -0.25, y: 0.5, width: 0.5, height: 0.25))
        #expect(change.moved(box).visible == FrameChange.Box(x: 0, y: 0.5, width: 0.25, height: 0.25))
        #expect(change.moved(FrameChange.Box(x: 0, y: 0, width: 0.25, height: 1)).visible == nil)
        #expect(change.pixelScale == 0.5 && !change.keepsShares && !change.isIdentity)
    }

    @Test func onlyWhatShowsTheWholePhotoKeepsShares() {
        let whole = FrameChange(of: Self.photo), smaller = PhotoGeometry(width: 100, height: 50)
        #expect(whole.isIdentity && whole.keepsShares && !whole.isMirrored)
        #expect(!whole.resized(to: smaller).isIdentity && whole.resized(to: smaller).keepsShares)
        let stretched = whole.resized(to: PhotoGeometry(width: 100, height: 100))
        #expect(stretched.keepsShares && stretched.pixelScale == nil)
        // A crop of the left half, and a frame that brings the size back.
        let moved = whole.showing(
            columns: 0..<200, rows: 0..<200, as: PhotoGeometry(width: 200, height: 200)
        ).showing(columns: -100..<300, rows: 0..<200, as: Self.photo)
        #expect(!moved.isIdentity && moved.output == Self.photo)
        #expect(moved.moved(FrameChange.Point(x: 0.25, y: 1)) == FrameChange.Point(x: 0.5, y: 1))
    }

    /// The reference is where viewers show each stored pixel.
    @Test(arguments: Orientation.allCases)
    func aTurnedPhotoHasItsPlacesWhereTheyAreShown(orientation: Orientation) {
        let stored = PhotoGeometry(width: 7, height: 5, orientation: orientation)
        let change = FrameChange(of: stored).upright()
        #expect(change.output == stored.upright && change.swapsAxes == orientation.swapsAxes)
        #expect(change.keepsShares == (orientation == .up))
        let mirrored: Set<Orientation> = [.upMirrored, .downMirrored, .leftMirrored, .rightMirrored]
        #expect(change.isMirrored == mirrored.contains(orientation))
        for row in 0..<5 {
            for column in 0..<7 {
                let point = change.moved(
                    FrameChange.Point(x: (Double(column) + 0.5) / 7, y: (Double(row) + 0.5) / 5))
                let shown = stored.shownPlace(column: column, row: row)
                let x = point.x * Double(stored.shownWidth), y = point.y * Double(stored.shownHeight)
                #expect(abs(x - Double(shown.x) - 0.5) < 1e-9 && abs(y - Double(shown.y) - 0.5) < 1e-9)
            }
        }
    }
}
