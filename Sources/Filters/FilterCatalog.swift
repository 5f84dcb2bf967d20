/// All filters. Flags, help, conformance tests and benchmarks come from this list.
public enum FilterCatalog {
    /// The filters' types, in the order in which help lists them.
    public static let all: [any Filter.Type] = [
        Brightness.self,
        Contrast.self,
        Grayscale.self,
        HueRotate.self,
        Invert.self,
        Saturate.self,
        Sepia.self,
        Curves.self,
        Exposure.self,
        Gamma.self,
        Levels.self,
        Vibrance.self,
        WhiteBalance.self,
        Border.self,
        Crop.self,
        Resize.self,
        Blur.self,
        Median.self,
        Sharpen.self,
        TiltShift.self,
        Duotone.self,
        Fade.self,
        Grain.self,
        LookUp.self,
        Noir.self,
        Posterize.self,
        SplitTone.self,
        Threshold.self,
        WetPlate.self,
        Vignette.self,
        Watermark.self,
    ]

    /// The filter with this name.
    ///
    /// - Throws: `FilterError.unknownFilter`, which suggests the nearest name.
    public static func filter(named name: String) throws(FilterError) -> any Filter.Type {
        guard let type = self[name] else {
            throw .unknownFilter(name: name, known: all.map { $0.name })
        }
        return type
    }

    /// The filter with this name, or nil.
    static subscript(name: String) -> (any Filter.Type)? { all.first { $0.name == name } }
}
