import TintypeCPURendering
import TintypeFilters
import TintypeImaging
import TintypeIsolatedRendering
import TintypeOpenCLRendering
import TintypeRendering

/// Compares devices with the SIMD baseline, byte by byte, over the cases of `Conformance`.
package struct ConformanceRun {
    /// The result of one device.
    package struct Outcome: Sendable {
        package let device: DeviceInfo
        /// Cases with the same bytes as the baseline.
        package var equalCount = 0
        /// Layouts that were completed.
        package var layoutCount = 0
        package var duration = Duration.zero
        /// The first case with other bytes, in words; the device got no further cases.
        package var difference: String?
    }

    /// Every SIMD level of this machine, and every OpenCL device.
    package static var allDevices: [any Device] {
        SIMDLevel.supported.map { SIMDDevice(level: $0) } + OpenCLRuntime.shared.devices
    }

    private let devices: [any Device]
    private let cases: (PixelLayout) -> [Conformance.Case]
    /// Compiles the programs of the next cases beforehand, several at once; nil compiles each where it is needed.
    package var compilers: ProgramCompilers?

    /// Cases whose programs are compiled together: few at first, so that a short run compares some. 512 need about 30.
    private static let casesAtOnce = (first: 64, most: 512)

    /// - Parameter maxPixels: larger photos are left out, for devices that are simulated.
    package init(_ devices: [any Device], _ scope: Conformance.Scope, maxPixels: Int = .max) {
        self.devices = devices
        cases = { layout in
            Conformance.cases(over: layout, scope).filter { $0.plan.geometry.pixelCount <= maxPixels }
        }
    }

    /// Compares one chain only.
    package init(_ devices: [any Device], _ chain: FilterChain) {
        self.devices = devices
        cases = { Conformance.cases(of: chain, over: $0) }
    }

    /// - Parameters:
    ///   - progress: called with each layout, the main ones first.
    ///   - isOver: called before each case; true ends the run.
    package func outcomes(progress: (PixelLayout) -> Void, isOver: () -> Bool = { false }) throws -> [Outcome]
    {
        var outcomes = devices.map { Outcome(device: $0.info) }
        var casesAtOnce = Self.casesAtOnce.first
        let others = Conformance.layouts.filter { !Conformance.mainLayouts.contains($0) }
        for layout in Conformance.mainLayouts + others {
            progress(layout)
            let tests = cases(layout)
            var compiledCount = 0
            for (number, test) in tests.enumerated() {
                if number == compiledCount {
                    let next = tests[number...].prefix(casesAtOnce)
                    compile(next, outcomes, isOver)
                    compiledCount += next.count
                    casesAtOnce = min(2 * casesAtOnce, Self.casesAtOnce.most)
                }
                guard !isOver() else { return outcomes }
                let photo = test.photo
                let expected = try test.plan.reference(for: photo)
                for (index, device) in devices.enumerated() where outcomes[index].difference == nil {
                    outcomes[index].compare(test, photo, expected, on: device)
                }
            }
            for index in outcomes.indices where outcomes[index].difference == nil {
                outcomes[index].layoutCount += 1
            }
        }
        return outcomes
    }

    private func compile(
        _ tests: ArraySlice<Conformance.Case>, _ outcomes: [Outcome], _ isOver: () -> Bool
    ) {
        guard let compilers else { return }
        let plans = tests.map(\.plan)
        for (device, outcome) in zip(devices, outcomes) where outcome.difference == nil {
            let programs = device.abilities.precompiling?.uncompiledPrograms(of: plans) ?? []
            compilers.compile(programs, for: device.info, isCancelled: isOver)
        }
    }
}

extension ConformanceRun.Outcome {
    fileprivate mutating func compare(
        _ test: Conformance.Case, _ photo: MemoryPhoto, _ expected: MemoryPhoto, on device: any Device
    ) {
        let start = ContinuousClock.now
        do {
            let result = try test.result(for: photo, on: device)
            if let place = result.firstDifference(from: expected) {
                difference = "\(test): \(place) is \(place.value) instead of \(place.otherValue)"
            } else {
                equalCount += 1
            }
        } catch {
            difference = "\(test): \(error)"
        }
        duration += start.duration(to: .now)
    }
}

extension Conformance.Case {
    package var photo: MemoryPhoto {
        let seed = UInt64(plan.geometry.width * 1000 + plan.geometry.height)
        return MemoryPhoto(noise: plan.geometry, layout: plan.input, seed: seed)
    }

    package func result(for photo: MemoryPhoto, on device: any Device) throws -> MemoryPhoto {
        let result = MemoryPhoto(plan.outputGeometry, layout: plan.output)
        let source = photo.makeSource(), sink = result.makeSink()
        if let device = device.abilities.measuring {
            _ = try device.render(
                plan, from: source, to: sink, stripRows: stripRows, profiles: false, isCancelled: { false })
        } else {
            try device.render(plan, from: source, to: sink, isCancelled: { false })
        }
        return result
    }
}
