import CTintypeLibJPEG
import Foundation

/// libjpeg as its documentation shows it, to compare with.
enum LibJPEG {
    /// A grey JPEG by way of `jpeg_write_scanlines`: libjpeg does the padding.
    ///
    /// - Parameters:
    ///   - restartInterval: blocks between restart markers; 0 for none.
    ///   - hasOwnTables: whether the Huffman codes are made for the photo.
    static func encodeGrey(
        _ pixels: Pixels, quality: Int32, restartInterval: UInt32 = 0, hasOwnTables: Bool = false
    ) -> [UInt8] {
        encode(pixels, quality: quality) { info in
            info.restart_interval = restartInterval
            info.optimize_coding = hasOwnTables ? 1 : 0
        }
    }

    /// How a colour photo is coded.
    struct Coding {
        /// Of luma; chroma has 1 x 1.
        var horizontal: Int32 = 2, vertical: Int32 = 2
        var quality: Int32 = 90
        /// In MCUs; 0 for none.
        var restartInterval: UInt32 = 0
        var tables = Tables.standard

        enum Tables: CaseIterable {
            case standard
            /// Made for the photo.
            case optimised
            /// All codes but two have 16 bits.
            case longest
        }
    }

    /// An RGB photo as a sequential JPEG with one scan.
    static func encode(_ pixels: Pixels, _ coding: Coding) -> [UInt8] {
        encode(pixels, quality: coding.quality) { info in
            info.comp_info[0].h_samp_factor = coding.horizontal
            info.comp_info[0].v_samp_factor = coding.vertical
            info.restart_interval = coding.restartInterval
            switch coding.tables {
            case .standard: break
            case .optimised: info.optimize_coding = 1
            case .longest:
                lengthenCodes(info.dc_huff_tbl_ptrs.0, symbols: 0...11)
                lengthenCodes(info.dc_huff_tbl_ptrs.1, symbols: 0...11)
                lengthenCodes(info.ac_huff_tbl_ptrs.0, symbols: 0...255)
                lengthenCodes(info.ac_huff_tbl_ptrs.1, symbols: 0...255)
            }
        }
    }

    /// One code of 1 bit, one of 2, and the others of 16.
    private static func lengthenCodes(
        _ table: UnsafeMutablePointer<JHUFF_TBL>?, symbols: ClosedRange<UInt8>
    ) {
        guard let table else { return }
        withUnsafeMutableBytes(of: &table.pointee.bits) { bits in
            for length in 0...16 { bits[length] = 0 }
            bits[1] = 1
            bits[2] = 1
            bits[16] = UInt8(symbols.count - 2)
        }
        withUnsafeMutableBytes(of: &table.pointee.huffval) { values in
            for (index, symbol) in symbols.enumerated() { values[index] = symbol }
        }
    }

    /// An RGB photo as a sequential JPEG with a scan for each component.
    static func encodeInSeparateScans(_ pixels: Pixels, quality: Int32) -> [UInt8] {
        let scans = UnsafeMutablePointer<jpeg_scan_info>.allocate(capacity: 3)
        defer { scans.deallocate() }
        for component in 0..<3 {
            scans[component] = jpeg_scan_info(
                comps_in_scan: 1, component_index: (Int32(component), 0, 0, 0), Ss: 0, Se: 63, Ah: 0, Al: 0)
        }
        return encode(pixels, quality: quality) { info in
            info.scan_info = UnsafePointer(scans)
            info.num_scans = 3
        }
    }

    /// Decodes a JPEG by way of `jpeg_read_scanlines`, scaled down by 1, 2, 4 or 8, to RGB or grey.
    static func decode(_ bytes: [UInt8], dividedBy denominator: UInt32) -> Pixels {
        var errors = jpeg_error_mgr()
        var info = jpeg_decompress_struct()
        return withUnsafeMutablePointer(to: &errors) { errors in
            bytes.withUnsafeBufferPointer { bytes in
                info.err = jpeg_std_error(errors)
                jpeg_CreateDecompress(
                    &info, JPEG_LIB_VERSION, MemoryLayout<jpeg_decompress_struct>.size)
                defer { jpeg_destroy_decompress(&info) }
                jpeg_mem_src(&info, bytes.baseAddress, UInt(bytes.count))
                jpeg_read_header(&info, 1)
                info.scale_denom = denominator
                let hasInks = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK
                if hasInks { info.out_color_space = JCS_CMYK }
                jpeg_start_decompress(&info)
                let rowLength = Int(info.output_width) * Int(info.output_components)
                var samples: [UInt8] = []
                while info.output_scanline < info.output_height {
                    var row = [UInt8](repeating: 0, count: rowLength)
                    row.withUnsafeMutableBufferPointer { row in
                        var start = row.baseAddress
                        _ = jpeg_read_scanlines(&info, &start, 1)
                    }
                    samples += row
                }
                jpeg_finish_decompress(&info)
                return Pixels(
                    width: Int(info.output_width), height: Int(info.output_height),
                    channels: hasInks ? 3 : Int(info.output_components), maximum: 255,
                    samples: hasInks ? rgb(inks: samples) : samples.map { UInt16($0) })
            }
        }
    }

    /// Inverted inks, as in all JPEGs: each times black.
    private static func rgb(inks: [UInt8]) -> [UInt16] {
        var samples: [UInt16] = []
        for pixel in stride(from: 0, to: inks.count, by: 4) {
            let black = Double(inks[pixel + 3])
            for ink in inks[pixel..<pixel + 3] {
                samples.append(UInt16((Double(ink) * black / 255).rounded()))
            }
        }
        return samples
    }

    private static func encode(
        _ pixels: Pixels, quality: Int32, _ configure: (inout jpeg_compress_struct) -> Void
    ) -> [UInt8] {
        var errors = jpeg_error_mgr()
        var info = jpeg_compress_struct()
        var buffer: UnsafeMutablePointer<UInt8>?
        var byteCount: UInt = 0
        withUnsafeMutablePointer(to: &errors) { errors in
            info.err = jpeg_std_error(errors)
            jpeg_CreateCompress(&info, JPEG_LIB_VERSION, MemoryLayout<jpeg_compress_struct>.size)
            jpeg_mem_dest(&info, &buffer, &byteCount)
            info.image_width = UInt32(pixels.width)
            info.image_height = UInt32(pixels.height)
            info.input_components = Int32(pixels.channels)
            info.in_color_space = pixels.channels == 1 ? JCS_GRAYSCALE : JCS_RGB
            jpeg_set_defaults(&info)
            jpeg_set_quality(&info, quality, 1)
            configure(&info)
            jpeg_start_compress(&info, 1)
            for row in 0..<pixels.height {
                let rowLength = pixels.width * pixels.channels
                var samples = pixels.samples[row * rowLength..<(row + 1) * rowLength].map { UInt8($0) }
                samples.withUnsafeMutableBufferPointer { samples in
                    var start = samples.baseAddress
                    _ = jpeg_write_scanlines(&info, &start, 1)
                }
            }
            jpeg_finish_compress(&info)
            jpeg_destroy_compress(&info)
        }
        defer { free(buffer) }
        return Array(UnsafeBufferPointer(start: buffer, count: Int(byteCount)))
    }
}
