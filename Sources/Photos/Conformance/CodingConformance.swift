import TintypeCodecs
import TintypeCompute
import TintypeImaging
import TintypeRendering

/// Compares what devices decode and encode themselves with the SIMD baseline: whole files, notes and errors.
package struct CodingConformance {
    /// The result of one device that codes.
    package struct Outcome: Sendable {
        package let device: DeviceInfo
        /// Cases with the same outputs as the baseline.
        package internal(set) var equalCount = 0
        /// Of these, cases that the device decoded.
        package internal(set) var decodedCount = 0
        /// Of these, cases of which the device encoded at least one output.
        package internal(set) var encodedCount = 0
        /// Of these, cases that the device was to decode, but left to the CPU as irregular or damaged.
        package internal(set) var irregularCount = 0
        package internal(set) var duration = Duration.zero
        /// The first case that differs, in words; the device got no further cases.
        package internal(set) var difference: String?
    }

    private let devices: [any Device]
    private let parts: [(name: String, cases: [CodingCase])]

    /// Of the run.
    package var caseCount: Int { parts.reduce(0) { $0 + $1.cases.count } }

    /// - Parameters:
    ///   - devices: those that do not code, or refuse a usual photo, are left out.
    ///   - isQuick: each choice is met once, otherwise each two of them.
    ///   - maxPixels: larger photos are left out, for devices that are simulated.
    package init(_ devices: [any Device], isQuick: Bool, maxPixels: Int = .max) {
        self.devices = devices.filter { $0.abilities.coding != nil }
        parts = CodingCases.Part.allCases.map { part in
            let cases = CodingCases.all(part, isQuick: isQuick)
            return (part.rawValue, cases.filter { $0.photo.geometry.pixelCount <= maxPixels })
        }
    }

    /// Whether a device offers to decode or encode a usual photo: one that could may have too little local memory. A device that
    /// fails is compared, which names its case.
    private static func codes(_ device: any Device, _ isCancelled: @escaping @Sendable () -> Bool) -> Bool {
        let test = CodingCases.usual
        guard let bytes = try? test.bytes() else { return true }
        let image = EncodedImage(memory: bytes, format: .jpeg)
        let results = test.results(image, on: device, isCancelled: isCancelled)
        guard let report = try? results[0].get().coding else { return true }
        return report.decodingObstacle != .refused || report.encodingObstacle != .refused
    }

    /// - Parameters:
    ///   - progress: called with the name of each part.
    ///   - isOver: called several times a second; true ends the run.
    /// - Returns: the outcome of each device that codes.
    /// - Throws: what prevents a photo from being made.
    package func outcomes(
        progress: (String) -> Void, isOver: @escaping @Sendable () -> Bool = { false }
    ) throws -> [Outcome] {
        let devices = devices.filter { Self.codes($0, isOver) }
        guard !devices.isEmpty else { return [] }
        var outcomes = devices.map { Outcome(device: $0.info) }
        let baseline = SIMDDevice(level: .baseline)
        for (name, cases) in parts {
            progress(name)
            for test in cases {
                let bytes = try test.bytes()
                let image = EncodedImage(memory: bytes, format: PhotoFormat.detect(bytes.prefix(32)))
                let expected = test.results(image, on: baseline, isCancelled: isOver)
                for (index, device) in devices.enumerated() where outcomes[index].difference == nil {
                    let start = ContinuousClock.now
                    let results = test.results(image, on: device, isCancelled: isOver)
                    outcomes[index].duration += start.duration(to: .now)
                    // Cancelled in between, results say nothing.
                    guard !isOver() else { return outcomes.map(\.concluded) }
                    try outcomes[index].compare(test, results, expected)
                }
            }
        }
        return outcomes.map(\.concluded)
    }
}

extension CodingConformance.Outcome {
    fileprivate mutating func compare(
        _ test: CodingCase, _ results: [CodingCase.Result], _ expected: [CodingCase.Result]
    ) throws {
        if let found = try CodingCase.difference(results, from: expected) {
            difference = "\(test): \(found)"
            return
        }
        equalCount += 1
        let reports = results.compactMap { try? $0.get().coding }
        if reports.contains(where: { $0.decodingObstacle == nil }) { decodedCount += 1 }
        if reports.contains(where: { $0.encodingObstacle == nil }) { encodedCount += 1 }
        // Only the CPU finds damage.
        let isDamaged = results.contains { result in
            if case .failure(let error as CodecError) = result { error.isDamage } else { false }
        }
        if reports.contains(where: { $0.decodingObstacle == .irregular }) || isDamaged && decodedCount > 0 {
            irregularCount += 1
        }
    }

    /// A device that decodes nothing although it offers to is wrong about sound photos.
    fileprivate var concluded: Self {
        guard difference == nil, decodedCount == 0, irregularCount > 0 else { return self }
        var concluded = self
        concluded.difference =
            "it offers to decode, but has left all \(irregularCount) photos to the CPU as irregular"
        return concluded
    }
}
