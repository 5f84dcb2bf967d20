import Foundation
import Tintype

/// Filters one photo from JPEG bytes to JPEG bytes, along the same path as `tintype apply`.
struct PhotoPass {
    let jpeg: [UInt8]
    let chain: FilterChain
    let device: any Device
    var jpegCodec = JPEGCodec.best

    /// Seconds that one photo took.
    struct Times {
        var total = 0.0
        var decode = 0.0
        var encode = 0.0
        /// The device's own times, which may overlap the host's. On the CPU, nothing is uploaded or
        /// downloaded, and kernels take the rest of the total.
        var upload = 0.0
        var kernel = 0.0
        var download = 0.0
    }

    /// Bytes of the input's and the output's samples: the least that kernels read and write.
    ///
    /// - Throws: `CodecError`.
    func trafficByteCount() throws -> Int {
        try Self.withPath(jpeg, chain, limits) { path in
            path.plan.geometry.byteCount(path.plan.input)
                + path.plan.outputGeometry.byteCount(path.plan.output)
        }
    }

    /// Calls `body` with a photo's path, from which nothing is read.
    ///
    /// - Parameter device: decodes and encodes what it can; nil gets strips.
    static func withPath<Result>(
        _ jpeg: [UInt8], _ chain: FilterChain, _ limits: DecodeLimits, on device: (any Device)? = nil,
        _ body: (RenderPath) throws -> Result
    ) throws -> Result {
        // An encoder may write its header as soon as it is made.
        let file = try MemoryFile()
        return try withExtendedLifetime(file) {
            let reader = try PhotoReader(bytes: jpeg, limits: limits)
            return try body(RenderPath(reader, Recipe(chain), to: file.descriptor, on: device))
        }
    }

    /// Whether the device decodes the photo and encodes the output itself.
    ///
    /// - Throws: `CodecError`, `DeviceError`.
    func isCodedOnDevice() throws -> Bool {
        try Self.withPath(jpeg, chain, limits, on: device) { path in
            guard case .compressed = path.input, case .compressed = path.target else { return false }
            return true
        }
    }

    /// Seconds of the photo's kernels over samples that stay in the device's memory; nil for the CPU, and for a chain that changes
    /// nothing.
    ///
    /// - Throws: `CodecError`, `DeviceError`, `CancellationError`.
    func residentSeconds(isCancelled: () -> Bool) throws -> Double? {
        guard let device = device.abilities.measuring else { return nil }
        return try Self.withPath(jpeg, chain, limits) {
            try device.secondsOfKernels($0.plan, isCancelled: isCancelled)
        }
    }

    /// - Parameter profiles: whether the device measures its own times, if it can, which may slow it down.
    /// - Throws: `CodecError`, `DeviceError`, `CancellationError`.
    func run(into file: MemoryFile, profiles: Bool = false, isCancelled: () -> Bool) throws -> Times {
        let decoding = Stopwatch(), encoding = Stopwatch(), all = Stopwatch()
        var timings: DeviceTimings?
        try all.measure {
            do {
                timings = try render(into: file, deviceCodes: true, profiles, decoding, encoding, isCancelled)
            } catch is IrregularImage {
                // As `PhotoRun` does.
                timings = try render(
                    into: file, deviceCodes: false, profiles, decoding, encoding, isCancelled)
            }
        }
        var times = Times(
            total: all.total / .seconds(1), decode: decoding.total / .seconds(1),
            encode: encoding.total / .seconds(1))
        if let timings {
            times.upload = Double(timings.upload) / 1e9
            times.kernel = Double(timings.kernels) / 1e9
            times.download = Double(timings.download) / 1e9
        } else {
            times.kernel = times.total - times.decode - times.encode
        }
        return times
    }

    /// - Parameter deviceCodes: whether the device may decode and encode itself.
    private func render(
        into file: MemoryFile, deviceCodes: Bool, _ profiles: Bool, _ decoding: Stopwatch,
        _ encoding: Stopwatch, _ isCancelled: () -> Bool
    ) throws -> DeviceTimings? {
        file.rewind()
        let reader = try decoding.measure { try PhotoReader(bytes: jpeg, limits: limits) }
        let path = try decoding.measure {
            try RenderPath(
                reader, Recipe(chain), to: file.descriptor, on: deviceCodes ? device : nil)
        }
        var timings: DeviceTimings?
        let input = path.input.timed(decoding), target = path.target.timed(encoding)
        switch (input, target) {
        case (.strips(let source), .strips(let sink)):
            if let device = device.abilities.measuring {
                timings = try device.render(
                    path.plan, from: source, to: sink, stripRows: nil, profiles: profiles,
                    isCancelled: isCancelled)
            } else {
                try device.render(path.plan, from: source, to: sink, isCancelled: isCancelled)
            }
        default:
            guard let coding = device.abilities.coding else { preconditionFailure("it takes strips") }
            try coding.render([RenderOutput(path.plan, to: target)], from: input, isCancelled: isCancelled)
        }
        try encoding.measure { try path.finish(isCancelled: isCancelled) }
        return timings
    }

    private var limits: DecodeLimits {
        var limits = Self.limits
        limits.jpegCodec = jpegCodec
        return limits
    }

    /// Without a limit of pixels, because the user chose the photos.
    static let limits: DecodeLimits = {
        var limits = DecodeLimits()
        limits.maxPixels = .max
        return limits
    }()
}

extension RenderInput {
    /// What a device decodes itself is a part of its own time.
    fileprivate func timed(_ stopwatch: Stopwatch) -> RenderInput {
        guard case .strips(let source) = self else { return self }
        return .strips(TimedSource(source, stopwatch))
    }
}

extension RenderPath.Target {
    fileprivate func timed(_ stopwatch: Stopwatch) -> RenderTarget {
        switch self {
        case .strips(let sink): .strips(TimedSink(sink, stopwatch))
        case .compressed(let writer): .compressed(writer.image, writer)
        }
    }
}

extension PhotoGeometry {
    /// Bytes of the photo's samples in a layout, without padding.
    func byteCount(_ layout: PixelLayout) -> Int {
        StripShape(layout: layout, width: width, rowCapacity: height).planes.reduce(0) { sum, plane in
            sum + plane.width * plane.bytesPerSample
                * height.dividedRoundingUp(by: plane.subsampling.vertical)
        }
    }
}
