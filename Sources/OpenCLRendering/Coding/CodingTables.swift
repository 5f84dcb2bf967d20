import TintypeImaging
import TintypeLocking
import TintypeRendering

/// What the headers of photos and outputs say, in a device's memory. Photos of one camera have few headers, so they are kept.
final class CodingTables: Sendable {
    private struct DecoderKey: Hashable {
        let header: [UInt8]
        let divisor: Int
        let layout: PixelLayout
    }

    private let decoders = Locked<[DecoderKey: Kept<JPEGDecoderTables>]>([:])
    private let encoders = Locked<[[UInt8]: Kept<JPEGEncoderTables>]>([:])
    /// A header's tables take some 100 KB.
    private static let keptCount = 64

    // @unchecked: immutable.
    private struct Kept<Tables>: @unchecked Sendable {
        /// Nil if the kernels do not know such images.
        let tables: Tables?
    }

    /// - Returns: nil if the kernels do not know such images.
    func decoder(
        _ header: [UInt8], reducedBy divisor: Int, to layout: PixelLayout, _ device: OpenCLDevice
    ) throws -> JPEGDecoderTables? {
        let key = DecoderKey(header: header, divisor: divisor, layout: layout)
        return try Self.tables(key, in: decoders, device) { () throws(DeviceError) in
            try JPEGDecoderTables(header, reducedBy: divisor, to: layout, device)
        }
    }

    /// - Returns: nil if the kernels do not know such images.
    func encoder(_ header: [UInt8], _ device: OpenCLDevice) throws -> JPEGEncoderTables? {
        try Self.tables(header, in: encoders, device) { () throws(DeviceError) in
            try JPEGEncoderTables(header, device)
        }
    }

    private static func tables<Key: Hashable & Sendable, Tables>(
        _ key: Key, in all: borrowing Locked<[Key: Kept<Tables>]>, _ device: OpenCLDevice,
        _ make: @escaping () throws(DeviceError) -> Tables?
    ) throws -> Tables? {
        if let kept = all.withLock({ $0[key] }) { return kept.tables }
        let kept = try DriverThread(device.watch).run { () throws(DeviceError) in
            Kept(tables: try make())
        }
        all.withLock { all in
            if all.count >= keptCount { all = [:] }
            all[key] = kept
        }
        return kept.tables
    }
}
