import Foundation

/// How long tests wait. Only a failing test waits to the end, so it may be long enough for the slowest machine.
private let patience = Duration.seconds(120)

private let pause = Duration.milliseconds(2)

/// Waits until `condition` holds, on the calling thread.
///
/// - Returns: false if it does not hold after two minutes.
package func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + patience
    while try !condition() {
        // A thread that was not run for long asks once more.
        guard .now < end else { return try condition() }
        Thread.sleep(forTimeInterval: pause / .seconds(1))
    }
    return true
}

/// Waits in the same way, without holding one of the few threads that Swift's tasks share.
package func eventually(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now + patience
    while try await !condition() {
        guard .now < end else { return try await condition() }
        try? await Task.sleep(for: pause)
    }
    return true
}

/// Without it, the compiler would choose the blocking form for a condition that awaits nothing.
package func eventually(
    isolation: isolated (any Actor)? = #isolation, _ condition: () throws -> Bool
) async rethrows -> Bool {
    try await eventually(isolation: isolation) { () async throws in try condition() }
}
