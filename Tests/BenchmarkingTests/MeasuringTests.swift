import Testing
@testable import TintypeBenchmarking
import TintypeCodecs
import TintypeCompute
import TintypeFilterPictures
import TintypeFilters
import TintypeImaging

struct MeasuringTests {
    private func decoded(_ jpeg: [UInt8], _ layout: PixelLayout) throws -> MemoryPhoto {
        let reader = try PhotoReader(bytes: jpeg, limits: DecodeLimits())
        let photo = MemoryPhoto(reader.geometry, layout: layout)
        try reader.makeSource(layout: layout).read(into: photo.strip)
        return photo
    }

    @Test func synthesisedPhotosAreReproducibleAndOfUsualSize() throws {
        let photo = try BenchmarkPhoto(megapixels: 2)
        #expect(try BenchmarkPhoto(megapixels: 2).jpeg == photo.jpeg)
        #expect((photo.geometry.width, photo.geometry.height) == (1632, 1224))
        let bytesPerPixel = Double(photo.jpeg.count) / Double(photo.geometry.pixelCount)
        #expect((0.3...0.4).contains(bytesPerPixel), "\(bytesPerPixel)")
        let reader = try PhotoReader(bytes: photo.jpeg, limits: DecodeLimits())
        #expect(reader.layout == .yCbCr(.s420))
    }

    @Test func theRGBFloorKeepsThePhoto() throws {
        let photo = try BenchmarkPhoto(megapixels: 0.1)
        let file = try MemoryFile(capacity: CodecFloor.capacity(for: photo))
        try CodecFloor.rgb.run(photo, into: file)
        let before = try decoded(photo.jpeg, photo.layout).samples
        let after = try decoded(file.bytes(), photo.layout).samples
        #expect(before.count == after.count)
        // Encoding again with the same tables changes samples by a few steps on average. Another photo would
        // differ by dozens.
        let sum = zip(before, after).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(Double(sum) / Double(before.count) < 3)
    }

    @Test func thePlanesFloorKeepsAlmostAllSamples() throws {
        let photo = try BenchmarkPhoto(megapixels: 0.1)
        let file = try MemoryFile()
        try CodecFloor.planes.run(photo, into: file)
        let before = try decoded(photo.jpeg, photo.layout).samples
        let after = try decoded(file.bytes(), photo.layout).samples
        let changed = zip(before, after).filter { $0 != $1 }.count
        #expect(changed * 20 < before.count)
    }

    /// The sides are no multiples of a block's, so the last blocks extend beyond the photo.
    @Test(arguments: ChromaSubsampling.common, CodecFloor.allCases)
    func floorsTakeEverySampling(_ sampling: ChromaSubsampling, _ floor: CodecFloor) throws {
        let noise = MemoryPhoto(
            noise: PhotoGeometry(width: 37, height: 23), layout: .yCbCr(sampling), seed: 1)
        let input = try MemoryFile(), output = try MemoryFile()
        let settings = PhotoWriterSettings(
            format: .jpeg, geometry: noise.geometry, layout: noise.layout, metadata: PhotoMetadata(),
            jpegQuality: .value(90))
        let writer = try PhotoWriter(fileDescriptor: input.descriptor, settings: settings)
        try writer.write(noise.strip)
        try writer.finish()
        let photo = try BenchmarkPhoto(name: "noise", jpeg: input.bytes())
        try floor.run(photo, into: output)
        let before = try decoded(photo.jpeg, noise.layout).samples
        let after = try decoded(output.bytes(), noise.layout).samples
        #expect(after.count == before.count)
        // Noise has colours outside RGB, so only planes keep almost every sample.
        let sum = zip(before, after).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(floor == .rgb || sum < before.count)
    }

    @Test func aDamagedPhotoIsNoFloor() throws {
        let whole = try BenchmarkPhoto(megapixels: 0.1)
        let photo = try BenchmarkPhoto(name: "cut", jpeg: Array(whole.jpeg.prefix(whole.jpeg.count / 2)))
        let file = try MemoryFile()
        for floor in CodecFloor.allCases {
            #expect(throws: BenchmarkError.floorFailed(photo: photo.name)) {
                try floor.run(photo, into: file)
            }
        }
    }

    @Test func everySampleCountsOnceAsReadAndOnceAsWritten() throws {
        let photo = try BenchmarkPhoto(megapixels: 0.1)
        let (width, height) = (photo.geometry.width, photo.geometry.height)
        func traffic(_ chain: String) throws -> Int {
            try PhotoPass(
                jpeg: photo.jpeg, chain: FilterChain(parsing: [chain]), device: SIMDDevice()
            ).trafficByteCount()
        }
        // 4:2:0: a byte of Y for each pixel, and one of Cb and Cr for each four. Both sides are even.
        let planes = width * height * 3 / 2
        #expect(try traffic("sepia") == 2 * planes)
        #expect(try traffic("noir") == planes + width * height)
    }

    @Test func theCPUsPartsAreAllOfItsTime() throws {
        let photo = try BenchmarkPhoto(megapixels: 0.1)
        let pass = PhotoPass(jpeg: photo.jpeg, chain: FilterChain([Sepia()]), device: SIMDDevice())
        let file = try MemoryFile()
        let times = try pass.run(into: file, isCancelled: { false })
        #expect(abs(times.decode + times.kernel + times.encode - times.total) < 1e-9)
        #expect(times.decode > 0 && times.kernel > 0 && times.encode > 0)
        #expect(times.upload == 0 && times.download == 0)
        // The next photo replaces the file's content.
        let first = file.bytes()
        _ = try pass.run(into: file, isCancelled: { false })
        #expect(file.bytes() == first)
    }

    @Test func largePhotosAreLeftOutWhereSmallOnesWereSlow() {
        func key(_ device: String, _ photo: String) -> Samples.Case {
            Samples.Case(device: device, chain: "blur", photo: photo)
        }
        // A thirtieth of 90 s is 3 s. At 10 MP/s, 12 MP take 1.2 s and 50 MP take 5 s.
        var patience = Patience(secondsLimit: 90)
        var answers = [patience.leavesOut(key("slow", "2 MP"), megapixels: 2)]
        patience.learn(key("slow", "2 MP"), megapixels: 2, seconds: 0.2)
        patience.learn(key("fast", "2 MP"), megapixels: 2, seconds: 0.02)
        answers.append(patience.leavesOut(key("slow", "12 MP"), megapixels: 12))
        answers.append(patience.leavesOut(key("slow", "50 MP"), megapixels: 50))
        answers.append(patience.leavesOut(key("fast", "50 MP"), megapixels: 50))
        #expect(answers == [false, false, true, false])
        #expect(patience.leftOut == [key("slow", "50 MP")])
    }

    @Test func aTinyPhotoTellsLittleOfLargeOnes() {
        func key(_ photo: String) -> Samples.Case {
            Samples.Case(device: "0.0", chain: "sepia", photo: photo)
        }
        // 50 ms are mostly those of any photo: at 5 s a megapixel, 50 MP would take 250 s.
        var patience = Patience(secondsLimit: 90)
        patience.learn(key("0.01 MP"), megapixels: 0.01, seconds: 0.05)
        var answers = [patience.leavesOut(key("50 MP"), megapixels: 50)]
        // Half a second is slow all the same.
        patience.learn(key("0.01 MP"), megapixels: 0.01, seconds: 0.5)
        answers.append(patience.leavesOut(key("50 MP"), megapixels: 50))
        #expect(answers == [false, true])
    }

    // 20 s for half of a round: 40 s for each round.
    @Test(arguments: [
        (rounds: 5.0, limit: 1000.0, share: 0.1),  // of 5 x 40 s
        (rounds: 5, limit: 80, share: 0.25),  // time is up before
        (rounds: 5, limit: 10, share: 0.5),  // the first round is completed all the same
        (rounds: 1, limit: 80, share: 0.5),
    ])
    func progressRefersToTheEarlierLimit(_ rounds: Double, _ limit: Double, _ share: Double) {
        let result = Pace.share(seconds: 20, roundsDone: 0.5, rounds: rounds, secondsLimit: limit)
        #expect(abs(result - share) < 1e-9)
    }

    @Test func aChainIsItsFiltersJoined() throws {
        let chain = try BenchmarkChain(parsing: "sepia+noir:contrast=3,midpoint=0.4")
        #expect(chain.chain == FilterChain([Sepia(), Noir(contrast: 3, midpoint: 0.4)]))
        #expect(throws: FilterError.self) { try BenchmarkChain(parsing: "sepia+") }
        for text in BenchmarkChain.standard { _ = try BenchmarkChain(parsing: text) }
    }

    @Test func theProcessorsNameIsReadFromTheSystemsFile() {
        let text = "processor\t: 0\nmodel name\t: Some CPU @ 2.0GHz: fast\nmodel name\t: Other\n"
        #expect(Processor.name(in: text) == "Some CPU @ 2.0GHz: fast")
        #expect(Processor.name(in: "processor\t: 0\n") == nil)
        #expect(Machine.current.kernel.wholeMatch(of: /Linux \d+\.\d+\S*/) != nil)
    }
}
