import CTintypeLibLCMS
import Foundation
import Testing
import TintypeMetadata

/// Profiles that LittleCMS makes, and what their numbers mean.
struct MatrixProfile {
    /// CIE 1931 x and y.
    typealias Point = (x: Double, y: Double)

    let name: String
    let primaries: [Point]
    /// From encoded to linear values.
    let curve: [Double]
    let curveType: Int32

    /// IEC 61966-2-1, as ICC's type 3, which LittleCMS calls 4.
    private static let srgbCurve = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]

    static let srgb = MatrixProfile(
        name: "c2", primaries: [(0.64, 0.33), (0.3, 0.6), (0.15, 0.06)], curve: srgbCurve, curveType: 4)
    /// SMPTE EG 432-1's primaries with sRGB's white and curve.
    static let displayP3 = MatrixProfile(
        name: "Display P3", primaries: [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06)], curve: srgbCurve,
        curveType: 4)
    /// Adobe RGB (1998), version 2005-05: 4.3.1.1 and 4.3.1.2.
    static let adobeRGB = MatrixProfile(
        name: "Adobe RGB", primaries: [(0.64, 0.33), (0.21, 0.71), (0.15, 0.06)], curve: [563.0 / 256],
        curveType: 1)
    static let linear = MatrixProfile(
        name: "linear sRGB", primaries: [(0.64, 0.33), (0.3, 0.6), (0.15, 0.06)], curve: [1], curveType: 1)

    /// D65, the white of all of them.
    private static let white = (x: 0.3127, y: 0.3290)

    func profile() throws -> ICCProfile {
        var white = cmsCIExyY(x: Self.white.x, y: Self.white.y, Y: 1)
        let points = primaries.map { cmsCIExyY(x: $0.x, y: $0.y, Y: 1) }
        var triple = cmsCIExyYTRIPLE(Red: points[0], Green: points[1], Blue: points[2])
        let curve = try #require(cmsBuildParametricToneCurve(nil, curveType, self.curve))
        defer { cmsFreeToneCurve(curve) }
        let curves: [OpaquePointer?] = [curve, curve, curve]
        return try .saving(cmsCreateRGBProfile(&white, &triple, curves))
    }

    /// The colour in sRGB, from the primaries' definition; all values are 0...1.
    func inSRGB(_ colour: [Double]) -> [Double] {
        let light = Self.product(Self.toXYZ(primaries), colour.map(linear))
        return Self.product(Self.inverse(Self.toXYZ(Self.srgb.primaries)), light).map { value in
            let value = min(max(value, 0), 1)
            return value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055
        }
    }

    private func linear(_ value: Double) -> Double {
        if curve.count == 1 { return pow(value, curve[0]) }
        return value >= curve[4] ? pow(curve[1] * value + curve[2], curve[0]) : curve[3] * value
    }

    /// Columns are X, Y, Z of the primaries, whose sum is white.
    private static func toXYZ(_ primaries: [Point]) -> [[Double]] {
        let points = primaries.map { [$0.x / $0.y, 1, (1 - $0.x - $0.y) / $0.y] }
        let rows = (0..<3).map { row in points.map { $0[row] } }
        let white = [white.x / white.y, 1, (1 - white.x - white.y) / white.y]
        let scales = product(inverse(rows), white)
        return rows.map { row in zip(row, scales).map { $0 * $1 } }
    }

    private static func product(_ matrix: [[Double]], _ column: [Double]) -> [Double] {
        matrix.map { row in zip(row, column).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    private static func inverse(_ m: [[Double]]) -> [[Double]] {
        func cofactor(_ row: Int, _ column: Int) -> Double {
            let (r, s) = ((row + 1) % 3, (row + 2) % 3)
            let (c, d) = ((column + 1) % 3, (column + 2) % 3)
            return m[r][c] * m[s][d] - m[r][d] * m[s][c]
        }
        let determinant = (0..<3).reduce(0) { $0 + m[0][$1] * cofactor(0, $1) }
        return (0..<3).map { row in (0..<3).map { cofactor($0, row) / determinant } }
    }
}

extension ICCProfile {
    /// Takes the bytes of one of LittleCMS's profiles, and closes it.
    static func saving(_ profile: cmsHPROFILE?) throws -> ICCProfile {
        let profile = try #require(profile)
        defer { cmsCloseProfile(profile) }
        var count: cmsUInt32Number = 0
        try #require(cmsSaveProfileToMem(profile, nil, &count) != 0)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        try #require(cmsSaveProfileToMem(profile, &bytes, &count) != 0)
        return ICCProfile(bytes: bytes)
    }

    static func grey(gamma: Double) throws -> ICCProfile {
        let curve = try #require(cmsBuildGamma(nil, gamma))
        defer { cmsFreeToneCurve(curve) }
        return try saving(cmsCreateGrayProfile(cmsD50_xyY(), curve))
    }

    /// RGB through a table, as scanners have, with curves that are steep near black, as XYB has.
    static func steepTable() throws -> ICCProfile {
        let profile = try #require(cmsCreateProfilePlaceholder(nil))
        cmsSetProfileVersion(profile, 2.4)
        cmsSetDeviceClass(profile, cmsSigInputClass)
        cmsSetColorSpace(profile, cmsSigRgbData)
        cmsSetPCS(profile, cmsSigLabData)
        let pipeline = try #require(cmsPipelineAlloc(nil, 3, 3))
        defer { cmsPipelineFree(pipeline) }
        let curve = try #require(cmsBuildGamma(nil, 0.3))
        defer { cmsFreeToneCurve(curve) }
        let curves: [OpaquePointer?] = [curve, curve, curve]
        let table = cmsStageAllocCLut16bit(nil, 17, 3, 3, nil)
        let sampled = cmsStageSampleCLut16bit(
            table,
            { colour, result, _ in
                guard let colour, let result else { return 0 }
                let (r, g, b) = (
                    Double(colour[0]) / 65535, Double(colour[1]) / 65535, Double(colour[2]) / 65535
                )
                // Lab of version 2: ICC.1:2001-04, A.3.
                result[0] = UInt16(100 * pow((r + 2 * g + b) / 4, 2) * 652.8)
                result[1] = UInt16((60 * (r - g) + 128) * 256)
                result[2] = UInt16((60 * (g - b) + 128) * 256)
                return 1
            }, nil, 0)
        try #require(sampled != 0)
        try #require(
            cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nil, 3, curves)) != 0)
        try #require(cmsPipelineInsertStage(pipeline, cmsAT_END, table) != 0)
        try #require(cmsWriteTag(profile, cmsSigAToB0Tag, UnsafeRawPointer(pipeline)) != 0)
        return try saving(profile)
    }

    /// What LittleCMS makes of colours in floating point, without any table of its own: sRGB in 0...1, not limited to it.
    ///
    /// - Parameter colours: three values of 0...1 for each pixel, or four inks in percent.
    func exactly(_ colours: [Float], inks: Bool = false) throws -> [Float] {
        let profile = try #require(cmsOpenProfileFromMem(bytes, cmsUInt32Number(bytes.count)))
        let srgb = cmsCreate_sRGBProfile()
        defer {
            cmsCloseProfile(profile)
            cmsCloseProfile(srgb)
        }
        // Floats: PT_RGB 4 with 3 channels, PT_CMYK 6 with 4, of 4 bytes (lcms2.h).
        let rgb: cmsUInt32Number = 1 << 22 | 4 << 16 | 3 << 3 | 4,
            cmyk: cmsUInt32Number = 1 << 22 | 6 << 16 | 4 << 3 | 4
        let transform = try #require(
            cmsCreateTransform(
                profile, inks ? cmyk : rgb, srgb, rgb, cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC),
                cmsUInt32Number(cmsFLAGS_NOOPTIMIZE | cmsFLAGS_BLACKPOINTCOMPENSATION)))
        defer { cmsDeleteTransform(transform) }
        let count = colours.count / (inks ? 4 : 3)
        var result = [Float](repeating: 0, count: 3 * count)
        cmsDoTransform(transform, colours, &result, cmsUInt32Number(count))
        return result
    }

    /// CMYK whose first ink takes green light, the second blue, and the third red: as the usual formula, with the
    /// channels turned. So a conversion that ignores the profile, or inverts its inks, is far off.
    static func turnedInks() throws -> ICCProfile {
        let profile = try #require(cmsCreateProfilePlaceholder(nil))
        cmsSetProfileVersion(profile, 2.4)
        cmsSetDeviceClass(profile, cmsSigOutputClass)
        cmsSetColorSpace(profile, cmsSigCmykData)
        cmsSetPCS(profile, cmsSigLabData)
        let srgb = cmsCreate_sRGBProfile()
        let lab = cmsCreateLab2Profile(nil)
        // Doubles: PT_RGB 4 and PT_Lab 10 with 3 channels of 0 bytes, which are 8 (lcms2.h).
        let double: cmsUInt32Number = 1 << 22 | 3 << 3
        let toLab = cmsCreateTransform(
            srgb, 4 << 16 | double, lab, 10 << 16 | double, cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC), 0)
        cmsCloseProfile(srgb)
        cmsCloseProfile(lab)
        defer { cmsDeleteTransform(toLab) }
        let pipeline = try #require(cmsPipelineAlloc(nil, 4, 3))
        defer { cmsPipelineFree(pipeline) }
        let table = cmsStageAllocCLut16bit(nil, 13, 4, 3, nil)
        let sampled = cmsStageSampleCLut16bit(
            table,
            { inks, result, toLab in
                guard let inks, let result else { return 0 }
                let light = (0..<4).map { 1 - Double(inks[$0]) / 65535 }
                let colour = [light[1], light[2], light[0]].map { $0 * light[3] }
                var lab = [0.0, 0, 0]
                cmsDoTransform(toLab, colour, &lab, 1)
                // Lab of version 2: ICC.1:2001-04, A.3.
                result[0] = UInt16(lab[0] * 652.8)
                result[1] = UInt16((lab[1] + 128) * 256)
                result[2] = UInt16((lab[2] + 128) * 256)
                return 1
            }, toLab, 0)
        try #require(sampled != 0)
        try #require(cmsPipelineInsertStage(pipeline, cmsAT_BEGIN, table) != 0)
        try #require(cmsWriteTag(profile, cmsSigAToB0Tag, UnsafeRawPointer(pipeline)) != 0)
        return try saving(profile)
    }
}
