import Glibc
import Testing
import TintypeImaging

@testable import TintypeCodecs

/// Progressive files, which libjpeg writes.
extension JPEGCoreTests {
    /// As jpeg_simple_progression has them: components, spectral selection, successive approximation.
    private static let colourScans = [
        "1 2 3: 0-0 0/1", "1: 1-5 0/2", "3: 1-63 0/1", "2: 1-63 0/1", "1: 6-63 0/2", "1: 1-63 2/1",
        "1 2 3: 0-0 1/0", "3: 1-63 1/0", "2: 1-63 1/0", "1: 1-63 1/0",
    ]
    private static let greyScans = [
        "1: 0-0 0/1", "1: 1-5 0/2", "1: 6-63 0/2", "1: 1-63 2/1", "1: 0-0 1/0", "1: 1-63 1/0",
    ]

    @Test(arguments: ChromaSubsampling.common.map { PixelLayout.yCbCr($0) } + [.interleaved(.grey, .eight)])
    func progressiveFilesHaveTheSameSamples(layout: PixelLayout) throws {
        for (width, height) in [(1, 1), (33, 31), (3, 130), (259, 70)] {
            let strip = try noise(layout, width, height)
            let geometry = PhotoGeometry(width: width, height: height)
            let baseline = CodedPlanes(try encoded(strip, geometry, .value(85), .libjpeg), .libjpeg)
            for rows in [nil, 1] {
                let file = try encoded(
                    strip, geometry, .value(85), .best, restartRows: rows, isProgressive: true)
                let place: Comment = "\(width) x \(height), restarts \(String(describing: rows))"
                #expect(CodedPlanes(file, .libjpeg).planes == baseline.planes, place)
                #expect(Self.scans(of: file) == (layout.hasColour ? Self.colourScans : Self.greyScans), place)
                #expect(
                    file.containsSequence([0xFF, 0xC2])
                        && file.containsSequence([0xFF, 0xDD]) == (rows != nil))
            }
        }
    }

    /// Whatever encodes baseline files, and with a file for codes of their own.
    @Test func progressiveFilesAreTheSameWithEveryCodec() throws {
        let strip = try noise(.yCbCr(.s420), 259, 70), geometry = PhotoGeometry(width: 259, height: 70)
        let expected = try encoded(strip, geometry, .value(70), .libjpeg, isProgressive: true)
        for level in Self.levels {
            #expect(
                try encoded(strip, geometry, .value(70), codec(level), isProgressive: true) == expected)
        }
        let scratch = try #require(tmpfile())
        defer { fclose(scratch) }
        #expect(
            try encoded(strip, geometry, .value(70), .best, scratch: fileno(scratch), isProgressive: true)
                == expected)
    }

    private static func scans(of file: [UInt8]) -> [String] {
        var scans: [String] = []
        var position = 2
        while position + 4 <= file.count {
            let marker = file[position + 1], length = Int(file[position + 2]) << 8 | Int(file[position + 3])
            let body = file[(position + 4)..<(position + 2 + length)]
            position += 2 + length
            guard marker == 0xDA else { continue }
            let count = Int(body[body.startIndex]), parameters = Array(body.suffix(3))
            let components = (0..<count).map { "\(body[body.startIndex + 1 + 2 * $0])" }
            scans.append(
                components.joined(separator: " ")
                    + ": \(parameters[0])-\(parameters[1]) \(parameters[2] >> 4)/\(parameters[2] & 15)")
            // Data, with restart markers.
            while position + 1 < file.count,
                file[position] != 0xFF || file[position + 1] == 0 || 0xD0...0xD7 ~= file[position + 1]
            { position += 1 }
        }
        return scans
    }
}

extension [UInt8] {
    fileprivate func containsSequence(_ bytes: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: bytes) }
    }
}
