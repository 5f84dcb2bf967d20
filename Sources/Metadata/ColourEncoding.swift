import Glibc

/// The meaning of a photo's sample values: a curve from encoded to linear light, and the primaries' colours.
package struct ColourEncoding: Hashable {
    /// CIE 1931 x and y.
    package struct Chromaticity: Hashable {
        package var x, y: Double

        package init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    package struct Primaries: Hashable {
        package var white, red, green, blue: Chromaticity

        package init(white: Chromaticity, red: Chromaticity, green: Chromaticity, blue: Chromaticity) {
            self.white = white
            self.red = red
            self.green = green
            self.blue = blue
        }
    }

    /// Maps encoded to linear values, both 0...1.
    package enum Curve: Hashable {
        case power(Double)
        /// (a x + b)^exponent; x / slope below `end`.
        case linearBelow(end: Double, slope: Double, offset: Double, exponent: Double)
    }

    package var curve: Curve
    package var primaries: Primaries

    package init(curve: Curve, primaries: Primaries) {
        self.curve = curve
        self.primaries = primaries
    }
}

extension ColourEncoding.Curve {
    /// IEC 61966-2-1.
    package static let sRGB = Self.linearBelow(end: 0.04045, slope: 12.92, offset: 0.055, exponent: 2.4)
    /// ITU-R BT.709: the inverse of the camera's curve.
    package static let bt709 = Self.linearBelow(end: 0.081, slope: 4.5, offset: 0.099, exponent: 1 / 0.45)
    /// Adobe RGB (1998), version 2005-05, 4.3.1.2.
    package static let adobeRGB = Self.power(563.0 / 256)

    /// The linear value of an encoded one.
    package func linear(_ value: Double) -> Double {
        switch self {
        case .power(let exponent): pow(value, exponent)
        case .linearBelow(let end, let slope, let offset, let exponent):
            value < end ? value / slope : pow((value + offset) / (1 + offset), exponent)
        }
    }
}

extension ColourEncoding.Primaries {
    /// BT.709 and sRGB. Those up to Display P3 are from ITU-T H.273, table 2.
    package static let sRGB = Self(d65: (0.640, 0.330), (0.300, 0.600), (0.150, 0.060))
    package static let bt470BG = Self(d65: (0.640, 0.330), (0.290, 0.600), (0.150, 0.060))
    package static let bt601 = Self(d65: (0.630, 0.340), (0.310, 0.595), (0.155, 0.070))
    package static let bt2020 = Self(d65: (0.708, 0.292), (0.170, 0.797), (0.131, 0.046))
    package static let displayP3 = Self(d65: (0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
    /// Adobe RGB (1998), version 2005-05, 4.3.1.1.
    package static let adobeRGB = Self(d65: (0.640, 0.330), (0.210, 0.710), (0.150, 0.060))

    private init(d65 points: (x: Double, y: Double)...) {
        let colours = points.map { ColourEncoding.Chromaticity(x: $0.x, y: $0.y) }
        self.init(white: .init(x: 0.3127, y: 0.3290), red: colours[0], green: colours[1], blue: colours[2])
    }

    package var points: [ColourEncoding.Chromaticity] { [white, red, green, blue] }
    /// False if all mixtures of the primaries are on a line.
    package var spansColours: Bool { columnsInD50 != nil }
}

// MARK: As an ICC profile

extension ColourEncoding {
    /// A small profile (ICC.1:2022, version 4) with the same meaning, for formats that support only profiles.
    ///
    /// - Parameters:
    ///   - hasColour: false gives a profile for grey, of which only the curve and white matter.
    ///   - description: the name that applications show.
    /// - Returns: nil if the primaries span no colours.
    package func profile(hasColour: Bool, description: String) -> ICCProfile? {
        primaries.profile(curve: curve.tag, hasColour: hasColour, description: description)
    }
}

extension ColourEncoding.Primaries {
    /// - Parameter curve: the content of a profile's tag, from encoded to linear values.
    func profile(curve: [UInt8], hasColour: Bool, description: String) -> ICCProfile? {
        guard let columns = columnsInD50, let adaptation = adaptationToD50 else { return nil }
        func text(_ text: String) -> [UInt8] { ICCTag.text(text) }
        var tags = [
            ("desc", text(description)), ("cprt", text("No copyright, use freely")),
            ("wtpt", ICCTag.xyz(Matrix3.d50)), ("chad", ICCTag.numbers(adaptation.elements)),
        ]
        if hasColour {
            tags += zip(["rXYZ", "gXYZ", "bXYZ"], columns).map { ($0, ICCTag.xyz($1)) }
            tags += ["rTRC", "gTRC", "bTRC"].map { ($0, curve) }
        } else {
            tags.append(("kTRC", curve))
        }
        return ICCProfile(tags: tags, space: hasColour ? "RGB " : "GRAY")
    }
}

extension ColourEncoding.Primaries {
    /// Bradford's adaptation from this white to D50 (ICC.1:2022, annex E).
    fileprivate var adaptationToD50: Matrix3? {
        let bradford = Matrix3([0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296])
        let from = bradford * white.xyz, to = bradford * Matrix3.d50
        guard let back = bradford.inverse, from.allSatisfy({ $0 > 0 }) else { return nil }
        return back * Matrix3(diagonal: zip(to, from).map { $0 / $1 }) * bradford
    }

    /// XYZ of red, green and blue, adapted to D50, with white as their sum.
    fileprivate var columnsInD50: [[Double]]? {
        let all = [red, green, blue].map(\.xyz)
        let matrix = Matrix3((0..<3).flatMap { row in all.map { $0[row] } })
        guard let scales = matrix.inverse.map({ $0 * white.xyz }), let adaptation = adaptationToD50 else {
            return nil
        }
        return zip(all, scales).map { column, scale in adaptation * column.map { $0 * scale } }
    }
}

extension ColourEncoding.Chromaticity {
    /// Of luminance 1.
    fileprivate var xyz: [Double] { y > 0 ? [x / y, 1, (1 - x - y) / y] : [0, 0, 0] }
}

extension ColourEncoding.Curve {
    /// A parametric curve (ICC.1:2022, 10.18): type 0 for powers, else type 3.
    fileprivate var tag: [UInt8] {
        switch self {
        case .power(let exponent): ICCTag.curve(type: 0, [exponent])
        case .linearBelow(let end, let slope, let offset, let exponent):
            ICCTag.curve(type: 3, [exponent, 1 / (1 + offset), offset / (1 + offset), 1 / slope, end])
        }
    }
}

/// 3 x 3, row by row.
private struct Matrix3 {
    let elements: [Double]

    /// The white of ICC's connection space.
    static let d50 = [0.9642, 1, 0.8249]

    init(_ elements: [Double]) { self.elements = elements }
    init(diagonal: [Double]) {
        elements = [diagonal[0], 0, 0, 0, diagonal[1], 0, 0, 0, diagonal[2]]
    }

    static func * (matrix: Self, column: [Double]) -> [Double] {
        let rows = [matrix.elements[0..<3], matrix.elements[3..<6], matrix.elements[6..<9]]
        return rows.map { row in zip(row, column).reduce(0) { sum, pair in sum + pair.0 * pair.1 } }
    }

    static func * (left: Self, right: Self) -> Self {
        var product = [Double](repeating: 0, count: 9)
        for row in 0..<3 {
            for column in 0..<3 {
                for step in 0..<3 {
                    let term: Double = left.elements[3 * row + step] * right.elements[3 * step + column]
                    product[3 * row + column] += term
                }
            }
        }
        return Self(product)
    }

    /// By cofactors; nil for a singular matrix.
    var inverse: Self? {
        func element(_ row: Int, _ column: Int) -> Double { elements[row % 3 * 3 + column % 3] }
        func cofactor(_ row: Int, _ column: Int) -> Double {
            let main: Double = element(row + 1, column + 1) * element(row + 2, column + 2)
            let other: Double = element(row + 1, column + 2) * element(row + 2, column + 1)
            return main - other
        }
        var determinant = 0.0
        for column in 0..<3 { determinant += element(0, column) * cofactor(0, column) }
        guard abs(determinant) > 1e-6 else { return nil }
        return Self((0..<9).map { index -> Double in cofactor(index % 3, index / 3) / determinant })
    }
}
