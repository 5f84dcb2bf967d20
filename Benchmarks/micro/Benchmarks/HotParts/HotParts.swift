import Benchmark

/// What most of a run's time goes into, part by part, so that a change that makes one slower shows.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock], warmupIterations: 3, maxDuration: .milliseconds(500), maxIterations: 2000,
        // A machine that others work on varies by some per cent; the fastest quarter varies least.
        thresholds: [.wallClock: .init(relative: [.p25: 10, .p50: 15])])
    KernelBenchmarks.register()
    RenderBenchmarks.register()
    CodecBenchmarks.register()
    JPEGCoreBenchmarks.register()
    OperationBenchmarks.register()
}
