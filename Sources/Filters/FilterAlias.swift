/// Names that people know from other programs.
package enum FilterAlias {
    /// Other spellings of a filter's name, which texts may use.
    static let synonyms = ["greyscale": "grayscale"]

    /// A sentence that names what there is instead; nil for names that mean nothing here.
    package static func suggestion(for name: String) -> String? {
        let letters = name.lowercased().filter { $0.isLetter || $0.isNumber }
        return meanings[letters].map { "Did you mean \($0.map { "'\($0)'" }.alternatives)?" }
    }

    /// For names without hyphens and blanks, texts of filters that do what is meant.
    static let meanings: [String: [String]] = {
        let lines = [
            "grayscale noir": "bw blackwhite blackandwhite mono monochrome desaturate gray grey",
            "saturate vibrance": "saturation colour color colors colours",
            "white-balance": "temperature whitebalance wb tint kelvin",
            "white-balance:temperature=20": "warm warmth warmer",
            "white-balance:temperature=-20": "cool cold cooler",
            "fade sepia tintype": "vintage retro old antique",
            "tintype": "wetplate ambrotype daguerreotype",
            "curves levels vibrance": "hdr tonemap tonemapping",
            "levels curves": "highlights shadows blacks whites",
            "levels": "autolevels normalize normalise",
            "exposure brightness": "bright brighten darken lighten light ev",
            "hue-rotate": "hue",
            "invert": "negative negate",
            "blur": "gaussian gaussianblur gauss soften",
            "sharpen": "sharp sharpness unsharp unsharpmask usm clarity structure",
            "median": "denoise despeckle noisereduction",
            "grain": "noise film filmgrain",
            "tilt-shift": "miniature tilt bokeh",
            "resize": "scale size thumbnail thumb shrink enlarge",
            "crop:aspect=1:1": "square",
            "crop": "trim cut",
            "border": "frame pad padding",
            "watermark": "logo overlay text copyright",
            "lut": "clut cube hald colortable",
            "duotone": "tritone colorize colourise colorise",
            "split-tone": "toning tone colourgrade colorgrade grading",
        ]
        return Dictionary(
            uniqueKeysWithValues: lines.flatMap { texts, names in
                names.split(separator: " ").map {
                    (String($0), texts.split(separator: " ").map(String.init))
                }
            })
    }()
}
