extension ICCProfile {
    /// sRGB, in some 500 bytes. ICC.1:2022, 8.4.3 (three-component matrix-based display profile).
    package static let sRGB: ICCProfile = {
        let encoding = ColourEncoding(curve: .sRGB, primaries: .sRGB)
        guard let profile = encoding.profile(hasColour: true, description: "sRGB") else {
            preconditionFailure("sRGB's primaries span colours")
        }
        return profile
    }()

    /// What Adobe RGB (1998) is, for photos of which only EXIF says it.
    package static let adobeRGB: ICCProfile = {
        let encoding = ColourEncoding(curve: .adobeRGB, primaries: .adobeRGB)
        let profile = encoding.profile(hasColour: true, description: "Compatible with Adobe RGB (1998)")
        guard let profile else { preconditionFailure("Adobe RGB's primaries span colours") }
        return profile
    }()

    /// Grey with sRGB's curve, for a photo in sRGB that becomes grey. ICC.1:2022, 8.4.4 (monochrome display
    /// profile). The curve is IEC 61966-2-1 as ICC's type 3: (aX + b)^g for X >= d, else cX.
    public static let sRGBGrey = ICCProfile(
        tags: [
            ("desc", ICCTag.text("sRGB grey")),
            ("cprt", ICCTag.text("CC0")),
            ("wtpt", ICCTag.xyz([0.9642, 1, 0.8249])),
            ("kTRC", ICCTag.curve(type: 3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])),
        ], space: "GRAY")
}
