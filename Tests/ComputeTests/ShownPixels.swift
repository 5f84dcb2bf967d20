import TintypeImaging

@testable import TintypeRendering

extension MemoryPhoto {
    /// The values of 16-bit samples by shown row, column and channel, 0...1.
    var shownPixels: [[[Double]]] {
        let samples = samples.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
        let count = samples.count / geometry.pixelCount
        var rows = Array(
            repeating: Array(repeating: [0.0], count: geometry.shownWidth), count: geometry.shownHeight)
        for row in 0..<geometry.height {
            for column in 0..<geometry.width {
                let place = geometry.shownPlace(column: column, row: row)
                let first = count * (row * geometry.width + column)
                rows[place.y][place.x] = samples[first..<first + count].map { Double($0) / 65535 }
            }
        }
        return rows
    }
}
