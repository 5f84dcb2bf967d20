/// Counts the checks, and keeps what failed.
@MainActor final class Report {
    private(set) var checkCount = 0
    private(set) var failures: [String] = []

    /// - Parameter holds: an error that it throws is a failure.
    func check(_ claim: String, line: Int = #line, file: String = #fileID, _ holds: () async throws -> Bool)
        async
    {
        checkCount += 1
        do {
            if try await !holds() { failures.append("\(file):\(line): \(claim)") }
        } catch {
            failures.append("\(file):\(line): \(claim): \(error)")
        }
    }

    /// Checks that `body` throws an error of a type, which `fits`.
    func refuses<Failure: Error>(
        _ claim: String, as type: Failure.Type, line: Int = #line, file: String = #fileID,
        fits: (Failure) -> Bool = { _ in true }, _ body: () async throws -> Void
    ) async {
        await check(claim, line: line, file: file) {
            do {
                try await body()
                return false
            } catch let error as Failure {
                return fits(error)
            }
        }
    }
}
