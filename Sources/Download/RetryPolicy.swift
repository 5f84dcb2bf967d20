/// When a failed download is retried: exponential backoff with full jitter.
///
/// Source: M. Brooker, "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015): a uniformly random
/// wait from zero to the doubled bound spreads clients that failed together better than a fixed wait.
public struct RetryPolicy: Hashable, Sendable {
    /// Attempts after the first, at least 0; `--retry N`.
    public var retries: Int
    /// Bound of the first wait; each further attempt doubles it.
    public var baseDelay: Duration
    /// Upper limit of the bound.
    public var maximumDelay: Duration
    /// Upper limit of the wait that a server asks for with `Retry-After`.
    public var maximumRetryAfter: Duration

    /// - Precondition: `retries` is at least 0.
    public init(
        retries: Int = 3, baseDelay: Duration = .milliseconds(500), maximumDelay: Duration = .seconds(30),
        maximumRetryAfter: Duration = .seconds(120)
    ) {
        precondition(retries >= 0, "retries must not be negative")
        self.retries = retries
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.maximumRetryAfter = maximumRetryAfter
    }

    /// The wait after failure number `count`, counted from 1.
    ///
    /// - Parameters:
    ///   - retryAfter: the wait that the server asked for, limited to `maximumRetryAfter`; the jitter is
    ///     added.
    ///   - draw: a random number from 0 to 1.
    package func delay(afterFailure count: Int, retryAfter: Duration?, draw: Double) -> Duration {
        let jitter = bound(afterFailure: count) * draw
        guard let retryAfter else { return jitter }
        return min(max(retryAfter, .zero), maximumRetryAfter) + min(jitter, baseDelay)
    }

    private func bound(afterFailure count: Int) -> Duration {
        // 2^32 base delays exceed every sensible maximum, and the shift cannot overflow.
        min(baseDelay * (1 << min(max(count - 1, 0), 32)), maximumDelay)
    }
}
