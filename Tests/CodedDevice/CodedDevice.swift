import Foundation
import TintypeCPURendering
import TintypeCodecs
import TintypeImaging
import TintypeIsolatedRendering
import TintypeLocking
import TintypeOpenCLRendering
import TintypeRendering

/// A device that decodes and encodes JPEGs itself: this machine's CPU, through the engine's own codec.
///
/// No part of the package knows of this device: tests register it, and everything that a photo can meet must take it.
package final class CodedDevice: HostedDevice, CodingDevice {
    package let info: DeviceInfo
    package var abilities: DeviceAbilities { DeviceAbilities(coding: self) }
    private let faults: @Sendable (_ photo: Int) throws -> Fault?
    private let counts = Locked(Counts())

    package enum Fault: Sendable { case otherBytes, otherSamples }

    /// Photos that were rendered, that the device has decoded, and outputs that it has encoded.
    package struct Counts: Equatable, Sendable {
        package var photos = 0, decoded = 0, encoded = 0

        package init(photos: Int = 0, decoded: Int = 0, encoded: Int = 0) {
            (self.photos, self.decoded, self.encoded) = (photos, decoded, encoded)
        }
    }

    package var made: Counts { counts.withLock(\.self) }

    /// - Parameter faults: called with each photo's number, from 1 on; may fail, or say what is made wrongly.
    package init(
        kind: DeviceInfo.Kind = .accelerator,
        faults: @escaping @Sendable (_ photo: Int) throws -> Fault? = { _ in nil }
    ) {
        info = DeviceInfo(
            identifier: "coded", kind: kind, name: "Coded JPEGs", driver: "JPEGCore", memoryByteCount: 0)
        self.faults = faults
    }

    package func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        counts.withLock { $0.photos += 1 }
        try SIMDDevice().render(plan, from: source, to: sink, isCancelled: isCancelled)
    }

    package func selfTest(_ plan: RenderPlan) throws {}

    package func offer(for work: CodingWork) -> CodingOffer? {
        let plan = work.outputs[0].plan
        return CodingOffer(
            decodes: work.input?.image.format == .jpeg,
            // The codes of the header; it finds none itself.
            encodes: work.outputs.map { $0.image.map(Self.hasCodes) ?? false },
            memory: RenderMemory(stripRows: plan.usualStripRows, byteCount: 10 * plan.geometry.pixelCount))
    }

    private static func hasCodes(_ image: CompressedImage) -> Bool {
        JPEGCompressedHeader(of: image.header, keepsCodes: false)?.bytes != image.header
    }

    package func render(
        _ outputs: [RenderOutput], from input: RenderInput, isCancelled: () -> Bool
    ) throws {
        let number = counts.withLock { counts in
            counts.photos += 1
            return counts.photos
        }
        let fault = try faults(number)
        let photo = try decode(input, outputs[0].plan)
        if fault == .otherSamples { photo.strip.planes[0].row(0).storeBytes(of: 77, as: UInt8.self) }
        for output in outputs {
            do {
                try render(photo, output, fault, isCancelled)
            } catch {
                output.failure = error
            }
        }
        if let failure = outputs.last?.failure, outputs.allSatisfy({ $0.failure != nil }) { throw failure }
    }

    private func decode(_ input: RenderInput, _ plan: RenderPlan) throws -> MemoryPhoto {
        let photo = MemoryPhoto(plan.geometry, layout: plan.input)
        switch input {
        case .strips(let source): try plan.passOn(source, to: photo.makeSink(), isCancelled: { false })
        case .compressed(let image, let divisor, let source):
            let file = image.header + (try source.readAll())
            do {
                let reader = try PhotoReader(bytes: file, limits: DecodeLimits())
                let rows = try reader.makeReducedSource(layout: plan.input, by: divisor)
                try plan.passOn(rows, to: photo.makeSink(), isCancelled: { false })
                guard reader.notes.isEmpty, !reader.hasLateMetadata else { throw IrregularImage() }
            } catch is CodecError {
                throw IrregularImage()
            }
            counts.withLock { $0.decoded += 1 }
        }
        return photo
    }

    private func render(
        _ photo: MemoryPhoto, _ output: RenderOutput, _ fault: Fault?, _ isCancelled: () -> Bool
    ) throws {
        func render(to sink: any StripSink) throws {
            try SIMDDevice().render(
                output.plan, from: photo.makeSource(), to: sink, isCancelled: isCancelled)
        }
        switch output.target {
        case .strips(let sink): try render(to: sink)
        case .compressed(let image, let sink):
            var file = try encode(image, render)
            if fault == .otherBytes { file[file.count - 3] ^= 1 }
            try file.withUnsafeBytes(sink.write)
            counts.withLock { $0.encoded += 1 }
        }
    }

    /// The restart interval in front of the scan's header, in rows of MCUs.
    private static func restartRows(_ bytes: [UInt8], _ header: PhotoReader) -> Int? {
        let interval = bytes.dropLast(header.layout.hasColour ? 14 : 10).suffix(6)
        guard interval.starts(with: [0xFF, 0xDD]) else { return nil }
        let mcuWidth = 8 * header.layout.subsampling.horizontal
        let mcusAcross = header.geometry.width.dividedRoundingUp(by: mcuWidth)
        return interval.suffix(2).reduce(0) { $0 << 8 | Int($1) } / mcusAcross
    }

    /// - Returns: the image's header, and data that fit it.
    private func encode(_ image: CompressedImage, _ render: (any StripSink) throws -> Void) throws -> [UInt8]
    {
        let header = try PhotoReader(bytes: image.header, limits: DecodeLimits())
        guard let coding = header.jpegCoding else { throw IrregularImage() }
        guard let stream = tmpfile() else { throw CodecError.outOfMemory }
        defer { fclose(stream) }
        let spool = FileHandle(fileDescriptor: fileno(stream), closeOnDealloc: false)
        var settings = PhotoWriterSettings(
            format: image.format, geometry: header.geometry, layout: header.layout,
            jpegQuality: .keep(coding))
        settings.restartRows = Self.restartRows(image.header, header)
        let writer = try PhotoWriter(fileDescriptor: spool.fileDescriptor, settings: settings)
        try render(writer)
        try writer.finish()
        try spool.seek(toOffset: 0)
        let file = Array(try spool.readToEnd() ?? Data())
        guard let own = JPEGCompressedHeader(of: file) else { throw IrregularImage() }
        return image.header + file[own.end...]
    }
}

/// Finds one such device.
package final class CodedBackend: DeviceBackend {
    private let device: CodedDevice
    package let report = SearchReport()

    package init(_ device: CodedDevice = CodedDevice()) { self.device = device }

    package func hostedDevices(timeLimit: Duration?) throws(DeviceError) -> [any HostedDevice] { [device] }
}

extension CompressedSource {
    fileprivate func readAll() throws -> [UInt8] {
        var all: [UInt8] = [], part = [UInt8](repeating: 0, count: 100_000)
        while case let count = try part.withUnsafeMutableBytes(read), count > 0 { all += part.prefix(count) }
        return all
    }
}
