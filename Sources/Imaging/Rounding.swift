extension Int {
    /// The least multiple of `step` that is at least this.
    package func roundedUp(toMultipleOf step: Int) -> Int { dividedRoundingUp(by: step) * step }

    /// The quotient of two non-negative numbers, rounded up.
    package func dividedRoundingUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }
}
