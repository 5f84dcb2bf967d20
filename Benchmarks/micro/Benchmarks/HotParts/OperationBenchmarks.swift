import Benchmark
import Foundation
import Tintype

/// What scheduling costs, with operations that do nothing.
enum OperationBenchmarks {
    static func register() {
        Benchmark("1000 AsyncOperations on a queue") { benchmark in
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 2
            let operations = (0..<1000).map { EmptyOperation(name: "\($0)") }
            benchmark.startMeasurement()
            queue.addOperations(operations, waitUntilFinished: true)
            benchmark.stopMeasurement()
        }
        Benchmark("200 chains of 3 operations on a queue") { benchmark in
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 2
            let chains = (0..<200).map { chain in (0..<3).map { EmptyOperation(name: "\(chain).\($0)") } }
            for chain in chains {
                for (first, second) in zip(chain, chain.dropFirst()) { second.addDependency(first) }
            }
            benchmark.startMeasurement()
            queue.addOperations(chains.flatMap { $0 }, waitUntilFinished: true)
            benchmark.stopMeasurement()
        }
        Benchmark("a PhotoSession of 1000 photos") { benchmark in
            let image = try EncodedImage(bytes: onePixel)
            let url = URL(fileURLWithPath: "/nowhere")
            let records = (0..<1000).map { PhotoRecord(url: url, name: "\($0)") }
            let steps = PhotoSteps(
                download: { ImageOperation(name: $0.name, image: image) },
                filter: { ImageOperation(name: $0.name, image: $0.image) })
            let rest = DispatchSemaphore(value: 0)
            var events = SessionEvents()
            events.rested = { summary in
                precondition(summary.filtered == 1000, "\(summary)")
                rest.signal()
            }
            let session = PhotoSession(records, steps: steps, on: .makePrivate(), events: events)
            benchmark.startMeasurement()
            session.start()
            rest.wait()
            benchmark.stopMeasurement()
            withExtendedLifetime(session) {}
        }
    }

    /// A PNG's beginning: nothing here reads further.
    private static let onePixel: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
}

/// Finishes as soon as it begins.
// @unchecked: nothing is added.
private final class EmptyOperation: AsyncOperation, @unchecked Sendable {
    override func main() { finish() }
}
