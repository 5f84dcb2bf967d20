import CLibJPEG
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
