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
