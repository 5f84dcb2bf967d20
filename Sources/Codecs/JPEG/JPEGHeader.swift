import CJPEG
import Imaging
import Metadata

extension cjpeg_header {
    var componentList: [cjpeg_component] {
        [components.0, components.1, components.2, components.3].prefix(Int(componentCount)).map(\.self)
    }

    /// See `PhotoReader.layout`.
    var layout: PixelLayout {
        get throws(CodecError) {
            switch colours {
            case CJPEG_COLOURS_GREY: .interleaved(.grey, .eight)
            case CJPEG_COLOURS_YCC: planeSubsampling.map { .yCbCr($0) } ?? .interleaved(.rgb, .eight)
            case CJPEG_COLOURS_RGB, CJPEG_COLOURS_CMYK: .interleaved(.rgb, .eight)
            default: throw .unsupported(detail: "a JPEG with \(componentCount) colour components")
            }
        }
    }

    /// True if the component's rows of blocks are 8 rows of pixels. Factors have no meaning in a grey file,
    /// but libjpeg returns `verticalFactor` rows of blocks at once.
    var isPlainGrey: Bool { colours == CJPEG_COLOURS_GREY && components.0.verticalFactor == 1 }

    /// The subsampling, if chroma has factors 1 x 1: libjpeg's rows of blocks then match a strip's.
    private var planeSubsampling: ChromaSubsampling? {
        let chroma = [components.1, components.2]
        guard chroma.allSatisfy({ $0.horizontalFactor == 1 && $0.verticalFactor == 1 }) else { return nil }
        return subsampling
    }

    /// Luma's factors divided by chroma's.
    private var subsampling: ChromaSubsampling? {
        guard componentCount >= 3 else { return nil }
        let luma = components.0
        let chroma = components.1
        guard chroma.horizontalFactor == components.2.horizontalFactor,
            chroma.verticalFactor == components.2.verticalFactor,
            luma.horizontalFactor % chroma.horizontalFactor == 0,
            luma.verticalFactor % chroma.verticalFactor == 0
        else { return nil }
        let subsampling = ChromaSubsampling(
            horizontal: Int(luma.horizontalFactor / chroma.horizontalFactor),
            vertical: Int(luma.verticalFactor / chroma.verticalFactor))
        // A scan of all components has at most 10 blocks in an MCU (ITU-T T.81, B.2.3), so at most 8 of luma.
        return subsampling.flatMap { $0.horizontal * $0.vertical <= 8 ? $0 : nil }
    }

    var coding: JPEGCoding? {
        let components = componentList
        guard components.allSatisfy(\.hasQuantTable) else { return nil }
        let tables = components.map { component in
            withUnsafeBytes(of: component.quantTable) { Array($0.bindMemory(to: UInt16.self)) }
        }
        return JPEGCoding(subsampling: subsampling, quantTables: tables)
    }

    var density: PixelDensity? {
        guard hasDensity else { return nil }
        let unit: PixelDensity.Unit =
            switch densityUnit {
            case 1: .perInch
            case 2: .perCentimetre
            default: .aspectOnly
            }
        return PixelDensity(x: Int(densityX), y: Int(densityY), unit: unit)
    }

    /// libjpeg's memory for an image in several scans: 64 coefficients of 2 bytes in each block.
    var coefficientByteCount: Int {
        componentList.reduce(0) { sum, component in
            let across = Int(component.blocksAcross).roundedUp(toMultipleOf: Int(component.horizontalFactor))
            let down = Int(component.blocksDown).roundedUp(toMultipleOf: Int(component.verticalFactor))
            return sum + across * down * 128
        }
    }
}

extension Strip {
    /// Pointers to the planes' rows at the photo's row `firstRow + row`.
    func planePointers(atRow row: Int) -> (planes: [UnsafeMutablePointer<UInt8>?], bytesPerRow: [Int]) {
        let starts = planes.map { plane in
            plane.row(row * plane.rowCapacity / rowCapacity).assumingMemoryBound(to: UInt8.self)
        }
        return (starts, planes.map(\.bytesPerRow))
    }
}
