import CTintypeJPEG
import TintypeImaging
import TintypeMetadata

extension cjpeg_header {
    var componentList: [cjpeg_component] {
        [components.0, components.1, components.2, components.3].prefix(Int(component_count)).map(\.self)
    }

    /// See `PhotoReader.layout`.
    var layout: PixelLayout {
        get throws(CodecError) {
            switch colours {
            case CJPEG_COLOURS_GREY: .interleaved(.grey, .eight)
            case CJPEG_COLOURS_YCC: planeSubsampling.map { .yCbCr($0) } ?? .interleaved(.rgb, .eight)
            case CJPEG_COLOURS_RGB, CJPEG_COLOURS_CMYK: .interleaved(.rgb, .eight)
            default: throw .unsupported(detail: "a JPEG with \(component_count) colour components")
            }
        }
    }

    /// True if the component's rows of blocks are 8 rows of pixels. Factors have no meaning in a grey file,
    /// but libjpeg returns `vertical_factor` rows of blocks at once.
    var isPlainGrey: Bool { colours == CJPEG_COLOURS_GREY && components.0.vertical_factor == 1 }

    /// The subsampling, if chroma has factors 1 x 1: libjpeg's rows of blocks then match a strip's.
    private var planeSubsampling: ChromaSubsampling? {
        let chroma = [components.1, components.2]
        guard chroma.allSatisfy({ $0.horizontal_factor == 1 && $0.vertical_factor == 1 }) else { return nil }
        return subsampling
    }

    /// Luma's factors divided by chroma's.
    private var subsampling: ChromaSubsampling? {
        guard component_count >= 3 else { return nil }
        let luma = components.0
        let chroma = components.1
        guard chroma.horizontal_factor == components.2.horizontal_factor,
            chroma.vertical_factor == components.2.vertical_factor,
            luma.horizontal_factor % chroma.horizontal_factor == 0,
            luma.vertical_factor % chroma.vertical_factor == 0
        else { return nil }
        let subsampling = ChromaSubsampling(
            horizontal: Int(luma.horizontal_factor / chroma.horizontal_factor),
            vertical: Int(luma.vertical_factor / chroma.vertical_factor))
        // A scan of all components has at most 10 blocks in an MCU (ITU-T T.81, B.2.3), so at most 8 of luma.
        return subsampling.flatMap { $0.horizontal * $0.vertical <= 8 ? $0 : nil }
    }

    var coding: JPEGCoding? {
        let components = componentList
        guard components.allSatisfy(\.has_quant_table) else { return nil }
        let tables = components.map { component in
            withUnsafeBytes(of: component.quant_table) { Array($0.bindMemory(to: UInt16.self)) }
        }
        return JPEGCoding(subsampling: subsampling, quantTables: tables)
    }

    var density: PixelDensity? {
        guard has_density else { return nil }
        let unit: PixelDensity.Unit =
            switch density_unit {
            case 1: .perInch
            case 2: .perCentimetre
            default: .aspectOnly
            }
        return PixelDensity(x: Int(density_x), y: Int(density_y), unit: unit)
    }

    /// libjpeg's memory for an image in several scans: 64 coefficients of 2 bytes in each block.
    var coefficientByteCount: Int {
        componentList.reduce(0) { sum, component in
            let across = Int(component.blocks_across).roundedUp(
                toMultipleOf: Int(component.horizontal_factor))
            let down = Int(component.blocks_down).roundedUp(toMultipleOf: Int(component.vertical_factor))
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
