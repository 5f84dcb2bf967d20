import Foundation
import Testing
import TintypeImaging
import TintypeStages

@testable import TintypeFilters

struct NoirTests {
    /// The result of `Kernels/noir.cl` or `Kernels/noir_steep.cl` for a luma, in single precision.
    private func value(_ luma: Float, _ stage: PointStage) throws -> Float {
        let a = try stage.floats()
        guard stage.kernel == "noir" else {
            let index = Int(luma * 1024)
            return a[index] + (luma * 1024 - Float(index)) * (a[index + 1] - a[index])
        }
        let x = luma - a[0]
        return a[1] + x * a[2...].reversed().reduce(0) { $0 * x * x + $1 }
    }

    @Test(arguments: [0, 0.1, 0.5, 0.77, 1] as [Float], [0, 0.01, 1, 2.7, 3, 5, 5.4, 6, 20] as [Float])
    func theCurveIsMetWithinAStepOf65535(midpoint: Float, contrast: Float) throws {
        let noir = Noir(contrast: contrast, midpoint: midpoint)
        let photo = PhotoGeometry(width: 1, height: 1)
        guard case .point(let stage) = try #require(noir.stages(for: photo).first) else {
            Issue.record("noir is a point stage")
            return
        }
        let worst = try stride(from: 0, through: 1, by: 1 / 1531).map { luma in
            abs(Double(try value(Float(luma), stage)) - noir.curve(luma))
        }.max()
        #expect(try #require(worst) < 1.0 / 65535)
    }

    @Test func defaultSettingsUseNoTable() {
        #expect(
            Noir().stages(for: PhotoGeometry(width: 1, height: 1)).allSatisfy {
                if case .point(let stage) = $0 { stage.kernel == "noir" } else { false }
            })
    }
}

struct OddPolynomialTests {
    @Test func aPolynomialIsFoundAgain() {
        let found = OddPolynomial.coefficients(3, limit: 0.7) { 2 * $0 - 0.5 * pow($0, 3) + 4 * pow($0, 5) }
        for (value, expected) in zip(found, [2, -0.5, 4]) { #expect(abs(value - expected) < 1e-12) }
    }

    @Test func aSineIsMetToTheChebyshevBound() {
        // |error| <= limit^(n + 1) / (2^n (n + 1)!) for interpolation at n + 1 = 10 zeros.
        let limit = 1.5, bound = pow(limit, 10) / (512 * 3_628_800)
        let coefficients = OddPolynomial.coefficients(5, limit: limit, fitting: sin)
        for x in stride(from: -limit, through: limit, by: 0.01) {
            let value = x * coefficients.reversed().reduce(0) { $0 * x * x + $1 }
            #expect(abs(value - sin(x)) <= bound)
        }
    }
}
