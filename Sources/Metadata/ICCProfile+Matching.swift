extension ICCProfile {
    /// Whether the profile can describe pixels of these colours. One of RGB also describes grey, as equal red, green and blue.
    /// That of sRGB describes what inks become without a profile of their own.
    package func fits(_ colours: ColourSpace) -> Bool {
        switch colours {
        case .grey: colourSpace == .grey || colourSpace == .rgb
        case .cmyk: colourSpace == .cmyk || isSRGB
        default: colourSpace == colours
        }
    }

    /// The profile for the same pixels in a colour or grey file; nil if there is none.
    ///
    /// Grey means equal red, green and blue, so what remains of a profile is its curve. sRGB's primaries are added to that of
    /// grey, because filters treat values as sRGB.
    package func matching(colour: Bool) -> ICCProfile? {
        switch (colourSpace, colour) {
        case (.rgb, true), (.grey, false): self
        case (.rgb, false): isSRGB ? .sRGBGrey : curve(ofTags: ["rTRC", "gTRC", "bTRC"]).flatMap(Self.grey)
        case (.grey, true): self == .sRGBGrey ? .sRGB : curve(ofTags: ["kTRC"]).flatMap(Self.colour)
        default: nil
        }
    }

    /// The tag that all of these are equal to; nil if it is not all that the profile says of grey.
    private func curve(ofTags names: [String]) -> [UInt8]? {
        let hasTables = ["A2B0", "A2B1", "D2B0", "D2B1"].contains { content(ofTag: $0) != nil }
        guard let curve = content(ofTag: names[0]), !hasTables, connectsByXYZ,
            ["curv", "para"].contains(where: { curve.starts(with: $0.utf8) }),
            names.allSatisfy({ content(ofTag: $0) == curve })
        else { return nil }
        return curve
    }

    private static func grey(_ curve: [UInt8]) -> ICCProfile? {
        ColourEncoding.Primaries.sRGB.profile(
            curve: curve, hasColour: false, description: "Grey, with the curve of the RGB profile")
    }

    private static func colour(_ curve: [UInt8]) -> ICCProfile? {
        ColourEncoding.Primaries.sRGB.profile(
            curve: curve, hasColour: true, description: "RGB, with the curve of the grey profile")
    }
}
