import TintypeFilters
import TintypeImaging
import TintypeRendering
import TintypeStages

/// What a run filters, as far as it decides which device is fastest.
package struct Workload: Sendable {
    /// A pass over a photo of some megapixels.
    struct Pass: Equatable {
        let kind: PassKind
        let megapixels: Double
    }

    /// The filters' names, for messages.
    package let name: String
    /// A typical photo's megapixels.
    package let megapixels: Double
    /// Nil if it is not known, or has no end.
    package let photoCount: Int?
    /// Photos that are decoded, filtered and encoded at once.
    package let workerCount: Int
    /// The passes of each output, apart from its point functions.
    let passes: [[Pass]]
    /// Megapixels of each output, also of those without filters.
    let outputMegapixels: [Double]
    /// Whether a device may decode the photos and encode the outputs itself, if it can.
    let isCodable: Bool
    /// Megapixels after decoding.
    let decodedMegapixels: Double

    /// - Parameters:
    ///   - chains: those of all outputs of a photo.
    ///   - megapixels: a typical photo's.
    ///   - halvesSize: whether photos are decoded to half their width and height.
    ///   - isCodable: whether photos and outputs are files that devices code, and may.
    package init(
        _ chains: [FilterChain], megapixels: Double, photoCount: Int?, workerCount: Int,
        halvesSize: Bool = false, isCodable: Bool = true
    ) {
        self.isCodable = isCodable
        self.megapixels = megapixels
        self.photoCount = photoCount
        self.workerCount = max(1, workerCount)
        let decoded = halvesSize ? megapixels / 4 : megapixels
        decodedMegapixels = decoded
        let photo = Self.geometry(megapixels: decoded)
        let outputs = chains.map { $0.stages(for: photo) }
        passes = outputs.filter { !$0.isEmpty }.map { Self.passes($0, of: photo) }
        outputMegapixels = outputs.map { stages in
            let result = stages.result(of: photo)
            return decoded * Double(result.pixelCount) / Double(photo.pixelCount)
        }
        let names = chains.map(\.name).filter { !$0.isEmpty }
        name = names.count > 1 ? "\(names.count) outputs" : names.first ?? "no filter"
    }

    /// Whether any photo gets to a device.
    package var filters: Bool { !passes.isEmpty }

    private static func passes(_ stages: [Stage], of photo: PhotoGeometry) -> [Pass] {
        var photo = photo
        return stages.compactMap { stage in
            defer { photo = stage.result(of: photo) }
            return PassKind(stage).map { Pass(kind: $0, megapixels: Double(photo.pixelCount) / 1e6) }
        }
    }

    /// The usual ratio of cameras, 4:3.
    private static func geometry(megapixels: Double) -> PhotoGeometry {
        let height = (max(megapixels, 0.001) * 1e6 * 3 / 4).squareRoot()
        return PhotoGeometry(width: max(1, Int(height * 4 / 3)), height: max(1, Int(height)))
    }
}

extension PassKind {
    /// Nil for point functions.
    fileprivate init?(_ stage: Stage) {
        switch stage {
        case .point: return nil
        case .blur(let blur): self = blur.parts.count > 1 ? .lens : .blur
        case .resample: self = .resize
        case .window: self = .window
        }
    }
}

extension DeviceSpeeds {
    /// Seconds of one photo on this device.
    ///
    /// - Returns: nil if a kind of pass was not measured.
    func cost(of workload: Workload) -> (device: Double, host: Double)? {
        var points = (device: 0.0, host: 0.0)
        for _ in workload.passes {
            guard let own = seconds(.points, workload.decodedMegapixels) else { return nil }
            points = (points.device + own.device, points.host + own.host)
        }
        return costOfPasses(workload).map { (points.device + $0.device, points.host + $0.host) }
    }

    /// Seconds of one photo that this device decodes, filters and encodes.
    ///
    /// - Returns: nil if it does not code such photos, or that was not measured.
    func codedCost(of workload: Workload) -> (device: Double, host: Double)? {
        guard workload.isCodable, codecs.contains(where: { $0.deviceSeconds != nil }),
            let device = codecSeconds(of: workload, { $0.deviceSeconds ?? 0 }),
            let host = codecSeconds(of: workload, \.hostSeconds), let passes = costOfPasses(workload)
        else { return nil }
        return (device + passes.device, host + passes.host)
    }

    /// Seconds of all passes but the points.
    private func costOfPasses(_ workload: Workload) -> (device: Double, host: Double)? {
        var device = 0.0, host = 0.0
        for pass in workload.passes.joined() {
            guard let whole = seconds(pass.kind, pass.megapixels), let own = seconds(.points, pass.megapixels)
            else { return nil }
            // Measured with a photo's way in and out, which the points have counted.
            device += max(0, whole.device - own.device)
            host += max(0, whole.host - own.host)
        }
        return (device, host)
    }

    /// The encoder's share of a codec's time: an estimate, because both are measured together.
    private static let encoderShare = 0.6

    /// Seconds of the host for decoding a photo and encoding its outputs; nil if codecs were not measured.
    func codecSeconds(of workload: Workload) -> Double? { codecSeconds(of: workload, \.hostSeconds) }

    private func codecSeconds(of workload: Workload, _ seconds: (Codec) -> Double) -> Double? {
        let points = codecs.map { ($0.megapixels, seconds($0)) }
        guard let photo = Self.interpolated(points, at: workload.megapixels) else { return nil }
        let outputs = workload.outputMegapixels.compactMap { Self.interpolated(points, at: $0) }
        return (1 - Self.encoderShare) * photo + Self.encoderShare * outputs.reduce(0, +)
    }

    private func seconds(_ kind: PassKind, _ megapixels: Double) -> (device: Double, host: Double)? {
        let own = renders.filter { $0.kind == kind }
        guard
            let device = Self.interpolated(own.map { ($0.megapixels, $0.deviceSeconds) }, at: megapixels),
            let host = Self.interpolated(own.map { ($0.megapixels, $0.hostSeconds) }, at: megapixels)
        else { return nil }
        return (device, host)
    }

    /// Linear between measured sizes; proportional to the size above them. Below, a photo takes at most as long as the
    /// smallest, and at least its share of that.
    static func interpolated(_ points: [(size: Double, seconds: Double)], at size: Double) -> Double? {
        let points = points.sorted { $0.size < $1.size }
        guard let first = points.first, let last = points.last, first.size > 0 else { return nil }
        if size >= last.size { return last.seconds * size / last.size }
        let upper = max(1, points.firstIndex { $0.size > size } ?? 1)
        guard upper < points.count else { return first.seconds * size / first.size }
        let (below, above) = (points[upper - 1], points[upper])
        let slope = (above.seconds - below.seconds) / (above.size - below.size)
        let value = below.seconds + slope * (size - below.size)
        guard size < first.size else { return value }
        return min(max(value, first.seconds * size / first.size), first.seconds)
    }
}
