import CLibJPEG
import Foundation

/// libjpeg as its documentation shows it, to compare with.
enum LibJPEG {
    /// A grey JPEG by way of `jpeg_write_scanlines`: libjpeg does the padding.
    ///
    /// - Parameter restartInterval: blocks between restart markers; 0 for none.
    static func encodeGrey(_ pixels: Pixels, quality: Int32, restartInterval: UInt32 = 0) -> [UInt8] {
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
            info.input_components = 1
            info.in_color_space = JCS_GRAYSCALE
            jpeg_set_defaults(&info)
            jpeg_set_quality(&info, quality, 1)
            info.restart_interval = restartInterval
            jpeg_start_compress(&info, 1)
            for row in 0..<pixels.height {
                var samples = pixels.samples[(row * pixels.width)..<((row + 1) * pixels.width)].map {
                    UInt8($0)
                }
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
