/// The measurements so far, by round.
struct Samples {
    typealias Case = BenchmarkReport.Case

    /// MP/s by round, for each floor and photo.
    var floors: [CodecFloor: [String: [Int: Double]]] = [:]
    /// MP/s by round.
    var endToEnd: [Case: [Int: Double]] = [:]
    /// MP/s of each round, by the number of photos at once, if it is not the usual one.
    var byJobs: [Case: [Int: [Double]]] = [:]
    var passes: [Case: [PhotoPass.Times]] = [:]
    /// Seconds of a photo's kernels over samples that stay in the device's memory.
    var residentSeconds: [Case: [Double]] = [:]
    /// What all rounds have taken.
    var energy: [Case: Energy] = [:]
    /// All devices at once, by chain.
    var together: [String: Together] = [:]
    /// The number of bytes of the input's and the output's samples.
    var traffic: [Case: Int] = [:]
    /// Bytes read and written a second, by device.
    var copyBandwidth: [String: Double] = [:]

    /// Joules for some megapixels, of each counter that tells.
    struct Energy {
        struct Sum {
            private var joules = 0.0, megapixels = 0.0

            mutating func add(_ joules: Double, _ megapixels: Double) {
                self.joules += joules
                self.megapixels += megapixels
            }

            /// Nil without a measurement.
            var joulesPerMegapixel: Double? { megapixels > 0 ? joules / megapixels : nil }
        }

        var processors = Sum(), device = Sum()
    }

    /// What devices that share photos have done.
    struct Together {
        let photo: String
        /// MP/s of each round.
        var speeds: [Double] = []
        /// The number of photos, by device.
        var photoCounts: [String: Int] = [:]
    }

    /// - Parameter megapixels: the size of the case's photo.
    /// - Returns: nil while some measurement is missing.
    func result(_ key: Case, megapixels: Double) -> BenchmarkReport.ResultEntry? {
        guard let passes = passes[key], let speeds = endToEnd[key], let speed = Spread(Array(speeds.values)),
            let split = BenchmarkReport.Split(passes), let traffic = traffic[key]
        else { return nil }
        let kernelSeconds = passes.map(\.kernel).filter { $0 > 0 }
        let pixels = Spread(kernelSeconds.map { megapixels / $0 })
        let bytes = Spread(kernelSeconds.map { Double(traffic) / 1e9 / $0 })
        func share(of floor: CodecFloor) -> Spread? {
            floors[floor]?[key.photo].flatMap { Spread(ratiosOf: speeds, to: $0) }
        }
        return BenchmarkReport.ResultEntry(
            device: key.device, chain: key.chain, photo: key.photo, split: split,
            kernelMegapixelsPerSecond: pixels, kernelGigabytesPerSecond: bytes,
            shareOfCopyBandwidth: bytes.flatMap { bytes in
                copyBandwidth[key.device].map { bytes.median * 1e9 / $0 }
            },
            residentMegapixelsPerSecond: residentSeconds[key].flatMap { Spread($0.map { megapixels / $0 }) },
            megapixelsPerSecond: speed, shareOfFloor: share(of: .rgb), shareOfPlanesFloor: share(of: .planes))
    }
}

extension BenchmarkReport.Split {
    init?(_ passes: [PhotoPass.Times]) {
        guard let decode = Spread(passes.map(\.decode)), let upload = Spread(passes.map(\.upload)),
            let kernel = Spread(passes.map(\.kernel)), let download = Spread(passes.map(\.download)),
            let encode = Spread(passes.map(\.encode)), let total = Spread(passes.map(\.total))
        else { return nil }
        self.init(
            decodeSeconds: decode, uploadSeconds: upload, kernelSeconds: kernel, downloadSeconds: download,
            encodeSeconds: encode, totalSeconds: total)
    }
}
