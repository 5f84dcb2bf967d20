import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeOperations
@testable import TintypePhotos

struct DependencyTests {
    private func named(_ name: String) -> TestStep { TestStep(name, logger: LogRecorder().logger) }

    @Test func aCycleIsRefusedWhenItIsMadeAndItsMembersAreNamed() throws {
        let (a, b, c) = (named("a"), named("b"), named("c"))
        try b.depends(on: a)
        try c.depends(on: b)
        #expect(throws: DependencyError.cycle(["<TestStep a>", "<TestStep c>", "<TestStep b>"])) {
            try a.depends(on: c)
        }
        #expect(a.dependencies.isEmpty)
    }

    @Test func nothingWaitsForItself() {
        let a = named("a")
        #expect(throws: DependencyError.cycle(["<TestStep a>"])) { try a.depends(on: a) }
        #expect(
            "\(DependencyError.cycle(["<TestStep a>"]))"
                == "<TestStep a> cannot wait for itself. Remove the dependency.")
    }

    @Test func cyclesThroughFoundationsOwnOperationsAreFoundToo() throws {
        let block = BlockOperation {}
        block.name = "block"
        let a = named("a")
        try block.depends(on: a)
        #expect(throws: DependencyError.cycle(["<TestStep a>", "block"])) { try a.depends(on: block) }
    }

    @Test func diamondsAreNoCycles() async throws {
        let (a, b, c, d) = (named("a"), named("b"), named("c"), named("d"))
        try b.depends(on: a)
        try c.depends(on: a)
        try d.depends(on: b)
        try d.depends(on: c)
        #expect(await run([d, c, b, a]))
    }

    @Test func randomGraphsAreRefusedExactlyWhereTheyCloseACycle() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<50 {
            let operations = (0..<8).map { named("\($0)") }
            var reaches = [[Bool]](repeating: [Bool](repeating: false, count: 8), count: 8)
            for item in 0..<8 { reaches[item][item] = true }
            for _ in 0..<30 {
                let (from, to) = (
                    Int.random(in: 0..<8, using: &random), Int.random(in: 0..<8, using: &random)
                )
                let isAccepted = (try? operations[from].depends(on: operations[to])) != nil
                #expect(isAccepted == !reaches[to][from])
                guard isAccepted else { continue }
                // Warshall's closure, for one new edge.
                for start in 0..<8 where reaches[start][from] {
                    for end in 0..<8 where reaches[to][end] { reaches[start][end] = true }
                }
            }
        }
    }

    @Test func spelledOutCyclesStopTheProgram() async {
        await #expect(processExitsWith: .failure) {
            let (a, b) = (
                TestStep("a", logger: LogRecorder().logger), TestStep("b", logger: LogRecorder().logger)
            )
            a.addDependency(b)
            b.addDependency(a)
        }
    }
}
