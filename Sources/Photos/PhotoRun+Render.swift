import Dispatch
import TintypeCodecs
import TintypeImaging
import TintypeRendering

/// A device's codec would need more of the host's memory than the run has.
struct CodingNeedsTooMuchMemory: Error {}

extension PhotoRun {
    /// Decodes the photo, and renders and encodes all branches, here or on the device. A branch that fails keeps its error, and
    /// the others continue.
    ///
    /// - Parameter obstacle: why the device may not decode the photo itself; or not code at all, if that needs too much memory.
    func render(_ branches: [OutputBranch], _ reader: PhotoReader, _ obstacle: CodingObstacle?) throws {
        guard let first = branches.first else { return }
        // Read once for all outputs.
        var map: GainMap??
        let makeMap = { draft in
            try OutputGainMap.outcome(
                reader, draft,
                reading: {
                    let known = try map ?? reader.readGainMap()
                    map = .some(known)
                    return known
                }, memory: pipeline.memory, isCancelled)
        }
        guard let decoding = first.draft.decoding else {
            // Its writer observes what the reader reads, so both stay on one thread.
            let copy = OutputGroup([first])
            copy.beginCopy(reader, makeMap)
            if let workers { reader.use(workers) }
            return try render([copy], branches, reader)
        }
        for branch in branches { branch.makePlan(reader, makeMap) }
        map = nil
        let planned = branches.filter { $0.plan != nil }
        guard !planned.isEmpty else { return }
        let isOneDecoding = planned.allSatisfy { $0.draft.decoding == decoding }
        let choice = try CodingChoice(
            reader, planned.compactMap(\.plan),
            obstacle.map { .failure($0) }
                ?? (isOneDecoding ? decoding.forDevice : .failure(.severalDecodings)),
            on: device, pipeline.deviceCodec)
        for (branch, report) in zip(planned, choice.reports) { branch.coding = report }
        let coding = choice.coding
        if let coding {
            for (branch, image) in zip(planned, coding.images) { branch.image = image }
        }
        guard let coding, let input = coding.makeInput(reader) else {
            return try renderStrips(planned, decoding, reader, coding)
        }
        let group = OutputGroup(planned, coding.device)
        group.begin(input)
        help(planned.compactMap(\.path))
        try render([group], planned, reader, coding: coding)
    }

    /// Decodes the photo here, once for all branches.
    private func renderStrips(
        _ branches: [OutputBranch], _ decoding: Decoding, _ reader: PhotoReader, _ coding: DeviceCoding?
    ) throws {
        let decoded = ReadAheadSource(try reader.makeSource(decoding.shared))
        defer { decoded.abandon() }
        let groups = OutputGroup.groups(of: branches, on: device, coding?.device)
        // One group needs no copies of the strips.
        let shared = groups.count > 1 ? SharedStrips(decoded, consumerCount: groups.count) : nil
        for (index, group) in groups.enumerated() {
            group.begin(shared.map { SharedSource($0, consumer: index) } ?? decoded) {
                shared?.leave(index)
            }
        }
        let paths = branches.compactMap(\.path)
        help(paths)
        help(decoded, reader, for: paths)
        try render(groups, branches, reader, shared, coding: coding)
    }

    /// Lets idle workers help to encode.
    private func help(_ paths: [RenderPath]) {
        guard let workers else { return }
        // All together take a sixteenth of the memory for photos.
        let most = pipeline.memory.map { $0.byteCount / (16 * max(paths.count, 1)) } ?? .max
        for path in paths { path.use(workers, memory: most) }
    }

    /// Lets idle workers help to decode. One that decodes ahead is busy until the end, so it leaves one to encoders that need it
    /// more.
    private func help(_ decoded: ReadAheadSource, _ reader: PhotoReader, for paths: [RenderPath]) {
        guard let workers else { return }
        reader.use(workers)
        let needHelp = paths.contains {
            $0.needsHelpers && 2 * $0.writtenGeometry.pixelCount >= decoded.geometry.pixelCount
        }
        decoded.use(workers, leaving: needHelp ? 1 : 0)
    }

    /// - Parameter shared: what the groups read, if there are several.
    private func render(
        _ groups: [OutputGroup], _ branches: [OutputBranch], _ reader: PhotoReader,
        _ shared: SharedStrips? = nil, coding: DeviceCoding? = nil
    ) throws {
        let paths = branches.compactMap(\.path)
        guard !paths.isEmpty else { return }
        let pixelCount = reader.geometry.pixelCount
        let memory = PhotoMemory(reader, paths, shared, on: device, coding)
        do {
            // Branches keep the errors of rendering.
            try pipeline.withMemory(memory, isCancelled) {
                let threads = DispatchGroup()
                for group in groups.dropFirst() {
                    // A serial queue has a thread of its own while it runs a block.
                    DispatchQueue(label: "tintype.output").async(group: threads) {
                        [device, progress = pipeline.progress, isCancelled] in
                        group.render(on: device, pixelCount, progress, isCancelled)
                    }
                }
                groups[0].render(on: device, pixelCount, pipeline.progress, isCancelled)
                PhotoPhase.wait.measure { threads.wait() }
            }
        } catch DeviceError.tooLarge where coding != nil {
            throw CodingNeedsTooMuchMemory()
        }
    }
}
