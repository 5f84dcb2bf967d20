/// Everything that one run of the benchmark measured: what `tintype bench --json` prints.
///
/// Times are in seconds; MP/s are millions of pixels a second; GB/s are 10^9 bytes a second.
package struct BenchmarkReport: Codable, Equatable, Sendable {
    /// Changes when a field is removed or changes its meaning.
    package var schema = 1
    package var version: String
    /// The commit that the tool was built from, or `unknown`.
    package var commit: String
    /// ISO 8601, in UTC.
    package var date: String
    package var machine: Machine
    /// The number of photos that were filtered at once, end to end.
    package var jobs: Int
    /// The number of rounds that were started.
    package var rounds: Int
    /// The duration of the whole run.
    package var seconds: Double
    /// False if the run was interrupted in its first round.
    package var isComplete: Bool
    package var devices: [DeviceEntry]
    package var photos: [PhotoEntry]
    package var floors: [FloorEntry]
    package var startups: [StartupEntry]
    package var results: [ResultEntry]
    package var breakEvens: [BreakEvenEntry]
    /// Photos left out because they would have taken too long.
    package var leftOut: [Case]
    package var conditions: Conditions?
    /// The result in a sentence for each OpenCL device and chain.
    package var headlines: [String] = []
    /// Speeds with fewer photos at once; empty unless that was asked for.
    package var scalings: [ScalingEntry] = []
    /// What photos of the largest size cost; empty where nothing tells.
    package var energies: [EnergyEntry] = []
    /// Speeds of all devices at once; empty unless that was asked for.
    package var together: [TogetherEntry] = []

    /// A device, and whether its bytes are right.
    package struct DeviceEntry: Codable, Equatable, Sendable {
        package enum Status: String, Codable, Sendable {
            /// Every byte that was compared equals the SIMD baseline's.
            case ok
            /// Some byte differs; nothing else was measured.
            case wrong
            /// The device reported an error.
            case failed
            /// The run ended before the device was compared.
            case unchecked
        }

        package var device: String
        package var kind: String
        package var name: String
        package var driver: String
        package var status: Status
        /// How many photos, each with a chain, were compared and equal.
        package var checkedCount: Int
        /// Why the device is `wrong` or `failed`.
        package var error: String?
        /// GB/s, read and written together, of copying the device's own memory; a CPU's on one thread.
        package var copyGigabytesPerSecond: Double?
        /// Nil for a device that works in the host's memory.
        package var transfers: TransferSpeeds?
    }

    package struct PhotoEntry: Codable, Equatable, Sendable {
        package var photo: String
        package var width: Int
        package var height: Int
        package var bytes: Int
        /// False for a file that the user named.
        package var isSynthesised: Bool

        package var megapixels: Double { Double(width * height) / 1e6 }
    }

    /// libjpeg alone, with as many threads as there are jobs.
    package struct FloorEntry: Codable, Equatable, Sendable {
        package var floor: CodecFloor
        package var photo: String
        package var megapixelsPerSecond: Spread
    }

    /// How long the first photo of a process takes, with empty and with filled caches of compiled programs.
    package struct StartupEntry: Codable, Equatable, Sendable {
        package var device: String
        package var chain: String
        package var coldSeconds: Double
        package var warmSeconds: Double
    }

    package struct ResultEntry: Codable, Equatable, Sendable {
        package var device: String
        package var chain: String
        package var photo: String
        /// One photo alone.
        package var split: Split
        /// Pixels by time in kernels, of one photo alone; nil if no such time was measured, because the
        /// chain changes nothing or the driver reports no times.
        package var kernelMegapixelsPerSecond: Spread?
        /// Bytes read and written by time in kernels, each sample counted once; nil as above.
        package var kernelGigabytesPerSecond: Spread?
        /// The share of the speed at which the device copies its own memory; nil if that is unknown.
        package var shareOfCopyBandwidth: Double?
        /// Pixels by time of all kernels of a photo, one after the other over samples that stay in an OpenCL device's memory:
        /// kernels and their launches alone. Nil for the CPU, and for a chain that changes nothing.
        package var residentMegapixelsPerSecond: Spread?
        /// From JPEG to JPEG in memory, `jobs` photos at once.
        package var megapixelsPerSecond: Spread
        /// Shares of the codec floors' speeds in the same round.
        package var shareOfFloor: Spread?
        package var shareOfPlanesFloor: Spread?
    }

    /// The speed of the largest photo with some photos at once.
    package struct ScalingEntry: Codable, Equatable, Sendable {
        package var device: String
        package var chain: String
        package var photo: String
        package var jobs: Int
        package var megapixelsPerSecond: Spread
    }

    /// Joules for each megapixel from JPEG to JPEG, `jobs` photos at once, with what processors and GPU take idle. Nil for what
    /// does not tell.
    package struct EnergyEntry: Codable, Equatable, Sendable {
        package var device: String
        package var chain: String
        package var photo: String
        package var processorsJoulesPerMegapixel: Double?
        package var deviceJoulesPerMegapixel: Double?
    }

    /// The speed of the CPU and all OpenCL devices, which share photos of the largest size as in a batch.
    package struct TogetherEntry: Codable, Equatable, Sendable {
        package var devices: [String]
        package var chain: String
        package var photo: String
        package var megapixelsPerSecond: Spread
        /// Each device's share of the photos, 0...1, in the order of `devices`.
        package var shares: [Double]
    }

    /// A device that runs a chain over a photo.
    package struct Case: Codable, Hashable, Sendable {
        package let device, chain, photo: String
    }

    /// Where one photo's time goes.
    ///
    /// On the CPU, `decode`, `kernel` and `encode` add up to `total`. An OpenCL device works while the host
    /// decodes and encodes, so `upload`, `kernel` and `download` may overlap these, and the sum of all may
    /// exceed `total`.
    package struct Split: Codable, Equatable, Sendable {
        package var decodeSeconds: Spread
        package var uploadSeconds: Spread
        package var kernelSeconds: Spread
        package var downloadSeconds: Spread
        package var encodeSeconds: Spread
        package var totalSeconds: Spread
    }

    /// The size from which a device is faster than the CPU.
    package struct BreakEvenEntry: Codable, Equatable, Sendable {
        package enum Answer: String, Codable, Sendable {
            /// At every size that was measured.
            case always
            /// From `megapixels` on.
            case from
            /// Not at the largest size that was measured.
            case none
        }

        package var device: String
        /// The identifier of the CPU's best level.
        package var cpu: String
        package var chain: String
        package var answer: Answer
        /// Interpolated between the sizes that were measured.
        package var megapixels: Double?
    }

    /// Whether every device that was compared computes what the SIMD baseline does.
    package var areDevicesSound: Bool {
        !devices.contains { $0.status == .wrong || $0.status == .failed }
    }
}
