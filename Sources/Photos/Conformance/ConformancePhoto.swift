import TintypeCodecs
import TintypeFiles
import TintypeImaging

/// A photo that is drawn and encoded in memory, always with the same bytes.
package struct ConformancePhoto: Hashable, Sendable {
    package enum Content: String, CaseIterable, Sendable {
        /// Parts of all others beside each other.
        case mixed, noise, gradient
        case flat = "one colour"
    }

    /// Where a JPEG has restart markers.
    package enum Restarts: Hashable, Sendable {
        case none
        /// After each MCU; in large photos after as few MCUs as `narrow` allows.
        case everyMCU
        case rows(Int)
    }

    let content: Content
    /// A JPEG's planes or grey, or any layout of a PNG.
    let layout: PixelLayout
    let geometry: PhotoGeometry
    let format: PhotoFormat
    var quality: Int
    var optimizesCodes: Bool
    var restarts: Restarts

    package init(
        content: Content, layout: PixelLayout, geometry: PhotoGeometry, format: PhotoFormat,
        quality: Int = 90, optimizesCodes: Bool = false, restarts: Restarts = .none
    ) {
        self.content = content
        self.layout = layout
        self.geometry = geometry
        self.format = format
        self.quality = quality
        self.optimizesCodes = optimizesCodes
        self.restarts = restarts
    }

    /// The size of an MCU in pixels.
    static func mcu(_ layout: PixelLayout) -> (width: Int, height: Int) {
        (8 * layout.subsampling.horizontal, 8 * layout.subsampling.vertical)
    }

    /// The photo's file.
    package func bytes() throws -> [UInt8] {
        switch restarts {
        case .none: return try encoded(geometry, restartRows: nil)
        case .rows(let rows): return try encoded(geometry, restartRows: rows)
        case .everyMCU:
            var file = try JPEGParts(encoded(narrow, restartRows: 1))
            file.setSize((geometry.width, geometry.height))
            return file.bytes
        }
    }

    /// A photo of as many MCUs in fewer columns, in each row as many as an interval has: the encoder knows intervals of whole
    /// rows only, and MCUs of separate intervals may be put together in any number of columns.
    private var narrow: PhotoGeometry {
        let mcu = Self.mcu(layout)
        let count =
            geometry.width.dividedRoundingUp(by: mcu.width)
            * geometry.height.dividedRoundingUp(by: mcu.height)
        let across = (1...count).first { across in
            count % across == 0 && count / across * mcu.height <= PhotoFormat.jpeg.codec.largestSide
        }
        let columns = across ?? count
        return PhotoGeometry(width: columns * mcu.width, height: count / columns * mcu.height)
    }

    private func encoded(_ geometry: PhotoGeometry, restartRows: Int?) throws -> [UInt8] {
        let photo = drawn(geometry), file = try OpenFile.inMemory()
        let scratch = optimizesCodes ? SharedFile(try OpenFile.inMemory()) : nil
        var settings = PhotoWriterSettings(
            format: format, geometry: geometry, layout: layout, jpegQuality: .value(quality))
        settings.restartRows = restartRows
        settings.scratchDescriptor = scratch?.file.number
        let writer = try PhotoWriter(fileDescriptor: file.number, settings: settings)
        try photo.makeSource().convert(to: writer)
        try writer.finish()
        return try file.firstBytes(file.status().byteCount)
    }

    private func drawn(_ geometry: PhotoGeometry) -> MemoryPhoto {
        let seed = UInt64(geometry.width * 1000 + geometry.height)
        let photo = MemoryPhoto(noise: geometry, layout: layout, seed: seed)
        guard content != .noise else { return photo }
        for (number, plane) in photo.strip.planes.enumerated() {
            let rowCount = geometry.height.dividedRoundingUp(by: plane.subsampling.vertical)
            let byteCount = plane.width * plane.bytesPerSample
            for row in 0..<rowCount {
                let bytes = UnsafeMutableRawBufferPointer(start: plane.row(row), count: byteCount)
                for column in 0..<byteCount {
                    guard let value = value(column: column, row: row, plane: number) else { continue }
                    bytes[column] = value
                }
            }
        }
        return photo
    }

    /// - Returns: nil for noise.
    private func value(column: Int, row: Int, plane: Int) -> UInt8? {
        let contents: [Content?] = [.gradient, .noise, .flat, nil]
        let shown = content == .mixed ? contents[(column / 24 + row / 40) % contents.count] : content
        switch shown {
        case .noise: return nil
        case .gradient:
            let place = (2 * column + 3 * row + 90 * plane) % 510
            return UInt8(place < 256 ? place : 510 - place)
        case .flat: return UInt8(60 + 70 * (plane % 3))
        // Hard edges.
        case .mixed, nil: return (column / 5 + row / 3) % 2 == 0 ? 255 : 0
        }
    }
}

extension ConformancePhoto: CustomStringConvertible {
    package var description: String {
        let size = "\(content.rawValue), \(geometry.width)x\(geometry.height)"
        guard format == .jpeg else { return "\(format.nameWithArticle) of \(size), \(layout.name)" }
        var text =
            "a JPEG of \(size), \(layout.hasColour ? "\(layout.subsampling)" : "grey"), quality \(quality)"
        if optimizesCodes { text += ", codes of its own" }
        switch restarts {
        case .none: break
        case .everyMCU: text += ", restart interval \(narrow.width / Self.mcu(layout).width) MCUs"
        case .rows(let rows): text += ", restart interval \(rows) rows of MCUs"
        }
        return text
    }
}
