extension XMPPacket {
    /// Namespaces with properties about pictures.
    enum Namespace: String, CaseIterable {
        /// Ultra HDR 1.0.
        case gainMap = "http://ns.adobe.com/hdr-gain-map/1.0/"
        case appleGainMap = "http://ns.apple.com/HDRGainMap/1.0/"
        /// Google's list of the files behind a photo, in Ultra HDR and Motion Photo 1.0.
        case container = "http://ns.google.com/photos/1.0/container/"
        case containerItem = "http://ns.google.com/photos/1.0/container/item/"
        /// The same in Dynamic Depth 1.0, and what refers to these files.
        case depthDevice = "http://ns.google.com/photos/dd/1.0/device/"
        case depthContainer = "http://ns.google.com/photos/dd/1.0/container/"
        case depthItem = "http://ns.google.com/photos/dd/1.0/item/"
        /// Google's copy of the photo before its effects.
        case image = "http://ns.google.com/photos/1.0/image/"
        case camera = "http://ns.google.com/photos/1.0/camera/"
        case xmp = "http://ns.adobe.com/xap/1.0/"
        case xmpNote = "http://ns.adobe.com/xmp/note/"
        case tiff = "http://ns.adobe.com/tiff/1.0/"
        case exif = "http://ns.adobe.com/exif/1.0/"
        case exifExtension = "http://cipa.jp/exif/1.0/"
        case photoshop = "http://ns.adobe.com/photoshop/1.0/"
        case terms = "http://purl.org/dc/terms/"
        /// Faces and other things in the photo, and where they are: Metadata Working Group, 2.0, 5.9.
        case regions = "http://www.metadataworkinggroup.com/schemas/regions/"
        /// People: Microsoft's People Tagging.
        case people = "http://ns.microsoft.com/photo/1.2/"
        /// IPTC Photo Metadata 2019.1 and later, Image Region.
        case iptcExtension = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
        case acdseeRegions = "http://ns.acdsee.com/regions/"
        /// A picture of the distances: Google's Depthmap Metadata.
        case depth = "http://ns.google.com/photos/1.0/depthmap/"
        /// The place that is sharp: the same.
        case focus = "http://ns.google.com/photos/1.0/focus/"
        /// Where a panorama's pixels are on a sphere: Google's Photo Sphere XMP Metadata.
        case panorama = "http://ns.google.com/photos/1.0/panorama/"

        /// Whether all its properties are about pictures behind the photo.
        var describesOnlyPictures: Bool {
            switch self {
            case .gainMap, .appleGainMap, .container, .containerItem, .depthContainer, .depthItem: true
            default: false
            }
        }
    }

    struct Name: Hashable {
        let namespace: Namespace
        let local: String
    }
}

// MARK: What properties are about

extension XMPPacket.Name {
    private func isOne(of locals: Set<String>, in namespace: XMPPacket.Namespace) -> Bool {
        self.namespace == namespace && locals.contains(local)
    }

    /// Whether it is about pictures or a video behind the photo.
    var describesFurtherPictures: Bool {
        namespace.describesOnlyPictures
            || namespace == .camera && (local.hasPrefix("MotionPhoto") || local.hasPrefix("MicroVideo"))
            || isOne(of: ["Container", "Profiles", "Cameras", "Planes"], in: .depthDevice)
    }

    var isPreview: Bool { namespace == .image || isOne(of: ["Thumbnails"], in: .xmp) }
    var isOrientation: Bool { isOne(of: ["Orientation"], in: .tiff) }
    var namesExtendedXMP: Bool { isOne(of: ["HasExtendedXMP"], in: .xmpNote) }
    /// Where Content Credentials are: C2PA Technical Specification, "Embedding references to external manifests".
    var refersToCredentials: Bool { isOne(of: ["provenance"], in: .terms) }

    /// What else than regions tells where something is in the photo, as shares of it, or where the photo is in a panorama.
    var place: PlaceInPhoto? {
        switch namespace {
        case .acdseeRegions: .region
        case .depth, .focus: .depth
        case .panorama: .panorama
        default: nil
        }
    }

    /// The whole property with regions that can be moved.
    var holdsRegions: Bool {
        isOne(of: ["Regions"], in: .regions) || isOne(of: ["RegionInfo"], in: .people)
            || isOne(of: ["ImageRegion"], in: .iptcExtension)
    }

    /// Whether it has the photo's size in pixels, or places in pixels.
    var isInPixels: Bool {
        isOne(of: ["ImageWidth", "ImageLength"], in: .tiff)
            || isOne(
                of: ["PixelXDimension", "PixelYDimension", "SubjectArea", "SubjectLocation"], in: .exif)
    }

    /// The name of the other axis's pixel density.
    var densityOfOtherAxis: String? {
        guard
            isOne(of: ["XResolution", "YResolution"], in: .tiff)
                || isOne(of: ["FocalPlaneXResolution", "FocalPlaneYResolution"], in: .exif)
        else { return nil }
        return local.contains("XRes")
            ? local.replacing("XRes", with: "YRes") : local.replacing("YRes", with: "XRes")
    }

    /// Whether it is about the meaning of sample values.
    var isColourMeaning: Bool {
        isOne(of: ["WhitePoint", "PrimaryChromaticities", "TransferFunction"], in: .tiff)
            || isOne(of: ["Gamma", "InteroperabilityIndex"], in: .exifExtension)
            || isOne(of: ["Gamma"], in: .exif)
    }

    var isProfileName: Bool { isOne(of: ["ICCProfile"], in: .photoshop) }
    var isColourSpace: Bool { isOne(of: ["ColorSpace"], in: .exif) }
}

// MARK: Signs

extension XMPPacket {
    /// Every packet with a removable property contains one of these, except for those below. The search is fast, and
    /// spares most packets the parsing.
    static let signs = [
        "http://ns.google.com/photos/1.0/", "http://ns.google.com/photos/dd/1.0/", Namespace.gainMap.rawValue,
        Namespace.appleGainMap.rawValue, "Thumbnails", "HasExtendedXMP", "Orientation", "provenance",
    ]

    /// Every packet with properties of places contains one of these. Many packets do.
    static let signsOfPlaces =
        [
            "ImageWidth", "ImageLength", "Dimension", "SubjectArea", "SubjectLocation", "Resolution",
            Namespace.people.rawValue, "ImageRegion",
        ] + signsOfPlacesAsShares

    /// Extended XMP with places that become false contains one of these. The names of namespaces are often in the packet.
    static let signsOfPlacesInExtendedXMP =
        signsOfPlacesAsShares
        + [
            "RegionInfo", "ImageRegion", "RegionList", "GDepth:", "GFocus:", "GPano:",
        ]

    /// The same for an output that shows the whole photo at another size.
    static let signsOfPlacesInPixels = ["RegionBoundary"]

    private static let signsOfPlacesAsShares = [
        Namespace.regions, .acdseeRegions, .depth, .focus, .panorama,
    ].map(\.rawValue)

    /// Extended XMP with previews contains one of these.
    static let signsOfPreviews = ["Thumbnails", "photos/1.0/image/", "GImage:"]

    /// Every packet with an image in its text contains one of these: the first bytes of a JPEG and of a PNG, in Base64.
    static let signsOfImages = ["/9j/", "iVBORw0KGgo"]

    /// Every packet about the meaning of sample values contains one of these.
    static let signsOfColour = [
        "ICCProfile", "ColorSpace", "WhitePoint", "PrimaryChromaticities", "TransferFunction", "Gamma",
        "InteroperabilityIndex",
    ]
}
