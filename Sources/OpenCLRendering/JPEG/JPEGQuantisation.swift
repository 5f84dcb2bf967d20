extension JPEGHeader {
    /// The places of coefficients in zigzag order (T.81, figure A.6), by rows.
    static let zigzag: [Int] = {
        var places: [Int] = []
        for diagonal in 0..<15 {
            let ys = max(0, diagonal - 7)...min(7, diagonal)
            places += (diagonal % 2 == 0 ? ys.reversed() : Array(ys)).map { 8 * $0 + diagonal - $0 }
        }
        return places
    }()
}

/// Division by a step of quantisation as jcdctmgr.c does it: (value + correction) * factor, of which the upper 32 bits are taken.
struct StepReciprocal {
    let factor, correction: UInt32

    /// - Parameter step: 1 to 255.
    init(_ step: UInt16) {
        // The transform's results are 8 times the coefficients.
        let divisor = UInt64(step) * 8
        let bits = UInt64.bitWidth - 1 - divisor.leadingZeroBitCount
        var shift = 16 + bits
        var factor = (1 << shift) / divisor, correction = divisor / 2
        switch (1 << UInt64(shift)) % divisor {
        case 0:
            factor /= 2
            shift -= 1
        case 1...divisor / 2: correction += 1
        default: factor += 1
        }
        self.factor = UInt32(truncatingIfNeeded: factor << (32 - shift))
        self.correction = UInt32(correction)
    }
}
