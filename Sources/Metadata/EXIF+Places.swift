import TintypeImaging

extension EXIF {
    /// A copy for an output that shows the photo in another frame: with its size, and with the subject's place where it is.
    ///
    /// - Parameter lost: gets the subject's place, if it is left out.
    package func moved(by change: FrameChange, _ lost: inout Set<PlaceInPhoto>) -> EXIF {
        var result = self
        let gone = placesOfSubject.filter { entry in
            guard let numbers = place(entry, movedBy: change) else { return true }
            return !result.stream.setNumbers(numbers, of: entry)
        }
        if !gone.isEmpty { lost.insert(.subject) }
        result = result.removing(gone)
        if change.swapsAxes { result.swapResolutions() }
        return result.withPixelSize(width: change.output.width, height: change.output.height)
    }

    /// A copy without the place of the subject, which is in pixels of the photo as it was.
    package func withoutSubjectPlace() -> EXIF { removing(placesOfSubject) }

    /// The entries of a point, a circle or a rectangle: Exif 2.32, 4.6.5.
    private var placesOfSubject: [TIFFStream.Entry] {
        (exifDirectory?.entries ?? []).filter { entry in
            [Tag.subjectArea, Tag.subjectLocation].contains(entry.tag)
                && 2...4 ~= stream.numbers(entry, atMost: 5).count
        }
    }

    private var exifDirectory: TIFFStream.Directory? {
        stream.firstDirectory.flatMap { first in
            stream.subdirectory(Tag.exifDirectory, of: first).flatMap { $0.overlaps(first) ? nil : $0 }
        }
    }

    /// Only EXIF's own directory becomes shorter; all else keeps its position.
    private func removing(_ entries: [TIFFStream.Entry]) -> EXIF {
        guard !entries.isEmpty, let exifDirectory else { return self }
        var result = self
        result.stream.remove(Set(entries.map(\.position)), from: exifDirectory)
        return result
    }

    /// The numbers of the subject's place in the output; nil if it is not there. They are in pixels of the photo as stored: x
    /// and y of the centre, and a diameter or width and height.
    ///
    /// If EXIF has another size than the photo, they are not in the photo's pixels.
    private func place(_ entry: TIFFStream.Entry, movedBy change: FrameChange) -> [Int]? {
        let numbers = stream.numbers(entry, atMost: 4).map(Double.init)
        guard hasSize(of: change.input) else { return nil }
        func share(_ x: Double, _ y: Double) -> FrameChange.Point {
            FrameChange.Point(x: x / Double(change.input.width), y: y / Double(change.input.height))
        }
        let centre = share(numbers[0], numbers[1])
        var place = change.moved(centre), sizes: [Double] = []
        switch numbers.count {
        case 2: break
        case 3:
            guard let scale = change.pixelScale else { return nil }
            sizes = [numbers[2] * scale]
        default:
            let size = share(numbers[2], numbers[3])
            let box = FrameChange.Box(
                x: centre.x - size.x / 2, y: centre.y - size.y / 2, width: size.x, height: size.y)
            guard let visible = change.moved(box).visible else { return nil }
            place = visible.centre
            sizes = [
                visible.width * Double(change.output.width), visible.height * Double(change.output.height),
            ]
        }
        guard place.isInside else { return nil }
        return [place.x * Double(change.output.width), place.y * Double(change.output.height)]
            .map { Int($0.rounded()) } + sizes.map { max(1, Int($0.rounded())) }
    }

    /// Whether EXIF has the size of the photo, or none.
    private func hasSize(of photo: PhotoGeometry) -> Bool {
        func number(_ tag: Int) -> Int? { exifDirectory?.entry(tag).flatMap(stream.number) }
        return number(Tag.pixelXDimension) ?? photo.width == photo.width
            && number(Tag.pixelYDimension) ?? photo.height == photo.height
    }

    /// For columns that become rows.
    private mutating func swapResolutions() {
        for (directory, tags) in [
            (stream.firstDirectory, (Tag.xResolution, Tag.yResolution)),
            (exifDirectory, (Tag.focalPlaneXResolution, Tag.focalPlaneYResolution)),
        ] {
            if let x = directory?.entry(tags.0), let y = directory?.entry(tags.1) {
                stream.swapRationals(x, y)
            }
        }
    }
}

extension PixelDensity {
    /// For columns that become rows.
    package var transposed: PixelDensity { PixelDensity(x: y, y: x, unit: unit) }
}
