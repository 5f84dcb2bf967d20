import TestSupport
import Testing

@testable import TintypeDevices

/// How photos are shared, on a machine that is computed: a clock without noise.
struct DeviceTimesTests {
    /// What a photo takes there, in seconds: of a processor, before and after it is on the device; of the device, which the photos on
    /// it share; and of the first photo in addition. All photos that are there at some time may stall, as for a compiler.
    struct Device {
        var host: Double
        var device = 0.0
        var start = 0.0
        var stall: (time: Double, seconds: Double)?
    }

    struct Machine: CustomTestStringConvertible {
        let name: String
        let devices: [Device]
        let workers, processors: Int
        /// At least so much of the better device's speed is reached.
        let share: Double

        var testDescription: String { name }
    }

    private struct Photo {
        let device: Int
        let begin: Double
        let atWork: Int
        let isTry: Bool
        /// What is left to do, the last part first.
        var parts: [(place: Place, seconds: Double)]
    }

    private enum Place: Hashable { case start, host, device(Int) }

    /// Photos a second, and how many each device got.
    ///
    /// - Parameter choose: gets the candidates and the time.
    private func run(
        _ machine: Machine, photoCount: Int,
        _ choose: ([DeviceTimes.Candidate], Double) -> DeviceTimes.Choice?
    ) throws -> (rate: Double, counts: [Int]) {
        var random = SeededGenerator(seed: 3)
        var times = machine.devices.map { _ in DeviceTimes() }
        var counts = machine.devices.map { _ in 0 }, now = 0.0, begun = 0
        var photos: [Photo] = []
        while begun < photoCount || !photos.isEmpty {
            while photos.count < machine.workers, begun < photoCount {
                let candidates = times.indices.map { index in
                    DeviceTimes.Candidate(
                        times: times[index], atWork: photos.count { $0.device == index }, taken: counts[index]
                    )
                }
                let choice = try #require(choose(candidates, now)), device = choice.index
                let own = machine.devices[device]
                let size = Double.random(in: 0.5...1.5, using: &random)
                times[device].begin(now, isTry: choice.isTry)
                photos.append(
                    Photo(
                        device: device, begin: now, atWork: candidates[device].atWork + 1,
                        isTry: choice.isTry,
                        parts: [
                            (.host, size * own.host / 2), (.device(device), size * own.device),
                            (.host, size * own.host / 2),
                        ] + (counts[device] == 0 ? [(.start, own.start)] : [])))
                counts[device] += 1
                begun += 1
            }
            let places = photos.reduce(into: [Place: Double]()) {
                $0[$1.parts.last?.place ?? .start, default: 0] += 1
            }
            func speed(_ photo: Photo) -> Double {
                switch photo.parts.last?.place {
                case .host: min(1, Double(machine.processors) / (places[.host] ?? 1))
                case .device(let index): 1 / (places[.device(index)] ?? 1)
                case .start, nil: 1
                }
            }
            let step = photos.map { ($0.parts.last?.seconds ?? 0) / speed($0) }.min() ?? 0
            now += step
            for index in photos.indices {
                photos[index].parts[photos[index].parts.count - 1].seconds -= step * speed(photos[index])
                if photos[index].parts[photos[index].parts.count - 1].seconds <= 1e-9 {
                    photos[index].parts.removeLast()
                }
            }
            for index in photos.indices {
                guard let stall = machine.devices[photos[index].device].stall, now - step < stall.time,
                    now >= stall.time
                else { continue }
                photos[index].parts.append((.start, stall.seconds))
            }
            for photo in photos where photo.parts.isEmpty {
                times[photo.device].add(
                    from: photo.begin, to: now, atWork: photo.atWork, isTry: photo.isTry)
            }
            photos.removeAll(where: \.parts.isEmpty)
        }
        return (Double(photoCount) / now, counts)
    }

    /// Two devices together are not slower than the better one, by more than it takes to find out.
    @Test(
        arguments: [
            Machine(
                name: "a GPU that codes, and the CPU",
                devices: [Device(host: 0.003, device: 0.0005, start: 2), Device(host: 0.11)],
                workers: 16, processors: 16, share: 0.99),
            Machine(
                name: "a GPU whose photos the CPU codes, and the CPU",
                devices: [Device(host: 0.1, device: 0.002, start: 2), Device(host: 0.11)],
                workers: 32, processors: 16, share: 0.98),
            Machine(
                name: "a slow GPU and the CPU",
                devices: [Device(host: 0.01, device: 0.04, start: 1), Device(host: 0.11)],
                workers: 16, processors: 8, share: 1.1),
            Machine(
                name: "two equal GPUs",
                devices: [Device(host: 0.003, device: 0.002, start: 1), Device(host: 0.003, device: 0.002)],
                workers: 32, processors: 16, share: 1.9),
            Machine(
                name: "a fast and a slow GPU",
                devices: [Device(host: 0.003, device: 0.001, start: 1), Device(host: 0.003, device: 0.01)],
                workers: 32, processors: 16, share: 0.99),
            Machine(
                name: "OpenCL on the CPU, and the CPU",
                devices: [Device(host: 0.25, start: 1), Device(host: 0.1)],
                workers: 4, processors: 2, share: 0.97),
            Machine(
                name: "a GPU whose photos all stall once",
                devices: [
                    Device(host: 0.003, device: 0.0005, start: 2, stall: (time: 2.5, seconds: 1)),
                    Device(host: 0.11),
                ], workers: 32, processors: 16, share: 0.9),
            Machine(
                name: "one worker", devices: [Device(host: 0.01, device: 0.01), Device(host: 0.11)],
                workers: 1, processors: 2, share: 0.97),
        ])
    func severalDevicesAreNotSlowerThanTheBetterOne(machine: Machine) throws {
        let count = 3000
        let alone = try machine.devices.indices.map { device in
            try run(machine, photoCount: count) { _, _ in
                DeviceTimes.Choice(index: device, isTry: false)
            }.rate
        }
        let together = try run(machine, photoCount: count) { DeviceTimes.choice(of: $0, now: $1) }
        #expect(together.rate >= machine.share * (alone.max() ?? 0), "\(alone) \(together)")
    }

    @Test func withoutTimesPhotosAreSharedEqually() throws {
        let machine = Machine(
            name: "", devices: [Device(host: 1, start: 1000), Device(host: 1, start: 1000)], workers: 8,
            processors: 8, share: 0)
        #expect(try run(machine, photoCount: 8) { DeviceTimes.choice(of: $0, now: $1) }.counts == [4, 4])
    }

    @Test func aDeviceThatWasSlowGetsAPhotoAgainAfterAWhile() {
        var slow = DeviceTimes(), fast = DeviceTimes()
        for begin in [0.0, 2] { slow.add(from: begin, to: begin + 2, atWork: 1) }
        for begin in [0.0, 2] { fast.add(from: begin, to: begin + 0.1, atWork: 1) }
        let candidates = [slow, fast].map { DeviceTimes.Candidate(times: $0, atWork: 0, taken: 2) }
        #expect(choice(candidates, now: 100) == .init(index: 1, isTry: false))
        #expect(choice(candidates, now: 205) == .init(index: 0, isTry: true))
    }

    /// The fast device has just been used.
    private func choice(_ candidates: [DeviceTimes.Candidate], now: Double) -> DeviceTimes.Choice? {
        var fast = candidates[1].times
        fast.begin(now, isTry: false)
        return DeviceTimes.choice(
            of: [candidates[0], DeviceTimes.Candidate(times: fast, atWork: 0, taken: 2)], now: now)
    }

    @Test func afterAPauseOfTheRunTheFastDeviceGoesOn() {
        var slow = DeviceTimes(), fast = DeviceTimes()
        for begin in [0.0, 2] { slow.add(from: begin, to: begin + 2, atWork: 1) }
        for begin in [0.0, 2] { fast.add(from: begin, to: begin + 0.1, atWork: 1) }
        let candidates = [
            DeviceTimes.Candidate(times: slow, atWork: 0, taken: 2),
            DeviceTimes.Candidate(times: fast, atWork: 0, taken: 1000),
        ]
        #expect(DeviceTimes.choice(of: candidates, now: 3600) == .init(index: 1, isTry: false))
    }

    @Test func aTryReplacesWhatWasKnown() {
        var stalled = DeviceTimes()
        stalled.add(from: 0, to: 1, atWork: 1)
        for _ in 0..<8 { stalled.add(from: 1, to: 6, atWork: 8) }
        var other = DeviceTimes()
        for begin in [0.0, 2] { other.add(from: begin, to: begin + 0.1, atWork: 1) }
        func choice() -> Int? {
            DeviceTimes.choice(
                of: [stalled, other].map { DeviceTimes.Candidate(times: $0, atWork: 0, taken: 0) }, now: 7)?
                .index
        }
        #expect(choice() == 1)
        stalled.add(from: 6.5, to: 6.501, atWork: 1, isTry: true)
        #expect(choice() == 0)
    }

    @Test func withoutDevicesThereIsNoChoice() { #expect(DeviceTimes.choice(of: [], now: 0) == nil) }
}
