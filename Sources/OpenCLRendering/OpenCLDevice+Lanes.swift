import TintypeRendering
import TintypeResources

extension OpenCLDevice {
    /// Factor of a strip's time limit for a compilation.
    static let patienceToCompile = 4.0

    /// Runs `body` with a new renderer on a lane. The lane is reused unless `body` throws.
    func withRenderer<Result>(
        _ plan: RenderPlan, stripRows: Int?, profiles: Bool = false, _ isCancelled: () -> Bool,
        _ body: (OpenCLRenderer) throws -> Result
    ) throws -> Result {
        try withLane(
            takeLane(profiles: profiles), isCancelled,
            { (lane) throws(DeviceError) in
                try OpenCLRenderer.make(plan, lane: lane, stripRows: stripRows)
            }, body)
    }

    /// Runs `body` with what `make` gives for a lane. The lane is reused unless one of them throws.
    ///
    /// - Parameter make: runs on the lane's thread.
    func withLane<Renderer: LaneRenderer, Result>(
        _ lane: OpenCLLane, _ isCancelled: () -> Bool,
        _ make: @escaping (OpenCLLane) throws(DeviceError) -> Renderer, _ body: (Renderer) throws -> Result
    ) throws -> Result {
        watch.renderBegins()
        defer { watch.renderEnds() }
        var renderer: Renderer?
        do {
            let made = try lane.driver.start { (answer: DriverAnswer<Renderer>) throws(DeviceError) in
                answer.give(.success(try make(lane)))
            }.wait(patience: Self.patienceToCompile, isCancelled: isCancelled)
            renderer = made
            let result = try body(made)
            if !made.isKept { lane.driver.begin { made.close() } }
            giveBack(lane)
            return result
        } catch {
            // Not awaited: if commands hang, the renderer keeps the memory that they use.
            lane.driver.begin { [renderer] in
                lane.close()
                renderer?.close()
            }
            throw error
        }
    }

    func takeLane(profiles: Bool = false) -> OpenCLLane {
        takeLane { $0.profiles == profiles } ?? OpenCLLane(self, profiles: profiles)
    }

    /// The lane that was used last of those that fit.
    private func takeLane(where fits: (OpenCLLane) -> Bool) -> OpenCLLane? {
        freeLanes.withLock { lanes in lanes.lastIndex(where: fits).map { lanes.remove(at: $0) } }
    }

    func giveBack(_ lane: OpenCLLane) { freeLanes.withLock { $0.append(lane) } }

    /// Runs `body` with a lane for a photo of `work`, which takes at most `byteCount` of the device's memory: if there is one,
    /// with a lane that is ready for such a photo.
    ///
    /// All lanes together hold no more than `codingMemory`. Lanes keep their memory for photos of the same kind: where photos of
    /// other kinds need it, idle lanes are ended.
    func withCodingLane<Result>(
        for work: CodingWork, _ byteCount: Int, _ isCancelled: () -> Bool,
        _ body: (OpenCLLane) throws -> Result
    ) throws -> Result {
        let byteCount = min(byteCount, codingMemory.byteCount)
        return try codingMemory.lend(byteCount, isCancelled: isCancelled) {
            let (lane, kept) = try laneChoice.withLock { _ throws(DeviceError) in
                try trimFreeLanes(to: codingMemory.byteCount - codingMemory.lentByteCount)
                return try takeLane(for: work, byteCount)
            }
            defer { codingMemory.giveBack(kept) }
            return try body(lane)
        }
    }

    /// A lane, and the bytes that were borrowed for what it holds beside the photo's memory.
    private func takeLane(
        for work: CodingWork, _ byteCount: Int
    ) throws(DeviceError) -> (OpenCLLane, kept: Int) {
        let ready = takeLane { !$0.profiles && $0.renderer(for: work) != nil }
        let lane = ready ?? takeOtherLane()
        let kept = max(0, lane.heldByteCount - (ready == nil ? 0 : byteCount))
        if codingMemory.lendAtOnce(kept) { return (lane, kept) }
        try lane.driver.run { lane.freeBlocks() }
        return (lane, 0)
    }

    /// A lane for a photo that no lane is ready for: the one that has waited longest. A new one on a device with memory of its own:
    /// to free and to allocate that memory holds up the photos of all other lanes there.
    private func takeOtherLane() -> OpenCLLane {
        let mayBeNew = !sharesHostMemory
        let free = freeLanes.withLock { lanes -> OpenCLLane? in
            if mayBeNew, lanes.count < Self.mostIdleLanes { return nil }
            return lanes.firstIndex { !$0.profiles }.map { lanes.remove(at: $0) }
        }
        return free ?? OpenCLLane(self, profiles: false)
    }

    /// Idle lanes for photos of different kinds. Each has threads and some memory of the host.
    private static let mostIdleLanes = 32

    /// Ends lanes without a render, those that have waited longest first, until the others hold at most so many bytes.
    private func trimFreeLanes(to byteCount: Int) throws(DeviceError) {
        let ended = freeLanes.withLock { lanes in
            var held = lanes.reduce(0) { $0 + $1.heldByteCount }
            let ended = lanes.prefix { lane in
                defer { held -= lane.heldByteCount }
                return held > byteCount
            }
            lanes.removeFirst(ended.count)
            return ended
        }
        for lane in ended { try lane.driver.run { lane.close() } }
    }
}
