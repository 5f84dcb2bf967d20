import Codecs
import Compute
import Filters
import Foundation
import Imaging
import Tintype

/// What a chain makes of a photo on the SIMD baseline, to compare devices with before they are measured.
struct DeviceCheck {
    let plan: RenderPlan
    private let photo: MemoryPhoto
    private let expected: MemoryPhoto

    /// Where a device's samples differ from the baseline's.
    struct Difference: Error, Equatable, CustomStringConvertible {
        let plane: Int
        let row: Int
        let byte: Int

        var description: String {
            "other bytes than the SIMD baseline, first in plane \(plane), row \(row), byte \(byte)"
        }
    }

    /// - Parameter photo: `jpeg`, decoded.
    /// - Throws: `CodecError`.
    init(_ chain: FilterChain, jpeg: [UInt8], decoded photo: MemoryPhoto) throws {
        let reader = try PhotoReader(bytes: jpeg, limits: PhotoPass.limits)
        plan = try RenderWay(reader, Recipe(chain), to: MemoryFile().descriptor).plan
        self.photo = photo
        expected = MemoryPhoto(plan.geometry, layout: plan.output)
        try SIMDDevice(level: .baseline).render(
            plan, from: photo.makeSource(), to: expected.makeSink(), isCancelled: { false })
    }

    /// - Throws: `Difference`, or what the device throws.
    func run(on device: any Device, isCancelled: () -> Bool) throws {
        let sink = ComparingSink(expected)
        try device.render(plan, from: photo.makeSource(), to: sink, isCancelled: isCancelled)
        // Rows that never came are the first that differ.
        guard sink.nextRow == plan.geometry.height else {
            throw Difference(plane: 0, row: sink.nextRow, byte: 0)
        }
    }

    static func decode(_ photo: BenchmarkPhoto) throws -> MemoryPhoto {
        let reader = try PhotoReader(bytes: photo.jpeg, limits: PhotoPass.limits)
        let decoded = MemoryPhoto(photo.geometry, layout: photo.layout)
        try reader.makeSource(layout: photo.layout).read(into: decoded.strip)
        return decoded
    }
}

/// Compares strips with a photo, and stops at the first difference.
private final class ComparingSink: StripSink {
    private let expected: MemoryPhoto
    private(set) var nextRow = 0
    var layout: PixelLayout { expected.layout }

    init(_ expected: MemoryPhoto) { self.expected = expected }

    func write(_ strip: Strip) throws {
        guard strip.firstRow == nextRow else {
            throw DeviceCheck.Difference(plane: 0, row: nextRow, byte: 0)
        }
        for (index, (plane, other)) in zip(strip.planes, expected.strip.planes).enumerated() {
            let vertical = plane.subsampling.vertical
            for row in 0..<strip.rowCount.dividedRoundingUp(by: vertical) {
                let (got, wanted) = (plane.row(row), other.row(strip.firstRow / vertical + row))
                let byteCount = plane.width * plane.bytesPerSample
                guard memcmp(got, wanted, byteCount) != 0 else { continue }
                let bytes = (got: UnsafeRawPointer(got), wanted: UnsafeRawPointer(wanted))
                let first = (0..<byteCount).first {
                    bytes.got.load(fromByteOffset: $0, as: UInt8.self)
                        != bytes.wanted.load(fromByteOffset: $0, as: UInt8.self)
                }
                throw DeviceCheck.Difference(
                    plane: index, row: strip.firstRow / vertical + row, byte: first ?? 0)
            }
        }
        nextRow = strip.endRow
    }
}
