import CTintypeIsolation
import CTintypeHEIF
import TintypeImaging
import TintypeMetadata

/// What a HEIC or AVIF says of its primary image.
struct HEIFHead: IsolatedHead {
    static let library = IsolatedLibrary(
        name: "libheif", codec: { cheif_codec() }, package: "libheif1",
        encoderPackage: "libheif-plugin-aomenc")

    let values: LibraryHead
    let fileIsWhole: Bool
    private let format: HEIFFormat
    private let own: cheif_head
    private let heldSamples: Int
    private let gainMaps: [HEIFGainMap]

    init(_ file: [UInt8], of format: HEIFFormat, limits: DecodeLimits) throws(CodecError) {
        self.format = format
        fileIsWhole = !cheif_ends_within_a_box(file, file.count)
        values = try LibraryHead(
            file, Self.library, of: PhotoFormat(format), fileIsWhole: fileIsWhole, limits: limits)
        own = values.own(cheif_head.self)
        heldSamples = Self.heldSamples(file, format)
        gainMaps = HEIFGainMap.all(in: file)
    }

    /// A file that calls itself a HEIF first may have AV1 inside, as its further brands say.
    private static func heldSamples(_ file: [UInt8], _ format: HEIFFormat) -> Int {
        let brands = String(decoding: file.prefix(64), as: Unicode.ASCII.self)
        return brands.contains("avif") ? HEIFFormat.mostHeldSamples : format.heldSamples
    }

    var memoryByteCount: Int {
        values.pixelCount * heldSamples * (values.common.is_16_bit ? 2 : 1)
            + LibraryHead.constantByteCount
    }

    var furtherPictures: Set<FurtherPicture> {
        var pictures: Set<FurtherPicture> = []
        if own.has_gain_map || !gainMaps.isEmpty { pictures.insert(.gainMap) }
        if own.has_further_pictures { pictures.insert(.picture) }
        return pictures
    }

    /// A file may have the same map in two forms. The first that an output can have is taken.
    func readGainMap(of file: [UInt8], limits: DecodeLimits) throws(CodecError) -> GainMap? {
        var unsuitable: GainMap?
        for map in gainMaps {
            guard let found = try gainMap(map, in: file, limits: limits) else { continue }
            if found.obstacle == nil { return found }
            unsuitable = unsuitable ?? found
        }
        return unsuitable
    }

    private func gainMap(
        _ map: HEIFGainMap, in photo: [UInt8], limits: DecodeLimits
    ) throws(CodecError) -> GainMap? {
        let isGrey = map.isGrey
        if let toneMapping = map.toneMapping {
            guard let mapping = ToneMapping(item: toneMapping, isGrey: isGrey) else { return nil }
            return GainMap(
                showing: map.shown(in: photo), isGrey: isGrey, mapping.metadata, isMentioned: true,
                mapping.isBrighter ? mapping.hasOtherPrimaries ? .otherPrimaries : nil : .notBrighter)
        }
        let file = map.shown(in: photo)
        do throws(CodecError) {
            let metadata = try PhotoReader(bytes: file, limits: limits).metadata.ofAppleGainMap
            return GainMap(showing: file, isGrey: isGrey, metadata, isMentioned: false)
        } catch {
            switch error {
            case .outOfMemory, .needsTooMuchMemory: throw error
            default: return nil
            }
        }
    }

    /// As a PNG's cICP chunk holds them; nil if they say sRGB, which is also meant where one is unspecified. The pixels are RGB
    /// in full range by now.
    var codes: [UInt8]? {
        let unspecified: UInt8 = 2
        let primaries = own.primaries == unspecified ? ColourCodes.sRGB.primaries : own.primaries
        let curve = own.curve == unspecified ? ColourCodes.sRGB.curve : own.curve
        return own.has_codes && (primaries, curve) != ColourCodes.sRGB ? [primaries, curve, 0, 1] : nil
    }

    /// Green, blue and red as planes make larger files, so only encoders without loss choose them.
    var isLossless: Bool { own.has_codes && own.matrix == 0 }
    var colourMeaning: ColourMeaning { format.colour(values.hasProfile ? nil : codes) }
    var metadata: PhotoMetadata { values.uprightMetadata(codes: codes) }
}

extension GainMap {
    /// - Parameter isMentioned: whether a JPEG with it says so, as the standard wants.
    fileprivate init?(
        showing file: [UInt8], isGrey: Bool, _ metadata: PhotoMetadata, isMentioned: Bool,
        _ obstacle: GainMapObstacle? = nil
    ) {
        guard let meaning = GainMapMetadata(metadata) else { return nil }
        self.init(
            file: file, isGrey: isGrey, metadata: metadata,
            mention: GainMapMention(isInXMP: isMentioned, isInSegment: isMentioned), meaning: meaning,
            obstacle: obstacle)
    }
}
