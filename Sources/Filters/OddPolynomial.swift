import Foundation

/// A polynomial of odd powers only, for functions with f(-x) = -f(x).
package enum OddPolynomial {
    /// The coefficients of x, x^3, x^5, ... that approximate `function` on -`limit`...`limit`. The polynomial
    /// interpolates at the zeros of a Chebyshev polynomial, which spreads the error evenly.
    ///
    /// - Parameters:
    ///   - count: the number of coefficients.
    ///   - limit: above 0.
    package static func coefficients(
        _ count: Int, limit: Double, fitting function: (Double) -> Double
    ) -> [Double] {
        let nodeCount = 2 * count
        let nodes = (0..<nodeCount).map { cos((Double($0) + 0.5) * .pi / Double(nodeCount)) }
        let values = nodes.map { function(limit * $0) }
        // Coefficients of powers of x / limit: of the previous two Chebyshev polynomials, and of the sum.
        var (before, current) = (
            [Double](repeating: 0, count: nodeCount), [Double](repeating: 0, count: nodeCount)
        )
        (before[0], current[1]) = (1, 1)
        var sum = [Double](repeating: 0, count: nodeCount)
        for degree in 1..<nodeCount {
            if !degree.isMultiple(of: 2) {
                let share = zip(nodes, values).reduce(0) { $0 + $1.1 * cos(Double(degree) * acos($1.0)) }
                for power in 0...degree { sum[power] += current[power] * share / Double(count) }
            }
            let doubled = [0] + current.dropLast().map { 2 * $0 }
            (before, current) = (current, zip(doubled, before).map { $0 - $1 })
        }
        return (0..<count).map { sum[2 * $0 + 1] / pow(limit, Double(2 * $0 + 1)) }
    }
}
