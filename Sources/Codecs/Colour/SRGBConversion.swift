import TintypeImaging
import TintypeMetadata

/// Whether a photo's colour profile allows its conversion to sRGB.
package enum SRGBConversion {
    /// The photo has no profile that applies to its pixels, or that of sRGB.
    case notNeeded
    case possible(SRGBTransform)
    /// `detail` is the reason, as a part of a sentence.
    case impossible(detail: String)

    /// From pixels. A profile of RGB may be that of grey ones, see `ICCProfile.fits`.
    init(_ profile: ICCProfile?, _ channels: PixelLayout.Channels, _ depth: PixelLayout.SampleDepth) {
        self.init(profile, of: channels.hasColour ? .rgb : .grey) { profile throws in
            let transform = try SRGBTransform(profile, from: .pixels(channels, depth))
            return transform.changesColours ? transform : nil
        }
    }

    /// From inks.
    init(inks profile: ICCProfile?) {
        self.init(profile, of: .cmyk) { profile throws in
            // They become RGB in any case, and sRGB without a profile.
            profile.colourSpace == .cmyk ? try SRGBTransform(profile, from: .invertedCMYK) : nil
        }
    }

    private init(
        _ profile: ICCProfile?, of colours: ICCProfile.ColourSpace,
        _ make: (ICCProfile) throws -> SRGBTransform?
    ) {
        guard let profile else {
            self = .notNeeded
            return
        }
        guard profile.fits(colours) else {
            self = .impossible(detail: "it is for other colours")
            return
        }
        do {
            self = try make(profile).map(Self.possible) ?? .notNeeded
        } catch let error as UnusableProfile {
            self = .impossible(detail: error.detail)
        } catch {
            self = .impossible(detail: "there is not enough memory")
        }
    }

    var isPossible: Bool { if case .possible = self { true } else { false } }
}

extension PhotoReader {
    /// Whether the photo has a profile through which its pixels can be converted to sRGB, and must be.
    package var canBecomeSRGB: Bool { srgbConversion.isPossible }

    /// Why the photo cannot be converted to sRGB; nil if it can or need not be.
    package var obstacleToSRGB: String? {
        if case .impossible(let detail) = srgbConversion { detail } else { nil }
    }

    /// Whether the photo has inks, CMYK, instead of RGB or grey. Decoded pixels are RGB.
    package var hasInks: Bool { decoder.inks != nil }

    /// Whether the photo's profile can describe its pixels.
    package var profileFits: Bool {
        metadata.icc?.fits(hasInks ? .cmyk : layout.hasColour ? .rgb : .grey) ?? true
    }

    /// The metadata, without a profile that cannot describe the pixels.
    package var fittingMetadata: PhotoMetadata { profileFits ? metadata : metadata.withoutProfile() }

    /// How the photo's own pixels are converted; for planes, those that the decoder converts to RGB.
    func makeConversion() -> SRGBConversion {
        if let inks = decoder.inks { return inks.inkConversion }
        let channels = PixelLayout.Channels(colour: layout.hasColour, alpha: layout.hasAlpha)
        if metadata.icc == nil {
            switch decoder.colourMeaning {
            case .sRGB: return .notNeeded
            case .encoding(let encoding, let description):
                let profile = encoding.profile(hasColour: layout.hasColour, description: description)
                return SRGBConversion(profile, channels, layout.depth)
            case .inexpressible(let detail): return .impossible(detail: detail)
            }
        }
        return SRGBConversion(metadata.icc, channels, layout.depth)
    }
}
