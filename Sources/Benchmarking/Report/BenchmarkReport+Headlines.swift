extension BenchmarkReport {
    /// The results in sentences: one that sums up each OpenCL device, one of the CPU, and one for each OpenCL device and chain.
    var headlineSentences: [String] {
        let comparisons = comparisons
        let openCL = devices.filter(\.isOpenCL).compactMap { device in
            summary(of: device, comparisons.filter { $0.entry.device == device.device })
        }
        return openCL + [cpuSummary].compactMap(\.self) + comparisons.map(sentence)
    }

    /// An OpenCL device and the CPU, with a chain and the largest photo that both were measured with.
    private struct Comparison {
        let entry: BreakEvenEntry
        let photo: String
        let smallestMegapixels: Double
        /// The device's speed, by that of the CPU.
        let factor: Double
    }

    private var comparisons: [Comparison] {
        breakEvens.compactMap { entry in
            let shared = photos.filter { photo in
                [entry.device, entry.cpu].allSatisfy {
                    result(device: $0, chain: entry.chain, photo: photo.photo) != nil
                }
            }
            guard let largest = shared.max(by: { $0.megapixels < $1.megapixels }),
                let own = result(device: entry.device, chain: entry.chain, photo: largest.photo),
                let cpu = result(device: entry.cpu, chain: entry.chain, photo: largest.photo),
                cpu.megapixelsPerSecond.median > 0
            else { return nil }
            return Comparison(
                entry: entry, photo: largest.photo,
                smallestMegapixels: shared.map(\.megapixels).min() ?? 0,
                factor: own.megapixelsPerSecond.median / cpu.megapixelsPerSecond.median)
        }
    }

    /// Nil for a single chain, whose own sentence says as much.
    private func summary(of device: DeviceEntry, _ comparisons: [Comparison]) -> String? {
        let sorted = comparisons.sorted { $0.factor < $1.factor }
        guard let least = sorted.first, let most = sorted.last, sorted.count > 1,
            let median = Spread(sorted.map(\.factor))?.median
        else { return nil }
        func factor(_ value: Double) -> String { "\(Figures.short(value)) x" }
        return
            "\(label(device.device)) (\(device.name)): \(factor(median)) the CPU in the median of \(sorted.count) chains, from "
            + "\(factor(least.factor)) (\(least.entry.chain)) to \(factor(most.factor)) (\(most.entry.chain)); faster with "
            + "\(sorted.count { $0.factor > 1 })."
    }

    /// How near the CPU's best level comes to libjpeg alone, with the largest photo.
    private var cpuSummary: String? {
        guard let cpu = devices.filter({ $0.status == .ok }).bestLevel(\.device),
            let photo = photos.max(by: { $0.megapixels < $1.megapixels })
        else { return nil }
        let shares = chains.compactMap {
            result(device: cpu.device, chain: $0, photo: photo.photo)?.shareOfFloor?.median
        }
        guard let share = Spread(shares)?.median else { return nil }
        let chains = shares.count == 1 ? "with \(self.chains[0])" : "in the median of \(shares.count) chains"
        return
            "\(label(cpu.device)) (\(cpu.name)): \(Figures.percent(share)) of the speed of libjpeg alone (FLOOR) \(chains) at "
            + "\(photo.photo)."
    }

    private func sentence(_ comparison: Comparison) -> String {
        let entry = comparison.entry
        let start =
            "\(label(entry.device)) is \(Figures.short(comparison.factor)) x the CPU for \(entry.chain) at \(comparison.photo)"
        switch entry.answer {
        case .from: return start + "; break-even at \(Figures.short(entry.megapixels ?? 0)) MP."
        case .always:
            let size = Figures.short(comparison.smallestMegapixels)
            return start + "; faster from \(size) MP on, the smallest that was measured."
        case .none: return start + "."
        }
    }

    /// Why shares above 100 % are no mistake; none where there are none.
    var shareSentences: [String] {
        var sentences: [String] = []
        if results.contains(where: {
            ($0.shareOfFloor?.median ?? 0) > 1 || ($0.shareOfPlanesFloor?.median ?? 0) > 1
        }) {
            sentences.append(
                "FLOOR may be above 100%: it is a share of the speed of libjpeg with RGB rows, and Tintype has a faster codec, "
                    + "which does not convert to RGB. Grey results have less to encode, too.")
        }
        if results.contains(where: { ($0.shareOfCopyBandwidth ?? 0) > 1 }) {
            sentences.append(
                "COPY may be above 100%: it is a share of the speed of copying blocks that no cache holds, and the strips of a "
                    + "photo fit into caches.")
        }
        return sentences
    }
}
