extension BenchmarkReport {
    /// The result in a sentence for each OpenCL device and chain, from what both it and the CPU were measured with.
    var headlineSentences: [String] {
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
            let factor = own.megapixelsPerSecond.median / cpu.megapixelsPerSecond.median
            let start =
                "\(entry.device) is \(Figures.short(factor)) x the CPU for \(entry.chain) at \(largest.photo)"
            return start + Self.breakEven(entry, smallest: shared.map(\.megapixels).min() ?? 0)
        }
    }

    private static func breakEven(_ entry: BreakEvenEntry, smallest: Double) -> String {
        switch entry.answer {
        case .from: "; break-even at \(Figures.short(entry.megapixels ?? 0)) MP."
        case .always: "; faster from \(Figures.short(smallest)) MP on, the smallest that was measured."
        case .none: "."
        }
    }
}
